internal import Glibc
private import Synchronization

/// A stream for texts from any thread, written one after the other. It waits a short time for a
/// slow reader. If the reader takes nothing for that long, it no longer waits: until the reader
/// continues, texts that do not fit are lost and counted.
final class EventStream: Sendable {
    private let state: Mutex<State>
    private let patienceMilliseconds: Int
    private let lost = Atomic(0)

    private struct State: ~Copyable {
        let stream: AppendingFile
        /// Whether the reader has taken nothing for the whole waiting time.
        var isStuck = false
        /// Whether the stream ends in the middle of a text.
        var isTorn = false
        /// The remaining waiting time, and when it is renewed. A slow reader must not cause a wait
        /// for each text.
        var patience: Int
        var renewsAt = 0
    }

    /// - Parameter patienceMilliseconds: the waiting time in all. It is renewed after ten seconds
    ///   without a wait.
    init(_ stream: CInt, patienceMilliseconds: Int) {
        self.patienceMilliseconds = patienceMilliseconds
        state = Mutex(
            State(stream: AppendingFile(borrowing: stream), patience: patienceMilliseconds))
    }

    /// The number of texts that were lost or cut.
    var lostCount: Int { lost.load(ordering: .relaxed) }

    /// Counts a text that was lost earlier.
    func countLost() { lost.wrappingAdd(1, ordering: .relaxed) }

    /// Whether there is room now.
    var hasRoom: Bool { state.withLock { $0.stream.waitForRoom(milliseconds: 0) } }

    /// Writes a text that ends with a line end.
    func write(_ text: String) {
        let isTaken = state.withLock { state in
            // After a cut line, the next text begins on a new line.
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
