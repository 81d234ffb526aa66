import Testing

@testable import HTTPMessages

/// What scans eight octets at a time finds what examining each octet does: for every octet at every
/// place of a text, wherever the text begins and the span ends.
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

    /// Texts of up to 19 octets of which one is each of all octets, at each place, and another one
    /// before it is such as needs a closer look.
    private func forEachText(_ holds: ([UInt8], _ start: Int) -> Bool) {
        var faults = [String]()
        for count in 0...19 {
            for place in 0...max(0, count - 1) {
                for octet in UInt8.min...UInt8.max {
                    for (before, other) in [
                        (1, UInt8(ascii: "a")), (1, .slash), (3, .tab), (2, .fullStop),
                    ] {
                        var text = [UInt8](repeating: UInt8(ascii: "b"), count: count)
                        if place >= before { text[place - before] = other }
                        if count > 0 { text[place] = octet }
                        for start in [0, 1, 7] where start <= count && !holds(text, start) {
                            if faults.count < 3 { faults.append("\(text) from \(start)") }
                        }
                    }
                }
            }
        }
        #expect(faults == [])
    }
}

extension UInt8 {
    fileprivate var isAlphanumeric: Bool {
        self &- 0x30 < 10 || (self | 0x20) &- 0x61 < 26
    }
}
