import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Files

/// A file that stands for standard error.
private final class ErrorFile {
    let path: String
    let number: CInt

    /// - Parameter flags: of open(2), besides those that make it.
    init(_ flags: CInt = O_WRONLY | O_APPEND) throws {
        path = NSTemporaryDirectory() + "/waymark-errors-\(UUID().uuidString)"
        number = unsafe open(path, flags | O_CREAT | O_CLOEXEC, 0o600)
        try #require(number >= 0)
    }

    deinit {
        close(number)
        unlink(path)
    }

    var lines: [Substring] {
        ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
    }
}

/// A disk that answers when it is told to: the thread that writes begins then.
private final class LateDisk: Sendable {
    private let body = Mutex<(@Sendable () -> Void)?>(nil)

    func hold(_ body: @escaping @Sendable () -> Void) -> Bool {
        self.body.withLock { $0 = body }
        return true
    }

    func answer() {
        guard let body = body.withLock({ $0 }) else { return }
        Thread.detachNewThread(body)
    }
}

private func onThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    Thread.detachNewThread(body)
    return true
}

@Suite("A disk of standard error that does not answer")
struct FileCourierTests {
    private let line = String(repeating: "a", count: 500) + "\n"

    /// With a wait for each of them this would take three hours.
    @Test func `it is waited for once, and what finds no room is counted`() throws {
        let file = try ErrorFile()
        let (stream, disk) = (EventStream(file.number, patienceMilliseconds: 1000), LateDisk())
        stream.beginCarrying(on: disk.hold)
        let began = ContinuousClock.now
        for _ in 0..<10_000 { stream.write(line) }
        #expect(ContinuousClock.now - began >= .milliseconds(900))
        let lost = stream.lostCount
        #expect((1..<10_000).contains(lost))
        #expect(!stream.hasRoom)

        disk.answer()
        try wait { stream.hasRoom && file.lines.count >= 10_000 - lost }
        stream.write("one\n")
        stream.write("two\n")
        // It has been waited for long enough.
        try wait { file.lines.suffix(2) == ["one", "two"] }
        #expect(stream.lostCount == lost)
        // Of the text that found no room, a part may be there.
        #expect(file.lines.dropLast(2).count { $0.count == 500 } == 10_000 - lost)
    }

    @Test func `a text is in the file when its writer goes on`() throws {
        let file = try ErrorFile()
        let stream = EventStream(file.number, patienceMilliseconds: 60_000)
        stream.beginCarrying(on: onThread)
        for number in 1...100 {
            stream.write("\(number)\n")
            #expect(file.lines.count == number)
        }
        #expect(file.lines == (1...100).map { "\($0)" })
        #expect(stream.lostCount == 0)
    }

    @Test func `a file that takes nothing loses each text, and nobody waits`() throws {
        let file = try ErrorFile(O_RDONLY)
        let stream = EventStream(file.number, patienceMilliseconds: 60_000)
        stream.beginCarrying(on: onThread)
        for _ in 0..<100 { stream.write("lost\n") }
        #expect(stream.lostCount == 100)
    }

    @Test func `a text that is lost after a cut one is counted once`() throws {
        var ends: [CInt] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        try #require(fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0)
        let lost = LostTexts()
        let courier = try #require(FileCourier(to: ends[1], counting: lost, on: onThread))
        let text = Array((String(repeating: "a", count: 10_000) + "\n").utf8)
        var given = 0
        for _ in 0..<12 where lost.count < 4 {
            given += try courier.stream.write(text.span)
            #expect(courier.wait(for: given, milliseconds: 1_000 * safetyNetSeconds))
        }
        // The pipe has room for some, and for a part of one.
        #expect(lost.count == 4)
    }

    @Test func `without a thread, or for a pipe, the stream is written to as before`() throws {
        let file = try ErrorFile()
        let stream = EventStream(file.number, patienceMilliseconds: 1000)
        stream.beginCarrying { _ in false }
        stream.write("one\n")
        #expect(file.lines == ["one"])

        var ends: [CInt] = [0, 0]
        #expect(unsafe pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let piped = EventStream(ends[1], patienceMilliseconds: 1000)
        var isAsked = false
        piped.beginCarrying { _ in
            isAsked = true
            return false
        }
        #expect(!isAsked)
    }
}
