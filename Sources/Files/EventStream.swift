internal import Glibc
private import Synchronization

/// A stream for texts from any thread, written one after the other. It waits a short time for a
/// slow reader, or for the disk of a file. If it has waited for that long, it waits no longer:
/// until they continue, texts that do not fit are lost and counted.
final class EventStream: Sendable {
    private let number: CInt
    private let state: Mutex<State>
    private let patienceMilliseconds: Int
    private let lost = LostTexts()

    private struct State: ~Copyable {
        var stream: AppendingFile
        /// The thread that waits for the disk of a file, and the bytes that it was given.
        var courier: FileCourier?
        var givenBytes = 0
        /// Whether the reader, or the disk, has taken nothing for the whole waiting time.
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
        number = stream
        self.patienceMilliseconds = patienceMilliseconds
        state = Mutex(
            State(stream: AppendingFile(borrowing: stream), patience: patienceMilliseconds))
    }

    /// Has a thread write from now on, if the stream is a file, whose disk may not answer.
    /// - Parameter startThread: runs a body on a thread of its own; false if there can be none.
    func beginCarrying(on startThread: (@escaping @Sendable () -> Void) -> Bool) {
        state.withLock { state in
            guard state.courier == nil, state.stream.isSharedFile else { return }
            guard let courier = FileCourier(to: number, counting: lost, on: startThread) else {
                return
            }
            state.stream = courier.stream
            state.courier = courier
        }
    }

    /// The number of texts that were lost or cut.
    var lostCount: Int { lost.count }

    /// Counts a text that was lost earlier.
    func countLost() { lost.add(1) }

    /// Whether there is room now.
    var hasRoom: Bool { state.withLock { $0.stream.waitForRoom(milliseconds: 0) } }

    /// Writes a text that ends with a line end.
    func write(_ text: String) {
        let isTaken = state.withLock { state in
            // The disk may have gone on since the last text.
            if state.isStuck, state.courier?.isDone(with: state.givenBytes) == true {
                state.isStuck = false
            }
            // After a cut line, the next text begins on a new line.
            let bytes = Array((state.isTorn ? "\n" : "").utf8) + Array(text.utf8)
            var start = 0
            while start < bytes.count {
                let count = (try? state.stream.write(bytes.span.extracting(start...))) ?? -1
                start += max(0, count)
                if count < 0 || count == 0 && !waitForRoom(&state) { break }
            }
            if start > 0 { state.isTorn = bytes[start - 1] != UInt8(ascii: "\n") }
            if state.courier != nil {
                state.givenBytes += start
                waitForCourier(&state)
            } else if start == bytes.count {
                state.isStuck = false
            }
            return start == bytes.count
        }
        if !isTaken { countLost() }
    }

    private func waitForRoom(_ state: inout State) -> Bool {
        guard !state.isStuck else { return false }
        let began = beginWait(&state)
        let hasRoom = state.stream.waitForRoom(milliseconds: max(0, state.patience))
        endWait(&state, since: began)
        state.isStuck = !hasRoom
        return hasRoom
    }

    /// Waits until the file has all texts, because the process may end right after the last one.
    private func waitForCourier(_ state: inout State) {
        guard let courier = state.courier, !state.isStuck else { return }
        let began = beginWait(&state)
        let isDone = courier.wait(for: state.givenBytes, milliseconds: max(0, state.patience))
        // The way to the thread and back is no wait for a disk.
        if !isDone || monotonicMilliseconds() - began >= handOverMilliseconds {
            endWait(&state, since: began)
        }
        state.isStuck = !isDone
    }

    /// - Returns: when the wait begins, in milliseconds of the monotonic clock.
    private func beginWait(_ state: inout State) -> Int {
        let began = monotonicMilliseconds()
        if began >= state.renewsAt { state.patience = patienceMilliseconds }
        return began
    }

    private func endWait(_ state: inout State, since began: Int) {
        let now = monotonicMilliseconds()
        state.patience -= now - began
        state.renewsAt = now + renewalMilliseconds
    }
}

func monotonicMilliseconds() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
}

private let renewalMilliseconds = 10_000
/// A disk that takes so long for each text is slow.
private let handOverMilliseconds = 50
