import Memory
import Testing

@Suite("Slabs and buffers")
struct SlabTests {
    /// Counts how many of its kind are alive.
    final class Counter {
        var alive = 0
    }

    struct Element: ~Copyable {
        let number: Int
        let counter: Counter

        init(_ number: Int, _ counter: Counter) {
            (self.number, self.counter) = (number, counter)
            counter.alive += 1
        }

        deinit { counter.alive -= 1 }
    }

    @Test func `a position is given back and every element is destroyed once`() {
        let counter = Counter()
        do {
            var slab = Slab<Element>(capacity: 3)
            let first = slab.insert(Element(1, counter))
            let second = slab.insert(Element(2, counter))
            let isFull = slab.isFull
            #expect(!isFull && first != second)
            let removed = slab.remove(at: first).number
            #expect(removed == 1 && counter.alive == 1)
            let third = slab.insert(Element(3, counter))
            _ = slab.insert(Element(4, counter))
            let (full, count) = (slab.isFull, slab.count)
            #expect(third == first && full && count == 3)
            let kept = slab[second].number
            #expect(kept == 2)
            let (outside, inside) = (slab.contains(3), slab.contains(2))
            #expect(!outside && inside && counter.alive == 3)
        }
        #expect(counter.alive == 0)
    }

    @Test func `a buffer fills in order and stops at its capacity`() {
        var buffer = ByteBuffer(capacity: 16)
        buffer.append("ab")
        buffer.append(decimal: 0)
        buffer.append(decimal: 1_234_567)
        buffer.append(Array("xyz".utf8), 1..<3)
        buffer.replace(at: 0, with: Array("AB".utf8), 0..<2)
        let text = String(decoding: buffer.storage[..<buffer.count], as: UTF8.self)
        let room = buffer.room
        #expect(text == "AB01234567yz" && room == 4)
        let free = buffer.free
        buffer.storage[free.lowerBound] = 0x21
        buffer.grow(by: 1)
        let (last, count) = (buffer.storage[12], buffer.count)
        #expect(free == 12..<16 && count == 13 && last == 0x21)
    }

    @Test func `writing past the end stops the program`() async {
        await #expect(processExitsWith: .failure) {
            var buffer = ByteBuffer(capacity: 2)
            buffer.append("abc")
        }
        await #expect(processExitsWith: .failure) {
            let slab = Slab<Int>(capacity: 1)
            _ = slab[0]
        }
    }
}
