/// The parts of one URL in the forms that rules compare. A form is made when a rule first needs it.
/// The buffers are kept from one URL to the next.
struct URLTexts: Sendable {
    /// The URL; its parts are ranges of it.
    private var bytes = [UInt8]()
    private var pathRange = 0..<0
    private var queryRange: Range<Int>?
    private var fragmentRange = 0..<0
    private var paths = Forms()
    private var queries = Forms()
    private var fragments = Forms()
    private var item = [UInt8]()

    private struct Forms {
        var texts = [[UInt8]](repeating: [], count: TextVariant.count)
        var made = 0
    }

    /// Begins with another URL.
    mutating func look(at url: LinkURL) {
        (bytes, pathRange, queryRange) = (url.bytes, url.pathRange, url.queryRange)
        fragmentRange = url.fragmentRange ?? 0..<0
        (paths.made, queries.made, fragments.made) = (0, 0, 0)
    }

    mutating func forget() {
        bytes = []
        (pathRange, queryRange, fragmentRange) = (0..<0, nil, 0..<0)
    }

    mutating func path(_ variant: TextVariant) -> [UInt8] {
        Self.text(bytes, pathRange, isPath: true, variant, &paths)
    }

    /// The query; empty if there is none.
    mutating func query(_ variant: TextVariant) -> [UInt8] {
        Self.text(bytes, queryRange ?? 0..<0, isPath: false, variant, &queries)
    }

    /// The fragment; empty if there is none.
    mutating func fragment(_ variant: TextVariant) -> [UInt8] {
        Self.text(bytes, fragmentRange, isPath: false, variant, &fragments)
    }

    private static func text(
        _ bytes: [UInt8], _ range: Range<Int>, isPath: Bool, _ variant: TextVariant,
        _ forms: inout Forms
    ) -> [UInt8] {
        let bit = 1 << variant.rawValue
        if forms.made & bit == 0 {
            forms.made |= bit
            variant.write(bytes, range, isPath: isPath, into: &forms.texts[variant.rawValue])
        }
        return forms.texts[variant.rawValue]
    }
}

extension URLTexts {
    /// Calls `body` with the value of each item that has exactly this name, in the form of
    /// `variant`; an item without `=` has an empty value. If values are decoded, names are decoded
    /// too.
    /// - Parameter found: becomes true if there is such an item.
    /// - Returns: false as soon as `body` does.
    mutating func items(
        named name: [UInt8], _ variant: TextVariant, found: inout Bool,
        _ body: (Span<UInt8>) -> Bool
    ) -> Bool {
        guard let range = queryRange else { return true }
        let named = TextVariant(decoded: variant.isDecoded, folded: false)
        let whole = bytes
        let bytes = whole.span
        var start = range.lowerBound
        while start <= range.upperBound {
            let (equals, end) = Self.item(bytes, start..<range.upperBound)
            if isSame(bytes.extracting(start..<equals), name, named) {
                found = true
                let value = bytes.extracting(min(equals + 1, end)..<end)
                if variant == .written {
                    guard body(value) else { return false }
                } else {
                    variant.write(value, isPath: false, into: &item)
                    guard body(item.span) else { return false }
                }
            }
            start = end + 1
        }
        return true
    }

    /// The end of an item's name, and the end of the item.
    private static func item(_ bytes: Span<UInt8>, _ range: Range<Int>) -> (equals: Int, end: Int) {
        var (end, equals) = (range.lowerBound, -1)
        while end < range.upperBound, bytes[end] != UInt8(ascii: "&") {
            if equals < 0, bytes[end] == UInt8(ascii: "=") { equals = end }
            end += 1
        }
        return (equals < 0 ? end : equals, end)
    }

    private mutating func isSame(
        _ written: Span<UInt8>, _ name: [UInt8], _ variant: TextVariant
    ) -> Bool {
        if variant == .written {
            return written.count == name.count
                && written.indices.allSatisfy { written[$0] == name[$0] }
        }
        variant.write(written, isPath: false, into: &item)
        return item == name
    }
}
