import Glibc
import Testing

@testable import Files

/// What stands behind standard error, and does not read.
enum Reader: CaseIterable {
    case pipe, socket, terminal

    /// The end that reads, and the one that is written to.
    func open() throws -> (reading: CInt, writing: CInt) {
        var ends: [CInt] = [0, 0]
        switch self {
        case .pipe: #expect(unsafe Glibc.pipe(&ends) == 0)
        case .socket:
            #expect(unsafe socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        case .terminal:
            ends[0] = unsafe Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY)
            var (unlocked, number): (CInt, CInt) = (0, 0)
            try #require(unsafe ioctl(ends[0], 0x4004_5431, &unlocked) == 0)  // TIOCSPTLCK
            try #require(unsafe ioctl(ends[0], 0x8004_5430, &number) == 0)  // TIOCGPTN
            ends[1] = unsafe Glibc.open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
            try #require(ends[1] >= 0)
        }
        return (ends[0], ends[1])
    }
}

@Suite("A reader of standard error that stands still")
struct EventStreamTests {
    private let line = String(repeating: "a", count: 500) + "\n"

    /// Writes until something is lost.
    private func fill(_ stream: EventStream) {
        for _ in 0..<100_000 where stream.lostCount == 0 { stream.write(line) }
        #expect(stream.lostCount == 1)
    }

    /// What has been written, as far as it can be read at once.
    private func read(_ descriptor: CInt) -> String {
        var all = [UInt8]()
        var piece = [UInt8](repeating: 0, count: 65536)
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&wanted, 1, 100) > 0 {
            let count = unsafe Glibc.read(descriptor, &piece, piece.count)
            guard count > 0 else { break }
            all += piece[..<count]
        }
        return String(decoding: all, as: UTF8.self)
    }

    /// With a wait for each of them this would take three hours.
    @Test("it is waited for once, and what it does not take is counted", arguments: Reader.allCases)
    func standing(_ reader: Reader) throws {
        let ends = try reader.open()
        defer {
            close(ends.writing)
            close(ends.reading)
        }
        // The kernel may move what a terminal has taken a moment later, and then take some more.
        let stream = EventStream(ends.writing, patienceMilliseconds: 200)
        fill(stream)
        let patient = EventStream(ends.writing, patienceMilliseconds: 1000)
        for _ in 0..<10_000 { patient.write(line) }
        #expect(patient.lostCount == 10_000)
    }

    @Test("once it reads again it gets whole lines", arguments: Reader.allCases)
    func reading(_ reader: Reader) throws {
        let ends = try reader.open()
        defer {
            close(ends.writing)
            close(ends.reading)
        }
        let stream = EventStream(ends.writing, patienceMilliseconds: 1)
        fill(stream)
        _ = read(ends.reading)
        #expect(stream.hasRoom)
        stream.write("one\n")
        stream.write("two\n")
        let lines = read(ends.reading).split(whereSeparator: \.isNewline)
        #expect(lines.suffix(2) == ["one", "two"])
        #expect(stream.lostCount == 1)
        // Those who share the stream find it as it was.
        #expect(fcntl(ends.writing, F_GETFL) & O_NONBLOCK == 0)
    }

    @Test func `one that is gone loses what it is told, and nobody waits`() throws {
        signal(SIGPIPE, SIG_IGN)
        let ends = try Reader.pipe.open()
        defer { close(ends.writing) }
        let stream = EventStream(ends.writing, patienceMilliseconds: 1000)
        close(ends.reading)
        for _ in 0..<10_000 { stream.write("lost\n") }
        #expect(stream.lostCount == 10_000)
    }
}
