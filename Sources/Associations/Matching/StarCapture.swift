/// What the stars of one rule's path take of the links that the rule matches, compiled once.
///
/// A star takes as little as it can, the last one what is left; the slash that normalisation puts
/// after a path belongs to none. So the pieces between stars are looked for from left to right:
/// one that is found early leaves the others all that they would find later.
package struct StarCapture: Sendable {
    /// Compared as the rule compares; taken as it is written, or decoded where the rule decodes.
    private let variant: TextVariant
    private let isFolded: Bool
    /// What stands before, between and after the stars: octets, and elements beyond them.
    private let pieces: [[UInt16]]
    /// The values of the variables, in the order of their elements.
    private let values: [[[UInt8]]]

    /// An element that takes any one scalar; those from the next one on stand for variables.
    private static let anyScalar: UInt16 = 0x100
    private static let firstVariable: UInt16 = 0x101

    /// Compiles the path of a configuration's rule; it names predefined variables alone.
    package init(_ rule: RuleText) {
        isFolded = !rule.caseSensitive
        variant = TextVariant(decoded: !rule.percentEncoded, folded: false)
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

    /// Looks at the URL that `scratch` has decided last; `scratch.starRange(_:)` has the answers.
    package func take(from url: LinkURL, _ scratch: inout MatchScratch) {
        scratch.stars.isDecoded = variant.isDecoded
        scratch.stars.ranges.removeAll(keepingCapacity: true)
        guard pieces.count > 1 else { return }
        let text = scratch.texts.path(variant)
        take(text.span, &scratch.stars.ranges)
        scratch.stars.text = text
        trimSlash(url, &scratch.stars)
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

    /// Where the piece ends that begins at `start`, at the earliest; nil where it does not stand
    /// there or, `toEnd`, not up to the text's end.
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

    /// The same with variables, whose values can end in several places.
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

    /// Where an octet or any one scalar ends that begins at `start`.
    private func end(of element: UInt16, in text: Span<UInt8>, from start: Int) -> Int? {
        guard start < text.count else { return nil }
        let byte = text[start]
        if element == Self.anyScalar {
            var end = start + 1
            while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
            return end
        }
        let isSame =
            UInt16(byte) == element
            || (isFolded && byte &- 0x41 < 26 && UInt16(byte | 0x20) == element)
        return isSame ? start + 1 : nil
    }

    private func trimSlash(_ url: LinkURL, _ stars: inout StarRanges) {
        guard let last = stars.ranges.last, last.upperBound == stars.text.count, !last.isEmpty,
            stars.text[last.upperBound - 1] == UInt8(ascii: "/"),
            url.pathRange.isEmpty || url.bytes[url.pathRange.upperBound - 1] != UInt8(ascii: "/")
        else { return }
        stars.ranges[stars.ranges.count - 1] = last.lowerBound..<(last.upperBound - 1)
    }
}

/// What the stars of one rule took.
struct StarRanges: Sendable {
    var text = [UInt8]()
    var ranges = [Range<Int>]()
    var isDecoded = false
}

extension MatchScratch {
    /// The text that the bytes in `starRange(_:)` are of.
    package var starText: [UInt8] { stars.text }

    /// Whether that text is decoded, so that a percent sign stands for itself.
    package var starsAreDecoded: Bool { stars.isDecoded }

    /// What the star of this number, counted from 1, took of `starText`; nil where there is none.
    package func starRange(_ number: Int) -> Range<Int>? {
        stars.ranges.indices.contains(number - 1) ? stars.ranges[number - 1] : nil
    }
}
