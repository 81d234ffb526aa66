internal import Glibc
private import Synchronization

/// A thread that writes texts to a file for threads that must not wait for its disk: a write to a file has no limit of
/// time, and a file cannot be asked for room as a pipe can.
///
/// The texts go through a pair of sockets, which bounds them. The thread answers each piece with a byte, for which a
/// sender can wait. It ends with the courier.
final class FileCourier: Sendable {
    private let sending: OwnedDescriptor
    private let work: Work

    /// - Parameters:
    ///   - file: is open until the process ends, and nobody else in this process writes to it.
    ///   - lost: counts the texts that the file does not take.
    ///   - startThread: runs a body on a thread of its own; false if there can be none.
    /// - Returns: nil if there are no descriptors or no threads left.
    init?(
        to file: CInt, counting lost: LostTexts,
        on startThread: (@escaping @Sendable () -> Void) -> Bool
    ) {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        sending = OwnedDescriptor(ends[0])
        work = Work(file, OwnedDescriptor(ends[1]), lost)
        guard startThread({ [work] in work.run() }) else { return nil }
    }

    /// The stream that senders write to. The courier must live longer.
    var stream: AppendingFile { AppendingFile(borrowing: sending.number) }

    /// Whether the thread has written so many bytes, or has given them up; counted from the first.
    func isDone(with count: Int) -> Bool { work.done.load(ordering: .acquiring) >= count }

    /// Waits until the thread is done with so many bytes, but no longer than this.
    /// - Returns: whether it is.
    func wait(for count: Int, milliseconds: Int) -> Bool {
        let end = monotonicMilliseconds() + milliseconds
        while !isDone(with: count) {
            let left = end - monotonicMilliseconds()
            guard left > 0 else { return false }
            var answers = pollfd(fd: sending.number, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&answers, 1, CInt(clamping: left))
            var bytes = [UInt8](repeating: 0, count: answersMax)
            _ = unsafe recv(sending.number, &bytes, bytes.count, CInt(MSG_DONTWAIT))
        }
        return true
    }

    /// The thread's share.
    private final class Work: Sendable {
        private let number: CInt
        private let receiving: OwnedDescriptor
        private let lost: LostTexts
        let done = Atomic(0)

        init(_ file: CInt, _ receiving: consuming OwnedDescriptor, _ lost: LostTexts) {
            number = file
            self.receiving = receiving
            self.lost = lost
        }

        func run() {
            let file = AppendingFile(borrowing: number)
            var piece = [UInt8](repeating: 0, count: pieceBytes)
            var isTorn = false
            while true {
                let count = unsafe read(receiving.number, &piece, piece.count)
                guard count > 0 else {
                    if count < 0, errno == EINTR { continue }
                    return
                }
                write(piece[..<count], to: file, &isTorn)
                done.wrappingAdd(count, ordering: .releasing)
                // Without room for the answer, there are others that wake the sender.
                var answer: UInt8 = 1
                let flags = CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)
                _ = unsafe send(receiving.number, &answer, 1, flags)
            }
        }

        /// - Parameter isTorn: whether the file ends in the middle of a text.
        private func write(
            _ texts: ArraySlice<UInt8>, to file: borrowing AppendingFile, _ isTorn: inout Bool
        ) {
            let lineEnd = UInt8(ascii: "\n")
            // After a cut line, the next text begins on a new line.
            let bytes: [UInt8] = (isTorn ? [lineEnd] : []) + Array(texts)
            var start = 0
            while start < bytes.count {
                guard let count = try? file.write(bytes.span.extracting(start...)), count > 0 else {
                    // The line end before the texts is of none of them.
                    let left = bytes[max(start, bytes.count - texts.count)...]
                    lost.add(max(1, left.count { $0 == lineEnd }))
                    break
                }
                start += count
            }
            // What was cut in the middle of a piece goes on in the next one, unless a part is missing.
            if start > 0 { isTorn = start < bytes.count && bytes[start - 1] != lineEnd }
        }
    }
}

/// The number of texts that were lost or cut.
final class LostTexts: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    func add(_ more: Int) { number.wrappingAdd(more, ordering: .relaxed) }
}

private let pieceBytes = 65536
private let answersMax = 512
