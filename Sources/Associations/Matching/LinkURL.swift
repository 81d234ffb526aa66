private import Diagnostics
private import URISyntax

/// An `http` or `https` URL, whose parts are kept as written, because association rules compare
/// them so (RFC 3986 §3). It is more lenient than `WebURL`: it accepts single percent signs and
/// characters that should be escaped, because people ask about such links too.
package struct LinkURL: Hashable, Sendable {
    /// The whole URL; the ranges are offsets in it.
    package let bytes: [UInt8]
    package let hostRange: Range<Int>
    package let pathRange: Range<Int>
    /// Without the question mark; nil when there is none.
    package let queryRange: Range<Int>?
    let fragmentRange: Range<Int>?
    package let isSecure: Bool
    /// As written; nil for the scheme's default.
    package let port: UInt16?

    /// - Throws: `LinkURLError`, with a message for people.
    package init(_ text: String) throws(LinkURLError) {
        try self.init(utf8: Array(text.utf8))
    }

    /// The same from bytes, so that a stream of URLs needs no strings.
    /// - Throws: `LinkURLError`, with a message for people.
    package init(utf8 bytes: [UInt8]) throws(LinkURLError) {
        try Self.checkCharacters(bytes)
        let (start, isSecure) = try Self.scheme(bytes)
        var end = start
        while end < bytes.count, !bytes[end].endsAuthority { end += 1 }
        let (host, port) = try Self.authority(bytes, start..<end)
        self.init(bytes, isSecure: isSecure, host: host, port: port, authorityEnd: end)
    }

    /// The URL of a request over https, whose parts were found and checked when it was read: all
    /// characters are visible ASCII, and there is no fragment.
    /// - Parameters:
    ///   - bytes: the URL, which begins with `https://` in lower case.
    ///   - query: without the question mark; nil if there is none.
    package init(
        ofRequest bytes: [UInt8], host: Range<Int>, port: UInt16?, path: Range<Int>,
        query: Range<Int>?
    ) {
        (self.bytes, hostRange, self.port) = (bytes, host, port)
        (pathRange, queryRange, fragmentRange) = (path, query, nil)
        isSecure = true
    }

    private init(
        _ bytes: [UInt8], isSecure: Bool, host: Range<Int>, port: UInt16?, authorityEnd: Int
    ) {
        let rest = Self.parts(bytes, from: authorityEnd)
        self.bytes = bytes
        self.isSecure = isSecure
        self.port = port
        hostRange = host
        pathRange = rest.path
        queryRange = rest.query
        fragmentRange = rest.fragment
    }

    /// The host in lower case; it may be an address in brackets.
    package var host: String { text(hostRange).lowercased() }
    package var path: String { text(pathRange) }
    /// Without the question mark; nil when there is none.
    package var query: String? { queryRange.map(text) }
    /// Without the number sign; nil when there is none.
    package var fragment: String? { fragmentRange.map(text) }

    /// The request-target: path and query (RFC 9112 §3.2.1).
    package var target: String { (path.isEmpty ? "/" : path) + (query.map { "?\($0)" } ?? "") }

    /// The host in the form that requests use: in lower case, without a final full stop, and in
    /// punycode if it has letters beyond ASCII. A host without such a form stays as it is.
    package var requestedHost: String {
        var host = host
        if host.utf8.last == UInt8(ascii: ".") { host.removeLast() }
        guard bytes[hostRange].contains(where: { $0 >= 0x80 }) else { return host }
        return HostName(anyScript: host)?.description ?? host
    }

    /// The URL that a server receives: without credentials and fragment, and with the host of
    /// requests (RFC 9110 §4.2.4, §7.1). Characters that browsers escape in a path or query are
    /// escaped (WHATWG URL, "percent-encode sets").
    package var requested: LinkURL {
        if isAsRequested { return self }
        var bytes = Array((isSecure ? "https://" : "http://").utf8) + requestedHost.utf8
        if let port { bytes += ":\(port)".utf8 }
        for index in pathRange.lowerBound..<(queryRange ?? pathRange).upperBound {
            let byte = self.bytes[index]
            if Self.isEscaped(byte, in: pathRange.contains(index) ? .path : .query) {
                bytes.append(percentEncoded: byte)
            } else {
                bytes.append(byte)
            }
        }
        return (try? LinkURL(utf8: bytes)) ?? self
    }

    /// Whether a server receives the URL exactly as written.
    private var isAsRequested: Bool {
        let prefix = isSecure ? securePrefix : plainPrefix
        let hasPlainHost = bytes[hostRange].allSatisfy { $0 < 0x80 && !$0.isUpperCaseLetter }
        guard bytes.starts(with: prefix), hostRange.lowerBound == prefix.count, hasPlainHost,
            bytes[hostRange.upperBound - 1] != UInt8(ascii: "."), port == nil,
            hostRange.upperBound == pathRange.lowerBound, fragmentRange == nil
        else { return false }
        return isAsBrowsersSend
    }

    /// Whether browsers change no character of its parts.
    var isAsBrowsersSend: Bool {
        func isSent(_ range: Range<Int>?, _ part: Part) -> Bool {
            range?.allSatisfy { Self.isSent(bytes[$0], in: part) } ?? true
        }
        return isSent(pathRange, .path) && isSent(queryRange, .query)
            && isSent(fragmentRange, .fragment)
    }

    /// A part behind the host.
    package enum Part {
        case path, query, fragment
    }

    /// Whether browsers send the byte in this part as it is. A backslash in a path becomes a slash.
    package static func isSent(_ byte: UInt8, in part: Part) -> Bool {
        !isEscaped(byte, in: part) && (part != .path || byte != UInt8(ascii: "\\"))
    }

    /// Whether browsers escape the byte in this part (WHATWG URL, "percent-encode sets").
    private static func isEscaped(_ byte: UInt8, in part: Part) -> Bool {
        switch byte {
        case 0...0x20, 0x7F...0xFF, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"): true
        case UInt8(ascii: "^"), UInt8(ascii: "{"), UInt8(ascii: "}"): part == .path
        case UInt8(ascii: "`"): part != .query
        case UInt8(ascii: "'"): part == .query
        default: false
        }
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}

extension LinkURL: CustomStringConvertible {
    package var description: String { text(0..<bytes.count) }
}

extension LinkURL {
    private static func checkCharacters(_ bytes: [UInt8]) throws(LinkURLError) {
        let text = bytes.span
        var isASCII = true
        // Printable ASCII needs no further check.
        for index in text.indices where text[index] &- 0x20 >= 0x5F {
            if text[index] < 0x80 { throw .control(offset: index) }
            isASCII = false
        }
        if !isASCII, String(validating: bytes, as: UTF8.self) == nil { throw .notUTF8 }
    }

    private static func scheme(
        _ bytes: [UInt8]
    ) throws(LinkURLError) -> (start: Int, isSecure: Bool) {
        if begins(bytes.span, with: securePrefix.span) { return (securePrefix.count, true) }
        if begins(bytes.span, with: plainPrefix.span) { return (plainPrefix.count, false) }
        throw .scheme
    }

    /// Host and port, without credentials before an `@`.
    private static func authority(
        _ bytes: [UInt8], _ range: Range<Int>
    ) throws(LinkURLError) -> (host: Range<Int>, port: UInt16?) {
        let text = bytes.span
        var (start, end) = (range.lowerBound, range.upperBound)
        for index in range {
            switch text[index] {
            case UInt8(ascii: "@"): (start, end) = (index + 1, range.upperBound)
            // The colons of an IPv6 address are in brackets.
            case UInt8(ascii: "]"): end = range.upperBound
            case UInt8(ascii: ":") where end == range.upperBound: end = index
            default: break
            }
        }
        guard start < end else { throw .host }
        for index in start..<end where isForbiddenInHost(text[index], text[start]) {
            throw .hostCharacter(text[index])
        }
        guard end + 1 < range.upperBound else { return (start..<end, nil) }
        let digits = String(decoding: bytes[(end + 1)..<range.upperBound], as: UTF8.self)
        guard digits.utf8.allSatisfy(\.isDigit), let port = UInt16(digits) else { throw .port }
        return (start..<end, port)
    }

    private static func parts(
        _ bytes: [UInt8], from start: Int
    ) -> (path: Range<Int>, query: Range<Int>?, fragment: Range<Int>?) {
        let text = bytes.span
        var (index, mark) = (start, text.count)
        while index < text.count, text[index] != UInt8(ascii: "#") {
            if text[index] == UInt8(ascii: "?"), mark == text.count { mark = index }
            index += 1
        }
        let fragment = index < text.count ? (index + 1)..<text.count : nil
        guard mark < index else { return (start..<index, nil, fragment) }
        return (start..<mark, (mark + 1)..<index, fragment)
    }
}

/// The reason why a text is not a URL that can be a universal link.
package enum LinkURLError: Error, Hashable, Sendable, CustomStringConvertible {
    case scheme
    case host
    case hostCharacter(UInt8)
    case port
    case notUTF8
    case control(offset: Int)

    package var description: String {
        switch self {
        case .scheme: "a link must begin with https:// or http://"
        case .host: "the link has no host"
        case .hostCharacter(let byte):
            "the link's host cannot contain \(quoted(String(Unicode.Scalar(byte))))"
        case .port: "the link's port must be a number up to 65535"
        case .notUTF8: "the link is not UTF-8"
        case .control(let offset): "the link has a control character at byte \(offset + 1)"
        }
    }
}

/// Whether no host contains this character (URL Standard, "forbidden host code point"). Brackets
/// and colons belong to an IPv6 address. Letters beyond ASCII are allowed, because punycode encodes
/// them.
private func isForbiddenInHost(_ byte: UInt8, _ first: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "["), UInt8(ascii: "]"): first != UInt8(ascii: "[")
    case UInt8(ascii: " "), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"),
        UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"),
        UInt8(ascii: "{")...UInt8(ascii: "}"):
        true
    default: false
    }
}

private let securePrefix = Array("https://".utf8)
private let plainPrefix = Array("http://".utf8)

/// - Parameter prefix: in lower case.
private func begins(_ text: Span<UInt8>, with prefix: Span<UInt8>) -> Bool {
    guard text.count >= prefix.count else { return false }
    for index in prefix.indices {
        let byte = text[index]
        guard (byte.isLetter ? byte | 0x20 : byte) == prefix[index] else { return false }
    }
    return true
}

/// Other URLs as which some system may interpret this one.
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

    /// Whether all systems interpret the URL in one way, apart from the names of query items.
    var isPlain: Bool {
        encoded == nil && escapesAreUTF8 && !LetterFolding.changes(self)
            && PathDecoding.resolvingDotSegments(Array(bytes[pathRange])) == nil
    }

    /// The URL with escapes for all characters that a URL cannot contain; nil if it contains none.
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

    func isEscape(at index: Int) -> Bool {
        index + 2 < bytes.count && bytes[index + 1].hexDigitValue != nil
            && bytes[index + 2].hexDigitValue != nil
    }

    /// The URL with the names of `names` for query items that differ from them only in letter case,
    /// and the first of those names; nil if there is no such item.
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

    /// Whether the code occurs after the host, in any letter case. Escapes may hide it, so the
    /// result is true if there are any.
    func mentions(_ code: [UInt8]) -> Bool {
        let rest = bytes[pathRange.lowerBound...]
        guard !rest.contains(UInt8(ascii: "%")) else { return true }
        return rest.indices.contains { start in
            rest[start...].count >= code.count
                && zip(rest[start...], code).allSatisfy { $0 | 0x20 == $1 | 0x20 }
        }
    }

    /// Whether every percent sign after the host begins an escape, and all can be decoded as UTF-8.
    var escapesAreUTF8: Bool { isDecodable(pathRange.lowerBound..<bytes.count) }

    /// Whether every percent sign of a part begins an escape, and all can be decoded as UTF-8.
    func isDecodable(_ range: Range<Int>) -> Bool {
        var decoded = [UInt8]()
        return appendDecoded(bytes.span.extracting(range), to: &decoded)
    }
}

/// Unreserved and reserved characters (RFC 3986 §2). Brackets are allowed anywhere, as in browsers.
private func isAllowed(_ byte: UInt8) -> Bool {
    byte.isUnreserved || ":/?#[]@!$&'()*+,;=".utf8.contains(byte)
}
