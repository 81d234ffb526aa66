import Glibc
import Synchronization

// What reading costs. A decoder whose time or memory grows faster than its input is as bad as a trap.

/// Reads a text. What stands between its first two record separators (U+001E) is written again and
/// again: `{"tags": [␞"a", ␞"b"]}` has thousands of tags. So few bytes say what there is much of, and
/// the search can move the marks. Four times as many bytes may cost four times as much, and twice
/// that, because buffers grow by doubling; a square costs sixteen times as much.
func measured(_ read: @Sendable (_ text: [UInt8]) -> Void, _ text: [UInt8]) {
    let mark: UInt8 = 0x1E
    Cost.all.withLock { $0 = [] }
    guard let first = text.firstIndex(of: mark),
        let second = text[(first + 1)...].firstIndex(of: mark), second > first + 1
    else { return read(text) }
    let (unit, rest) = (text[(first + 1)..<second], text[(second + 1)...])
    func repeated(_ bytes: Int) -> [UInt8] {
        let count = max(1, (bytes - first - rest.count) / unit.count)
        return Array(text[..<first]) + Array(repeating: unit, count: count).joined() + rest
    }
    func costs(_ text: [UInt8]) -> [Cost] {
        Cost.all.withLock { $0 = [] }
        read(text)
        return Cost.all.withLock { $0 }
    }
    let few = costs(repeated(repeatedBytesMax / 4))
    let many = repeated(repeatedBytesMax)
    // A machine that others use can make it seem longer.
    for attempt in 1...4 {
        let fault = zip(few, costs(many)).lazy.compactMap { $1.growth(from: $0) }.first
        guard let fault else { return }
        require(attempt < 4, "\(many.count) bytes, and a quarter of them: \(fault)")
    }
}

private let repeatedBytesMax = 32_768

/// Has something read, and notes what it costs. `FUZZ_COSTS=1` shows that.
func measure<Value>(_ read: () -> Value) -> Value {
    let (value, cost) = Cost.measure(read)
    Cost.all.withLock { $0.append(cost) }
    if getenv("FUZZ_COSTS") != nil {
        print(cost)
        fflush(nil)
    }
    return value
}

private struct Cost {
    /// Of this thread, so that other programs do not count.
    let nanoseconds: Int
    /// In all.
    let bytesAllocated: Int
    /// At once, more than before.
    let bytesHeld: Int

    /// Of what is read now.
    static let all = Mutex([Cost]())

    /// What has grown too much from a quarter of the bytes; nil if nothing has.
    func growth(from few: Cost) -> String? {
        func grown(_ before: Int, _ now: Int, _ noise: Int, _ unit: String) -> String? {
            now <= 8 * before + noise ? nil : "\(now) \(unit), and \(before)"
        }
        return grown(few.nanoseconds, nanoseconds, 100_000_000, "ns of the processor")
            ?? grown(few.bytesAllocated, bytesAllocated, 4_194_304, "bytes allocated")
            ?? grown(few.bytesHeld, bytesHeld, 1_048_576, "bytes held at once")
    }

    static func measure<Value>(_ body: () -> Value) -> (Value, cost: Cost) {
        let (allocatedBefore, heldBefore) = (
            allocated.load(ordering: .relaxed), held.load(ordering: .relaxed)
        )
        mostHeld.store(heldBefore, ordering: .relaxed)
        let start = threadNanoseconds()
        let value = body()
        let cost = Cost(
            nanoseconds: threadNanoseconds() - start,
            bytesAllocated: allocated.load(ordering: .relaxed) - allocatedBefore,
            bytesHeld: mostHeld.load(ordering: .relaxed) - heldBefore)
        return (value, cost)
    }

    private static func threadNanoseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}

// MARK: - Memory

private let allocated = Atomic<Int>(0)
private let held = Atomic<Int>(0)
private let mostHeld = Atomic<Int>(0)

/// What the address sanitizer calls for each allocation. Without the sanitizer nobody does.
@_cdecl("__sanitizer_malloc_hook")
public func noteAllocation(_ start: UnsafeRawPointer?, _ count: Int) {
    allocated.wrappingAdd(count, ordering: .relaxed)
    let now = held.wrappingAdd(count, ordering: .relaxed).newValue
    mostHeld.max(now, ordering: .relaxed)
}

/// What it calls for each that ends.
@_cdecl("__sanitizer_free_hook")
public func noteRelease(_ start: UnsafeMutableRawPointer?) {
    held.wrappingSubtract(usableSize(of: start), ordering: .relaxed)
}

/// malloc_usable_size(3), which the C library's module does not have.
@_silgen_name("malloc_usable_size")
private func usableSize(of start: UnsafeMutableRawPointer?) -> Int
