import Foundation
import Memory
import Synchronization
import Testing

@Suite("A ring between two threads")
struct ByteRingTests {
    @Test func `what does not fit is refused whole, and what fits comes out in order`() {
        let ring = ByteRing(capacity: 8)
        let bytes = Array(UInt8(0)..<16)
        #expect(ring.append(bytes, 0..<8))
        #expect(!ring.append(bytes, 8..<9))
        #expect(ring.append(bytes, 8..<8))
        var target = [UInt8](repeating: 0xFF, count: 16)
        #expect(ring.take(into: &target, atMost: 5) == 5)
        #expect(target[..<6] == [0, 1, 2, 3, 4, 0xFF])
        #expect(!ring.append(bytes, 0..<6))
        #expect(ring.append(bytes, 8..<13))
        #expect(ring.count == 8)
        #expect(ring.take(into: &target, atMost: .max) == 3)
        #expect(target[..<3] == [5, 6, 7])
        #expect(ring.consume(atMost: 2) { _ in 0 } == 0)
        #expect(ring.take(into: &target, atMost: .max) == 5)
        #expect(target[..<5] == [8, 9, 10, 11, 12])
        #expect(ring.take(into: &target, atMost: .max) == 0)
    }

    @Test func `nothing is lost, torn or doubled between two threads`() async {
        let ring = ByteRing(capacity: 64)
        let count = 100_000
        let writer = Task.detached {
            for number in 0..<count {
                let piece = [UInt8(truncatingIfNeeded: number), 1, UInt8(number % 7)]
                while !ring.append(piece, 0..<1 + number % 3) { await Task.yield() }
            }
        }
        var (number, offset, wrong) = (0, 0, 0)
        var target = [UInt8](repeating: 0, count: 48)
        while number < count {
            let taken = ring.take(into: &target, atMost: 48)
            if taken == 0 { await Task.yield() }
            for byte in target[..<taken] {
                let expected = [UInt8(truncatingIfNeeded: number), 1, UInt8(number % 7)]
                if byte != expected[offset] { wrong += 1 }
                offset += 1
                if offset == 1 + number % 3 { (number, offset) = (number + 1, 0) }
            }
        }
        await writer.value
        #expect(wrong == 0)
        #expect(ring.count == 0)
    }

    @Test func `a draft is seen once it is published, and can be read back until then`() {
        let ring = ByteRing(capacity: 8)
        #expect(ring.append(Array("abcde".utf8), 0..<5))
        #expect(ring.take() == "abcde")
        var text = TextBuffer(capacity: 8)
        text.append("fgh")
        let fits = [0, 3, 6].map { ring.draft(text, behind: $0) }
        #expect(fits == [true, true, false])
        #expect(ring.count == 0)
        #expect(ring.drafted(1..<5) == Array("ghfg".utf8))
        ring.publish(3)
        #expect(ring.take() == "fgh")
    }

    @Test func `its memory is used with its first bytes, or from the start`() throws {
        func residentPages() throws -> Int {
            let figures = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            return try #require(Int(figures.split(separator: " ")[1]))
        }
        let capacity = 256 << 20
        for isTouched in [false, true] {
            let before = try residentPages()
            let ring = ByteRing(capacity: capacity, isTouched: isTouched)
            let more = try residentPages() - before
            #expect((more > capacity / 2 / 4_096) == isTouched && ring.count == 0)
        }
    }
}

extension ByteRing {
    /// Takes out what lies in one piece, and says how many bytes that were.
    fileprivate func take(into target: inout [UInt8], atMost most: Int) -> Int {
        consume(atMost: min(most, target.count)) { bytes in
            for index in bytes.indices { target[index] = bytes[index] }
            return bytes.count
        }
    }

    fileprivate func take() -> String {
        var target = [UInt8](repeating: 0, count: capacity)
        let count = take(into: &target, atMost: .max)
        return String(decoding: target[..<count], as: UTF8.self)
    }

    fileprivate func append(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        var text = TextBuffer(capacity: range.count)
        text.append(bytes, range)
        guard draft(text, behind: 0) else { return false }
        publish(text.count)
        return true
    }
}
