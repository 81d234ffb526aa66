import Files
import Foundation
import Origin
import Services
import SiteConfiguration
import Snapshots
import Synchronization
import TestSupport
import Testing

/// An access log in a test origin's directory, and what it reported.
final class TestLog: Sendable {
    let form: AccessLogSettings.Form
    private let events = Mutex([AccessLogOutput.Event]())
    private let made = Mutex<AccessLogOutput?>(nil)

    init(_ form: AccessLogSettings.Form) { self.form = form }

    var reported: [AccessLogOutput.Event] { events.withLock { $0 } }

    var output: AccessLogOutput? { made.withLock { $0 } }

    func begin(
        in directory: TemporaryDirectory, _ limits: OriginLimits, _ loops: Int
    ) throws -> AccessLogOutput {
        let output = try AccessLogOutput(
            to: .file(directory.path + "/access.log"), defaultForm: form, loops: loops,
            limits: limits, report: { [self] event in events.withLock { $0.append(event) } })
        made.withLock { $0 = output }
        return output
    }

    /// Stops the origin, then the log: everything that happened is in the file.
    func finish(_ origin: TestOrigin) throws {
        origin.server.stop()
        output?.beginStop(atOnce: false)
        try TestSupport.wait { output?.hasStopped ?? true }
    }

    func lines(_ origin: TestOrigin) throws -> [Substring] {
        try lines(in: origin.directory.path + "/access.log")
    }

    func objects(_ origin: TestOrigin) throws -> [[String: Any]] {
        try lines(origin).map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return try #require(object as? [String: Any])
        }
    }

    func waitForLines(_ count: Int, in path: String) throws {
        try TestSupport.wait { (try? lines(in: path).count) == count }
    }

    func wait(until condition: ([AccessLogOutput.Event]) -> Bool) throws {
        try TestSupport.wait { condition(reported) }
    }

    private func lines(in path: String) throws -> [Substring] {
        let bytes = try readFile(path, bytesMax: 1 << 24).bytes
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }
}

extension AccessLogOutput.Event {
    var isCannotWrite: Bool { if case .cannotWrite = self { true } else { false } }
    var isCaughtUp: Bool { if case .caughtUp = self { true } else { false } }
}
