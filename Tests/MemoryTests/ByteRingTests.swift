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
        #expect(ring.take(into: &target, atMost: .max) == 8)
        #expect(target[..<8] == [5, 6, 7, 8, 9, 10, 11, 12])
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
}

@Suite("Text that needs no escaping")
struct PlainTextTests {
    /// Every byte at every place of a word, against the definition.
    @Test func `the first byte to be escaped is found, wherever it stands`() {
        for byte in UInt8.min...UInt8.max {
            let escapes = byte < 0x20 || byte > 0x7E || byte == 0x22 || byte == 0x5C
            for place in 0..<19 {
                var text = [UInt8](repeating: UInt8(ascii: "a"), count: 19)
                text[place] = byte
                #expect(text.firstToEscape(0..<19) == (escapes ? place : 19))
                #expect(text.firstToEscape(place..<19) == (escapes ? place : 19))
                #expect(text.firstToEscape(0..<place) == place)
            }
        }
    }

    @Test func `bytes that border on those to be escaped are left alone`() {
        let text = Array(" !#[]^_~ !#[]^_~".utf8)
        #expect(text.firstToEscape(0..<16) == 16)
        #expect([UInt8]().firstToEscape(0..<0) == 0)
    }
}
