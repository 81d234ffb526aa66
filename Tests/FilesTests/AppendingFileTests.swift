import Glibc
import Testing

@testable import Files

@Suite("A stream that the log shares with others")
struct SharedStreamTests {
    @Test func `a pipe that nobody reads takes what it has room for, and nobody waits`() throws {
        var ends: [CInt] = [0, 0]
        #expect(unsafe pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let stream = AppendingFile(borrowing: ends[1])
        let bytes = [UInt8](repeating: 0x61, count: 100_000)
        var taken = 0
        while taken < 10_000_000 {
            let count = try stream.write(bytes.span)
            if count == 0 { break }
            taken += count
        }
        #expect((4096..<10_000_000).contains(taken))

        var read = [UInt8](repeating: 0, count: 8192)
        #expect(unsafe Glibc.read(ends[0], &read, read.count) == 8192)
        #expect(try stream.write(bytes.span) > 0)
        // The stream was not changed for those who share it.
        #expect(fcntl(ends[1], F_GETFL) & O_NONBLOCK == 0)
    }
}
