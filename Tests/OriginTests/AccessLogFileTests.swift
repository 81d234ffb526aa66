import Diagnostics
import Files
import Foundation
import Glibc
import Origin
import Services
import SiteConfiguration
import Snapshots
import Synchronization
import TestSupport
import Testing

@Suite("The access log's file")
struct AccessLogFileTests {
    @Test func `opened anew, lines go to the file that bears the name then`() throws {
        let log = TestLog(.json)
        let origin = try TestOrigin(log: log)
        try ask(origin, "/first")
        let path = origin.directory.path + "/access.log"
        try log.waitForLines(1, in: path)
        try moveFile(path, to: path + ".1")
        try ask(origin, "/second")
        try log.waitForLines(2, in: path + ".1")
        log.output?.reopen()
        try log.waitForLines(0, in: path)
        try ask(origin, "/third")
        try log.finish(origin)
        #expect(try log.objects(origin).map { $0["path"] as? String } == ["/third"])
        #expect(log.reported.isEmpty)
    }

    /// A full disk, by the device that is one: nothing but the log suffers, and what is written
    /// once there is room is whole.
    @Test func `a full disk is said once, and nothing that was kept is lost`() throws {
        let log = TestLog(.json)
        var limits = OriginLimits.patient
        limits.logQueueBytesMax = 1 << 17
        let origin = try TestOrigin(
            { _, directory in _ = symlink("/dev/full", directory.path + "/access.log") },
            limits: limits, log: log)
        let count = 1000
        try ask(origin, "/x", count: count)
        try log.wait { $0.first?.isCannotWrite == true }
        let path = origin.directory.path + "/access.log"
        removeFile(path)
        log.output?.reopen()
        try log.wait { $0.last?.isCaughtUp == true }
        try ask(origin, "/last")
        try log.finish(origin)
        let objects = try log.objects(origin)
        let dropped = try #require(log.output).droppedCount
        #expect(dropped > 0)
        #expect(objects.count + dropped == count + 1)
        #expect(objects.last?["path"] as? String == "/last")
        #expect(log.reported.count == 2)
    }

    @Test func `a stop says of all lines that are in no file how many they are`() throws {
        let log = TestLog(.json)
        var limits = OriginLimits.patient
        limits.logQueueBytesMax = 1 << 17
        let origin = try TestOrigin(
            { _, directory in _ = symlink("/dev/full", directory.path + "/access.log") },
            limits: limits, log: log)
        try ask(origin, "/x", count: 1_000)
        try log.wait { $0.first?.isCannotWrite == true }
        try log.finish(origin)
        guard case .abandoned(_, let dropped) = log.reported.last else {
            Issue.record("\(log.reported)")
            return
        }
        #expect(dropped == 1_000)
    }

    @Test func `a stop that has no more time for the file says what is lost, as an error`() throws {
        let log = TestLog(.json)
        let origin = try TestOrigin(
            { _, directory in _ = symlink("/dev/full", directory.path + "/access.log") }, log: log)
        try ask(origin, "/x")
        try log.wait { $0.first?.isCannotWrite == true }
        let output = try #require(log.output)
        let loss = try #require(output.stopLoss)
        #expect(loss.severity == .error && loss.rule == .abandoned)
        #expect(loss.message.hasSuffix(" of the access log could not be written"))
        removeFile(origin.directory.path + "/access.log")
        output.reopen()
        try log.finish(origin)
        #expect(output.stopLoss == nil)
    }

    /// A pipe of one page takes a part of a line when it is full, and nobody takes the rest.
    @Test func `a line that is torn by a change of files is counted, and no other is torn`()
        throws
    {
        let log = TestLog(.json)
        let pipe = Pipe()
        let origin = try TestOrigin({ _, directory in pipe.open(in: directory) }, log: log)
        let path = origin.directory.path + "/access.log"
        let count = 100
        try ask(origin, "/x", count: count)
        pipe.waitUntilFull()
        removeFile(path)
        log.output?.reopen()
        try log.wait { $0.last?.isCaughtUp == true }
        try log.finish(origin)
        let piped = pipe.take()
        let whole = piped.count { $0 == UInt8(ascii: "\n") }
        #expect(whole > 0 && piped.last != UInt8(ascii: "\n"))
        let dropped = try #require(log.output).droppedCount
        #expect(dropped == 1)
        #expect(try log.objects(origin).count + whole + dropped == count)
    }

    @Test func `a full pipe that is opened anew goes on within the line`() throws {
        let log = TestLog(.json)
        let pipe = Pipe()
        let origin = try TestOrigin({ _, directory in pipe.open(in: directory) }, log: log)
        let count = 100
        try ask(origin, "/x", count: count)
        pipe.waitUntilFull()
        log.output?.reopen()
        var piped = [UInt8]()
        try wait {
            piped += pipe.take()
            return piped.count { $0 == UInt8(ascii: "\n") } >= count
        }
        let lines = piped.split(separator: UInt8(ascii: "\n"))
        let objects = lines.compactMap { try? JSONSerialization.jsonObject(with: Data($0)) }
        #expect(objects.count == count && lines.count == count)
        try log.finish(origin)
        // Its reader was slow, and no line was lost by it: there is nothing to tell.
        #expect(log.reported.isEmpty)
        #expect(try #require(log.output).droppedCount == 0)
    }

    @Test func `a file that cannot be made is refused before anything begins`() throws {
        let directory = try TemporaryDirectory()
        let missing = AccessLogOutput.Destination.file(directory.path + "/none/access.log")
        #expect(throws: FileError.missing) { try missing.check() }
        try AccessLogOutput.Destination.file(directory.path + "/access.log").check()
    }

    private func ask(_ origin: TestOrigin, _ path: String, count: Int = 1) throws {
        let client = try TestClient(port: origin.httpPort)
        // At once, so that their lines are written together: a pipe of one page takes a part of
        // them then, and not whole lines only.
        let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
        client.send(String(repeating: request, count: count))
        for _ in 0..<count { _ = try client.readResponse() }
    }
}

/// A pipe of one page in place of the log's file.
private final class Pipe: Sendable {
    private let reader = Mutex<CInt>(-1)
    private let bytesMax = 4096

    deinit { reader.withLock { _ = close($0) } }

    func open(in directory: TemporaryDirectory) {
        let path = directory.path + "/access.log"
        mkfifo(path, 0o600)
        reader.withLock {
            $0 = Glibc.open(path, O_RDONLY | O_NONBLOCK)
            #expect(fcntl($0, setPipeSize, CInt(bytesMax)) == bytesMax)
        }
    }

    func waitUntilFull() {
        var waiting: CInt = 0
        _ = waits {
            reader.withLock { _ = ioctl($0, UInt(FIONREAD), &waiting) }
            return waiting == bytesMax
        }
        #expect(waiting == bytesMax)
    }

    func take() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 2 * bytesMax)
        let count = reader.withLock { read($0, &bytes, bytes.count) }
        return Array(bytes.prefix(max(0, count)))
    }
}

/// F_SETPIPE_SZ of fcntl(2), which the C library declares only for _GNU_SOURCE.
private let setPipeSize: CInt = 1031
