/// The stars of one rule's path, compiled to take their parts of the links that the rule matches.
///
/// A star takes as little as it can, and the last star takes the rest. A slash that normalization
/// adds to a path belongs to no star. The text between two stars is a piece. Pieces are found from
/// left to right, each as early as possible, because an early end leaves more text to the others.
package struct StarCapture: Sendable {
    /// The form of the path that the rule compares.
    private let compared: TextVariant
    /// The pieces before, between and after the stars: octets, and elements above them.
    private let pieces: [[UInt16]]
    /// The values of the variables, in the order of their elements.
    private let values: [[[UInt8]]]

    /// An element that takes any one scalar. The elements above it stand for variables.
    private static let anyScalar: UInt16 = 0x100
    private static let firstVariable: UInt16 = 0x101

    /// Compiles the path of a configuration's rule, which can name only predefined variables.
    package init(_ rule: RuleText) {
        let isFolded = !rule.caseSensitive
        compared = TextVariant(decoded: !rule.percentEncoded, folded: isFolded)
        var pattern = [UInt8]()
        TextVariant.written.write(Array((rule.path ?? "").utf8).span, isPath: true, into: &pattern)
        var pieces = [[UInt16]()]
        var values = [[[UInt8]]]()
        for item in patternItems(pattern, variables: true, folded: isFolded) {
            switch item {
            case .byte(let byte): pieces[pieces.count - 1].append(UInt16(byte))
            case .any: pieces[pieces.count - 1].append(Self.anyScalar)
            case .star: pieces.append([])
            case .variable(let name):
                pieces[pieces.count - 1].append(Self.firstVariable + UInt16(values.count))
                let texts = Variables([]).texts(of: name)
                values.append(isFolded ? texts.map(foldedBytes) : texts)
            // The pattern matches nothing.
            case .unterminated: break
            }
        }
        (self.pieces, self.values) = (pieces, values)
    }

    /// Finds what the stars take of the URL that `scratch` was turned to last. The rule has to
    /// match it. `scratch.starRange(_:)` returns the results.
    package func take(from url: LinkURL, _ scratch: inout MatchScratch) {
        scratch.stars.isDecoded = compared.isDecoded
        if !scratch.stars.ranges.isEmpty { scratch.stars.ranges.removeAll(keepingCapacity: true) }
        guard pieces.count > 1 else { return }
        let text = scratch.texts.path(compared)
        take(text.span, &scratch.stars.ranges)
        scratch.stars.text = text
        if compared.isFolded {
            scratch.stars.unfold(
                scratch.texts.path(TextVariant(decoded: compared.isDecoded, folded: false)))
        }
        if !endsInSlash(url) { scratch.stars.dropLastSlash() }
    }

    private func take(_ text: Span<UInt8>, _ ranges: inout [Range<Int>]) {
        guard var start = end(of: pieces[0], in: text, from: 0) else { return }
        for number in 1..<pieces.count {
            let isLast = number == pieces.count - 1
            var position = isLast && pieces[number].isEmpty ? text.count : start
            while true {
                if let end = end(of: pieces[number], in: text, from: position, toEnd: isLast) {
                    ranges.append(start..<position)
                    start = end
                    break
                }
                position += 1
                guard position <= text.count else { return ranges.removeAll() }
            }
        }
    }

    /// The earliest end of the piece that begins at `start`; nil if the text differs there or, with
    /// `toEnd`, continues after it.
    private func end(
        of piece: [UInt16], in text: Span<UInt8>, from start: Int, toEnd: Bool = false
    ) -> Int? {
        var index = start
        for number in piece.indices {
            guard piece[number] < Self.firstVariable else {
                return end(of: piece[number...], in: text, from: index, toEnd: toEnd)
            }
            guard let end = end(of: piece[number], in: text, from: index) else { return nil }
            index = end
        }
        return toEnd && index < text.count ? nil : index
    }

    /// The same for elements with variables, whose values can have different lengths.
    private func end(
        of piece: ArraySlice<UInt16>, in text: Span<UInt8>, from start: Int, toEnd: Bool
    ) -> Int? {
        var reached: Set = [start]
        for element in piece {
            var next = Set<Int>()
            for index in reached {
                guard element >= Self.firstVariable else {
                    if let end = end(of: element, in: text, from: index) { next.insert(end) }
                    continue
                }
                for value in values[Int(element - Self.firstVariable)] {
                    var end: Int? = index
                    for byte in value {
                        end = end.flatMap { self.end(of: UInt16(byte), in: text, from: $0) }
                    }
                    if let end { next.insert(end) }
                }
            }
            reached = next
        }
        return toEnd ? reached.first { $0 == text.count } : reached.min()
    }

    /// The end of an octet or scalar that begins at `start`.
    private func end(of element: UInt16, in text: Span<UInt8>, from start: Int) -> Int? {
        guard start < text.count else { return nil }
        guard element == Self.anyScalar else {
            return UInt16(text[start]) == element ? start + 1 : nil
        }
        var end = start + 1
        while end < text.count, text[end].continuesScalar { end += 1 }
        return end
    }

    /// Whether the path ends in a slash before normalization.
    private func endsInSlash(_ url: LinkURL) -> Bool {
        let path = url.bytes[url.pathRange]
        guard compared.isDecoded, path.last != UInt8(ascii: "/") else {
            return path.last == UInt8(ascii: "/")
        }
        return path.suffix(3).elementsEqual("%2F".utf8) || path.suffix(3).elementsEqual("%2f".utf8)
    }
}

/// The ranges that the stars of one rule took.
struct StarRanges: Sendable {
    var text = [UInt8]()
    var ranges = [Range<Int>]()
    var isDecoded = false

    /// Replaces the text by the one of which it is the lower case, and moves the ranges. Folding
    /// changes the length of a scalar, but not the number of scalars.
    mutating func unfold(_ original: [UInt8]) {
        var (offset, originalOffset) = (0, 0)
        func move(to target: Int) -> Int {
            while offset < target {
                repeat { offset += 1 } while offset < text.count && text[offset].continuesScalar
                repeat {
                    originalOffset += 1
                } while originalOffset < original.count && original[originalOffset].continuesScalar
            }
            return originalOffset
        }
        for index in ranges.indices {
            let start = move(to: ranges[index].lowerBound)
            ranges[index] = start..<move(to: ranges[index].upperBound)
        }
        text = original
    }

    /// Takes the slash from the last star if it has the end of the text.
    mutating func dropLastSlash() {
        guard let last = ranges.last, last.upperBound == text.count, !last.isEmpty,
            text[last.upperBound - 1] == UInt8(ascii: "/")
        else { return }
        ranges[ranges.count - 1] = last.lowerBound..<(last.upperBound - 1)
    }
}

extension UInt8 {
    /// Whether it is not the first octet of a scalar in UTF-8.
    fileprivate var continuesScalar: Bool { self & 0xC0 == 0x80 }
}

extension MatchScratch {
    /// The text that the bytes in `starRange(_:)` are of.
    package var starText: [UInt8] { stars.text }

    /// Whether that text is decoded, so that a percent sign stands for itself.
    package var starsAreDecoded: Bool { stars.isDecoded }

    /// The range of `starText` that the star of this number, counted from 1, took; nil for none.
    package func starRange(_ number: Int) -> Range<Int>? {
        stars.ranges.indices.contains(number - 1) ? stars.ranges[number - 1] : nil
    }
}
