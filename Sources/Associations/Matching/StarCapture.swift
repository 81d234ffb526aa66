/// What the stars of one rule's path take of the links that the rule matches, compiled once.
///
/// A star takes as little as it can, the last one what is left; the slash that normalisation puts
/// after a path belongs to none.
package struct StarCapture: Sendable {
    /// Compared as the rule compares; taken as it is written, or decoded where the rule decodes.
    private let variant: TextVariant
    private let isFolded: Bool
    /// What stands before, between and after the stars, where that is letters and question marks.
    private let segments: [[UInt16]]?
    private let rule: RuleText

    /// Compiles the rule's path; without one there are no stars.
    package init(_ rule: RuleText) {
        self.rule = rule
        isFolded = !rule.caseSensitive
        variant = TextVariant(decoded: !rule.percentEncoded, folded: false)
        var pattern = [UInt8]()
        TextVariant.written.write(Array((rule.path ?? "*").utf8).span, isPath: true, into: &pattern)
        let items = patternItems(pattern, variables: true, folded: isFolded)
        segments = Self.segments(items)
    }

    private static func segments(_ items: [PatternItem]) -> [[UInt16]]? {
        var segments = [[UInt16]()]
        for item in items {
            switch item {
            case .byte(let byte): segments[segments.count - 1].append(UInt16(byte))
            case .any: segments[segments.count - 1].append(anyScalar)
            case .star: segments.append([])
            case .variable, .unterminated: return nil
            }
        }
        return segments
    }

    /// Looks at the URL that `scratch` has decided last; `scratch.starRange(_:)` has the answers.
    package func take(from url: LinkURL, _ scratch: inout MatchScratch) {
        scratch.stars.isDecoded = variant.isDecoded
        scratch.stars.ranges.removeAll(keepingCapacity: true)
        guard rule.path != nil else { return }
        guard let segments else {
            scratch.stars.text = []
            for text in rule.starTexts(in: url) ?? [] {
                let start = scratch.stars.text.count
                scratch.stars.text += text.utf8
                scratch.stars.ranges.append(start..<scratch.stars.text.count)
            }
            // That has been escaped again.
            scratch.stars.isDecoded = false
            return
        }
        let text = scratch.texts.path(variant)
        take(segments, text.span, &scratch.stars.ranges)
        scratch.stars.text = text
        trimSlash(url, &scratch.stars)
    }

    private func take(
        _ segments: [[UInt16]], _ text: Span<UInt8>, _ ranges: inout [Range<Int>]
    ) {
        guard segments.count > 1, var start = end(of: segments[0], in: text, from: 0) else {
            return
        }
        for segment in segments[1..<(segments.count - 1)] {
            var position = start
            while end(of: segment, in: text, from: position) == nil {
                position += 1
                guard position <= text.count else { return ranges.removeAll() }
            }
            ranges.append(start..<position)
            start = end(of: segment, in: text, from: position) ?? position
        }
        let last = segments[segments.count - 1]
        var position = last.isEmpty ? text.count : start
        while end(of: last, in: text, from: position) != text.count {
            position += 1
            guard position <= text.count else { return ranges.removeAll() }
        }
        ranges.append(start..<position)
    }

    /// Where the segment ends that begins at `start`; nil where it does not stand there.
    private func end(of segment: [UInt16], in text: Span<UInt8>, from start: Int) -> Int? {
        var index = start
        for element in segment {
            guard index < text.count else { return nil }
            let byte = text[index]
            index += 1
            if element == anyScalar {
                while index < text.count, text[index] & 0xC0 == 0x80 { index += 1 }
            } else if UInt16(byte) != element {
                guard isFolded, byte &- 0x41 < 26, UInt16(byte | 0x20) == element else {
                    return nil
                }
            }
        }
        return index
    }

    private func trimSlash(_ url: LinkURL, _ stars: inout StarRanges) {
        guard let last = stars.ranges.last, last.upperBound == stars.text.count, !last.isEmpty,
            url.pathRange.isEmpty || url.bytes[url.pathRange.upperBound - 1] != UInt8(ascii: "/")
        else { return }
        stars.ranges[stars.ranges.count - 1] = last.lowerBound..<(last.upperBound - 1)
    }
}

/// An element that takes any one scalar; above all bytes.
private let anyScalar: UInt16 = 0x100

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
