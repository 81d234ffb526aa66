import Associations
private import Memory
import SiteConfiguration
import URISyntax

extension LinkURL {
    /// The URL whose path has no escapes of characters that need none: with and without them it is the
    /// same URL (RFC 3986 §6.2.2.2), and the web shows the same for both. Full stops stay escaped, so
    /// that no segment of them comes about. Systems that open apps compare what is written, so their
    /// rules are never asked about this one alone.
    /// - Returns: nil for a URL that has none, as most.
    var withoutNeedlessEscapes: LinkURL? {
        guard bytes.span.has(UInt8(ascii: "%"), in: pathRange) else { return nil }
        let path = bytes[pathRange].withoutNeedlessEscapes(besidesStops: true)
        guard path.count < pathRange.count else { return nil }
        return try? LinkURL(
            utf8: bytes[..<pathRange.lowerBound] + path + bytes[pathRange.upperBound...])
    }
}

extension ArraySlice<UInt8> {
    /// The text without the escapes of characters that need none.
    /// - Parameter besidesStops: whether full stops stay escaped.
    func withoutNeedlessEscapes(besidesStops: Bool = false) -> [UInt8] {
        var (result, index) = ([UInt8](), startIndex)
        while index < endIndex {
            if self[index] == UInt8(ascii: "%"), index + 2 < endIndex,
                let high = self[index + 1].hexDigitValue, let low = self[index + 2].hexDigitValue,
                (high << 4 | low).isUnreserved,
                !besidesStops || high << 4 | low != UInt8(ascii: ".")
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(self[index])
                index += 1
            }
        }
        return result
    }
}

extension Link {
    /// True if a rule of its own has such an escape, which only a URL with it matches.
    var hasNeedlessEscapes: Bool {
        components.contains { component in
            let path = Array((component.path ?? "").utf8)
            return path[...].withoutNeedlessEscapes().count < path.count
        }
    }
}
