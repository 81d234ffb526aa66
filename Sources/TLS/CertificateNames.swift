/// The hosts of a certificate, from the DNS names that it states. They are compared as clients do
/// (RFC 9525 §6.3): letter case makes no difference, and `*` matches one whole label, the first,
/// before at least two others. A comparison allocates nothing.
package struct CertificateNames: Sendable {
    /// As in the certificate, for messages.
    package let written: [String]
    /// The sorted keys of all names, one after the other: a name in lower case, or the part of a
    /// name after its `*`, which begins with a full stop.
    private let keys: [UInt8]
    private let ends: [Int]

    /// - Parameter names: as in the certificate.
    package init(_ names: [[UInt8]]) {
        written = names.map { String(decoding: $0, as: UTF8.self) }
        var keys = [UInt8]()
        var ends = [Int]()
        for key in Self.keys(of: names) {
            keys += key
            ends.append(keys.count)
        }
        (self.keys, self.ends) = (keys, ends)
    }

    /// The first names, and how many more there are; nil if the certificate has none.
    package func shown(_ limit: Int) -> String? {
        guard !written.isEmpty else { return nil }
        let more = written.count - limit
        return written.prefix(limit).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }

    /// Whether a client that requests the host accepts one of the names.
    /// - Parameter host: in lower case, without a full stop at its end.
    package func cover(_ host: [UInt8], _ range: Range<Int>) -> Bool {
        guard !range.isEmpty, host[range.lowerBound] != fullStop else { return false }
        if contains(host, range) { return true }
        var parent = range.lowerBound
        while parent < range.upperBound, host[parent] != fullStop { parent += 1 }
        return parent < range.upperBound && contains(host, parent..<range.upperBound)
    }

    /// The keys of the names, for an index of many certificates. A host is covered if one of the
    /// keys is the host itself, or the part of the host that begins with its first full stop.
    var keyList: [[UInt8]] { zip([0] + ends, ends).map { Array(keys[$0..<$1]) } }

    private static func keys(of names: [[UInt8]]) -> [[UInt8]] {
        let keys = names.compactMap { name -> [UInt8]? in
            let folded = name.map(lowerCase)
            guard folded.first == UInt8(ascii: "*") else {
                return folded.first == fullStop || folded.isEmpty ? nil : folded
            }
            let rest = Array(folded.dropFirst())
            return rest.first == fullStop && rest.count(where: { $0 == fullStop }) >= 2 ? rest : nil
        }
        return Set(keys).sorted { $0.lexicographicallyPrecedes($1) }
    }

    private func contains(_ text: [UInt8], _ range: Range<Int>) -> Bool {
        let (text, keys, ends) = (text.span, keys.span, ends.span)
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            let start = middle == 0 ? 0 : ends[middle - 1]
            let order = compare(keys, start..<ends[middle], text, range)
            if order == 0 { return true }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return false
    }
}

/// Finds the first of several certificates that covers a host.
package struct CertificateIndex {
    private var numbers = [[UInt8]: Int]()

    /// An index of the names of these certificates.
    package init(_ certificates: [ServerCertificate]) {
        for (number, certificate) in certificates.enumerated() {
            for key in certificate.names.keyList where numbers[key] == nil {
                numbers[key] = number
            }
        }
    }

    /// - Parameter host: in lower case.
    package func first(covering host: String) -> Int? {
        let bytes = Array(host.utf8)
        let parent = bytes.firstIndex(of: fullStop).flatMap { start in
            start == 0 ? nil : numbers[Array(bytes[start...])]
        }
        return [bytes.first == fullStop ? nil : numbers[bytes], parent].compactMap(\.self).min()
    }
}

/// An ASCII capital letter in lower case; any other octet unchanged.
func lowerCase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}

/// Below 0 if the first comes first in the order of octets, above 0 if the second does.
private func compare(
    _ first: Span<UInt8>, _ range: Range<Int>, _ second: Span<UInt8>, _ other: Range<Int>
) -> Int {
    for offset in 0..<min(range.count, other.count) {
        let (left, right) = (first[range.lowerBound + offset], second[other.lowerBound + offset])
        if left != right { return left < right ? -1 : 1 }
    }
    return range.count - other.count
}

private let fullStop = UInt8(ascii: ".")
