internal import Glibc
private import Synchronization

/// A stream for texts that is written from any thread, one text after the other. Its reader is
/// waited for a little, because it may be slow, and not at all once it has stood still for so long:
/// until it takes something again, what it does not take at once is lost, and counted.
final class EventStream: Sendable {
    private let state: Mutex<State>
    private let patienceMilliseconds: Int
    private let lost = Atomic(0)

    private struct State: ~Copyable {
        let stream: AppendingFile
        /// Whether the reader has taken nothing for as long as it was waited for.
        var isStuck = false
        /// Whether the stream ends in the middle of a text.
        var isTorn = false
        /// How long the reader is still waited for, and when that is as long as ever again: a
        /// reader that is merely slow must not be waited for with each text.
        var patience: Int
        var renewsAt = 0
    }

    /// - Parameter patienceMilliseconds: how long the reader is waited for, in all. After ten
    ///   seconds without a wait it is as long again.
    init(_ stream: CInt, patienceMilliseconds: Int) {
        self.patienceMilliseconds = patienceMilliseconds
        state = Mutex(
            State(stream: AppendingFile(borrowing: stream), patience: patienceMilliseconds))
    }

    /// Texts that were lost, or not taken whole.
    var lostCount: Int { lost.load(ordering: .relaxed) }

    /// Counts a text that was lost before it came here.
    func countLost() { lost.wrappingAdd(1, ordering: .relaxed) }

    /// Whether the reader would take something now.
    var hasRoom: Bool { state.withLock { $0.stream.waitForRoom(milliseconds: 0) } }

    /// Writes a text that ends a line.
    func write(_ text: String) {
        let isTaken = state.withLock { state in
            // What follows a piece of a line stands on a line of its own.
            let bytes = Array((state.isTorn ? "\n" : "").utf8) + Array(text.utf8)
            var start = 0
            while start < bytes.count {
                let count = (try? state.stream.write(bytes.span.extracting(start...))) ?? -1
                start += max(0, count)
                if count < 0 || count == 0 && !waitForRoom(&state) { break }
            }
            if start > 0 { state.isTorn = bytes[start - 1] != UInt8(ascii: "\n") }
            if start == bytes.count { state.isStuck = false }
            return start == bytes.count
        }
        if !isTaken { countLost() }
    }

    private func waitForRoom(_ state: inout State) -> Bool {
        guard !state.isStuck else { return false }
        let began = monotonicMilliseconds()
        if began >= state.renewsAt { state.patience = patienceMilliseconds }
        let hasRoom = state.stream.waitForRoom(milliseconds: max(0, state.patience))
        let now = monotonicMilliseconds()
        state.patience -= now - began
        state.renewsAt = now + renewalMilliseconds
        state.isStuck = !hasRoom
        return hasRoom
    }
}

private func monotonicMilliseconds() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
}

private let renewalMilliseconds = 10_000
