private import URISyntax

/// Other URLs that some system may take this one for.
extension LinkURL {
    func readings(for rule: RuleText) -> [(LinkCaveat, LinkURL)] {
        var readings = [(LinkCaveat, LinkURL)]()
        func add(_ caveat: LinkCaveat, _ bytes: some Sequence<UInt8>) {
            guard let url = try? LinkURL(utf8: Array(bytes)) else { return }
            readings.append((caveat, url))
        }
        if rule.path != nil, let path = PathDecoding.resolvingDotSegments(Array(bytes[pathRange])) {
            add(.dotSegment, bytes[..<pathRange.lowerBound] + path + bytes[pathRange.upperBound...])
        }
        if let encoded { add(.unencodedCharacter, encoded) }
        if !rule.caseSensitive, case .items(let items)? = rule.query,
            let (name, renamed) = renaming(to: items.map(\.name))
        {
            add(.queryNameCase(name), renamed)
        }
        return readings
    }

    /// With everything escaped that may not stand in a URL; nil when nothing need be.
    private var encoded: [UInt8]? {
        var result = Array(bytes[..<pathRange.lowerBound])
        for index in pathRange.lowerBound..<bytes.count {
            let byte = bytes[index]
            if isAllowed(byte) || (byte == UInt8(ascii: "%") && isEscape(at: index)) {
                result.append(byte)
            } else {
                result.append(percentEncoded: byte)
            }
        }
        return result == bytes ? nil : result
    }

    private func isEscape(at index: Int) -> Bool {
        index + 2 < bytes.count && bytes[index + 1].hexDigitValue != nil
            && bytes[index + 2].hexDigitValue != nil
    }

    /// With query items so named whose names differ from one of `names` in case only, and the
    /// first of those names; nil without any.
    private func renaming(to names: [String]) -> (String, ArraySlice<UInt8>)? {
        guard let queryRange else { return nil }
        let exact = Set(names.map { Array($0.utf8) })
        let folded = Dictionary(names.map { (foldedBytes(Array($0.utf8)), $0) }) { first, _ in first
        }
        var renamed: String?
        let items = bytes[queryRange]
            .split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
            .map { item in
                let end = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
                let old = Array(item[..<end])
                guard !exact.contains(old), let name = folded[foldedBytes(old)] else {
                    return Array(item)
                }
                renamed = renamed ?? name
                return Array(name.utf8) + item[end...]
            }
        guard let renamed else { return nil }
        let query = Array(items.joined(separator: [UInt8(ascii: "&")]))
        return (renamed, bytes[..<queryRange.lowerBound] + query + bytes[queryRange.upperBound...])
    }

    /// Whether the code stands somewhere behind the host, in either case or with escapes.
    func mentions(_ code: [UInt8]) -> Bool {
        let rest = bytes[pathRange.lowerBound...]
        guard !rest.contains(UInt8(ascii: "%")) else { return true }
        return rest.indices.contains { start in
            rest[start...].count >= code.count
                && zip(rest[start...], code).allSatisfy { $0 | 0x20 == $1 | 0x20 }
        }
    }

    /// Whether decoding the parts that rules look at leaves no escape undecoded.
    var escapesAreUTF8: Bool {
        var decoded = [UInt8]()
        return appendDecoded(bytes.span.extracting(pathRange.lowerBound...), to: &decoded)
    }
}

/// Unreserved and reserved characters (RFC 3986 §2); brackets are lenient, as browsers are.
private func isAllowed(_ byte: UInt8) -> Bool {
    byte.isUnreserved || ":/?#[]@!$&'()*+,;=".utf8.contains(byte)
}
