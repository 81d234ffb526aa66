import Testing

@testable import HTTPMessages

/// Scanning eight octets at a time finds the same end as examining each octet. Every octet is tried
/// at every place of a text, from several starts, and with every length of the rest.
@Suite("Scanning of text")
struct ScanningTests {
    @Test func `field content ends at the first octet that is none`() {
        forEachText { text, start in
            let end = text.span.endOfFieldContent(from: start)
            return end == text[start...].firstIndex { !$0.isFieldContent } ?? text.count
        }
    }

    @Test func `a query ends at the first octet that is none of it`() {
        forEachText { text, start in
            let end = text.span.endOfQuery(from: start)
            return end == text[start...].firstIndex { !$0.isQueryCharacter } ?? text.count
        }
    }

    @Test func `a path ends at a query, or at the first octet that is none of it`() {
        forEachText { text, start in
            let path = text.span.path(from: start)
            let end =
                text[start...].firstIndex { !$0.isPathCharacter || $0 == .questionMark }
                ?? text.count
            let isLiteral = text[start..<end].indices.allSatisfy { index in
                switch text[index] {
                case .percent, .backslash: return false
                case .fullStop where index > start && text[index - 1] == .slash:
                    let next = index + 1 < text.count ? text[index + 1] : 0
                    return next.isAlphanumeric
                default: return true
                }
            }
            return path.end == end && path.isLiteral == isLiteral
        }
    }

    /// Checks texts of up to 19 octets: all letters but one, which is any octet, and one shortly
    /// before it, which some scanners look at twice.
    private func forEachText(_ holds: ([UInt8], _ start: Int) -> Bool) {
        var faults = [String]()
        for count in 1...19 {
            for place in 0..<count {
                for octet in UInt8.min...UInt8.max {
                    for text in texts(count, octet, at: place) {
                        for start in [0, 1, 7] where start <= count && !holds(text, start) {
                            faults.append("\(text) from \(start)")
                        }
                    }
                }
            }
            guard faults.isEmpty else { break }
        }
        let first = faults.first
        #expect(first == nil)
        #expect(holds([], 0))
    }

    private func texts(_ count: Int, _ octet: UInt8, at place: Int) -> [[UInt8]] {
        var text = [UInt8](repeating: UInt8(ascii: "b"), count: count)
        text[place] = octet
        return [text]
            + [(1, UInt8.slash), (2, .fullStop), (3, .tab)].compactMap { distance, other in
                guard place >= distance else { return nil }
                var changed = text
                changed[place - distance] = other
                return changed
            }
    }
}

extension UInt8 {
    fileprivate var isAlphanumeric: Bool {
        self &- 0x30 < 10 || (self | 0x20) &- 0x61 < 26
    }
}
