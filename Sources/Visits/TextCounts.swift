private import Memory

/// Counts of short texts, each with a number. It has a fixed size, and counting allocates
/// nothing.
struct TextCounts: ~Copyable, Sendable {
    private var slots: [Slot]
    private var texts: [UInt8]
    private let bytesMax: Int
    private(set) var count = 0

    private struct Slot: Sendable {
        var number: UInt64 = 0
        var count: UInt32 = 0
        var bytes = 0
    }

    /// - Parameters:
    ///   - capacity: how many texts there can be; a power of two.
    ///   - bytesMax: of a text.
    init(capacity: Int, bytesMax: Int) {
        slots = [Slot](repeating: Slot(), count: capacity)
        texts = [UInt8](repeating: 0, count: capacity * bytesMax)
        self.bytesMax = bytesMax
    }

    var isNearlyFull: Bool { 4 * count >= 3 * slots.count }

    /// Counts a text, or its beginning if it is longer than `bytesMax`.
    /// - Returns: false if there is no room for another one.
    mutating func add(_ number: UInt64, _ text: Span<UInt8>) -> Bool {
        let text = text.extracting(first: bytesMax)
        let hash = keyedHash(UInt32(truncatingIfNeeded: number ^ number >> 32), text)
        var index = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[index].count > 0 {
            if slots[index].number == number, slots[index].bytes == text.count,
                isEqual(text, at: index * bytesMax)
            {
                slots[index].count &+= 1
                return true
            }
            index = (index + 1) & (slots.count - 1)
        }
        // A free one is left, so that each search ends.
        guard count < slots.count - 1 else { return false }
        slots[index] = Slot(number: number, count: 1, bytes: text.count)
        for offset in 0..<text.count { texts[index * bytesMax + offset] = text[offset] }
        count += 1
        return true
    }

    /// Calls `body` with each number, text and count, and forgets them.
    mutating func takeAll(_ body: (UInt64, String, Int) -> Void) {
        guard count > 0 else { return }
        for index in slots.indices where slots[index].count > 0 {
            let start = index * bytesMax
            body(
                slots[index].number,
                String(decoding: texts[start..<start + slots[index].bytes], as: UTF8.self),
                Int(slots[index].count))
            slots[index] = Slot()
        }
        count = 0
    }

    private func isEqual(_ text: Span<UInt8>, at start: Int) -> Bool {
        for offset in 0..<text.count where texts[start + offset] != text[offset] { return false }
        return true
    }
}
