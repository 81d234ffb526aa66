import ArgumentParser
import Diagnostics
import EventLog
import Foundation
import Glibc
import Logging
import Origin
import Services
import SiteConfiguration
import Snapshots
import Sockets
import Synchronization
import TLS
import TestSupport
import Testing

@testable import Commands
@testable import Files

@Suite("A reload for which there is no memory")
struct ReloadMemoryTests {
    private let site: CertificateSite
    private let memory = WorkMemory()

    /// In a container whose limit leaves room for less than another mebibyte of configuration.
    init() throws {
        site = try CertificateSite()
        for (path, text) in [
            ("sys/fs/cgroup/memory.current", "0"), ("sys/fs/cgroup/memory.max", "\(38 << 20)"),
            ("sys/fs/cgroup/memory.stat", "inactive_file 0\nactive_file 0"),
            ("proc/self/cgroup", "0::/"),
            ("proc/self/mountinfo", "1 2 0:3 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw"),
        ] {
            let file = site.directory.appending(path: "root/\(path)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("\(text)\n".utf8).write(to: file)
        }
        memory.use(MemoryLimits(root: site.path("root")))
    }

    private func source(_ name: String) throws -> SnapshotSource {
        let options = try ConfigurationOptions.parse([
            "--config", site.path(name), "--env", "test",
        ])
        let ticketKeys = Background(name: "test-keys") {
            Result { () throws(OpenSSLError) in try TicketKeys() }
        }
        return SnapshotSource(
            configuration: options, needsTLS: true, ticketKeys: ticketKeys, setLimits: { _ in },
            memory: memory)
    }

    @Test(arguments: ["waymark.yaml", "waymark.yml"])
    func `certificates are taken all the same, and nothing else is changed`(_ name: String) throws {
        let text = try String(contentsOf: site.configuration, encoding: .utf8)
        try site.write(name, Array(text.utf8))
        try site.write("Public/a.txt", Array("a".utf8))
        let source = try source(name)
        let first = source.attempt()
        let served = try #require(first.snapshot, "\(first.diagnostics)")
        var record = InputRecord(first, nil)
        let more = "# " + String(repeating: "x", count: 1 << 20)
        try site.write(name, Array("\(text)\n\(more)\n".utf8))
        try site.certify(CertificateSite.first)
        let refused = source.attemptReload(after: served, .changed, record)
        #expect(refused.snapshot == nil && refused.diagnostics.first?.rule == .outOfMemory)
        let renewed = try #require(refused.renewed)
        #expect(renewed.certificateChanges(since: served).replaced == [CertificateSite.first])
        record.follow(refused)
        #expect(!record.isOutdated)
        let isChanged = record.look() || record.look()
        #expect(!isChanged)
    }

    @Test func `certificates are taken also where the process itself has no memory`() throws {
        let source = try source("waymark.yaml")
        let first = source.attempt()
        let served = try #require(first.snapshot, "\(first.diagnostics)")
        try site.certify(CertificateSite.first)
        let record = InputRecord(first, nil)
        let refused = source.attemptReload(after: served, .ordered, record, lack: "none is left")
        #expect(refused.snapshot == nil && refused.diagnostics.map(\.rule) == [.outOfMemory])
        let renewed = try #require(refused.renewed)
        #expect(renewed.certificateChanges(since: served).replaced == [CertificateSite.first])
    }

    /// Leaves so many bytes of the container's that may be taken.
    private func leave(_ bytes: Int) throws {
        let used = 30 << 20 - bytes
        try Data("\(used)\n".utf8).write(
            to: site.directory.appending(path: "root/sys/fs/cgroup/memory.current"))
    }

    /// 600 of them take 1.2 MiB in a reload, and 0.3 MiB to be compared; 4 MiB are left for requests.
    @Test func `public files for which there is no room are not read, and what is served stays`()
        throws
    {
        try site.write("Public/a.txt", [])
        let source = try source("waymark.yaml")
        let first = source.attempt()
        let served = try #require(first.snapshot, "\(first.diagnostics)")
        var record = InputRecord(first, nil, memory)
        try FileManager.default.createDirectory(
            atPath: site.path("Public/new"), withIntermediateDirectories: true)
        for number in 0..<600 { try site.write("Public/new/\(number)", []) }
        try leave(5 << 20)
        let refused = source.attemptReload(after: served, .changed, record)
        #expect(refused.snapshot == nil)
        #expect(refused.diagnostics.map(\.rule) == [.outOfMemory], "\(refused.diagnostics)")
        record.follow(refused)
        #expect(!record.isOutdated)
        var isChanged = record.look()
        #expect(!isChanged && record.isSettling)
        try leave(4 << 20)
        isChanged = record.look()
        #expect(isChanged && !record.isSettling)
        try leave(30 << 20)
        let taken = source.attemptReload(after: served, .changed, record)
        #expect(taken.snapshot != nil, "\(taken.diagnostics)")
        try leave(5 << 20)
        // They are known by now.
        let again = try #require(taken.snapshot)
        #expect(source.attemptReload(after: again, .ordered, record).snapshot != nil)
    }

    /// It takes 10 MiB while it is read, and 4 MiB are left for requests.
    @Test func `a page for which there is no room is not read, and what is served stays`() throws {
        let text = try String(contentsOf: site.configuration, encoding: .utf8)
        let unmatched = "    unmatched: {page: /404.html, status: 404}"
        try site.write("waymark.yaml", Array("\(text)\n\(unmatched)\n".utf8))
        try site.write("Public/404.html", Array("<html><head></head></html>".utf8))
        let source = try source("waymark.yaml")
        let first = source.attempt()
        let served = try #require(first.snapshot, "\(first.diagnostics)")
        let record = InputRecord(first, nil, memory)
        try site.write("Public/404.html", [UInt8](repeating: 0x20, count: 2 << 20))
        for (bytes, isTaken) in [(13 << 20, false), (15 << 20, true)] {
            try leave(bytes)
            let attempt = source.attemptReload(after: served, .ordered, record)
            #expect((attempt.snapshot != nil) == isTaken, "\(attempt.diagnostics)")
            #expect(isTaken || attempt.diagnostics.map(\.rule) == [.outOfMemory])
        }
    }

    /// They take 16 MiB, and 4 MiB are left for requests.
    @Test func `the findings of lint are not looked for where there is no room for them`() throws {
        let text = try String(contentsOf: site.configuration, encoding: .utf8)
        let more = "# " + String(repeating: "x", count: 1 << 19)
        try site.write("waymark.yaml", Array("\(text)\n\(more)\n".utf8))
        let source = try source("waymark.yaml")
        let first = source.attempt()
        let served = try #require(first.snapshot, "\(first.diagnostics)").environment
        for (bytes, isTaken) in [(20 << 20, false), (22 << 20, true)] {
            try leave(bytes)
            switch source.findings(in: served) {
            case .found: #expect(isTaken)
            case .noMemory: #expect(!isTaken)
            case .otherFile: Issue.record("it is the file that is served")
            }
        }
    }

    @Test func `files of sites are counted, whatever size they say they have`() {
        let inputs = Inputs(configuration: "/waymark.yaml", nil, sites: [])
        var status = stat()
        status.st_size = .max
        let stamp: FileStamp? = FileStamp(status)
        let stamps: Inputs.Stamps = [
            Array("/sites/a.yaml".utf8): stamp, Array("/sites/b.yaml".utf8): stamp,
            Array("/certs/dev.pem".utf8): stamp,
        ]
        #expect(inputs.configurationBytes(stamps) == 2 << 30)
    }

    private final class Lines: Sendable { let text = Mutex("") }

    @Test func `how much is lacking is said once, however it changes`() throws {
        let first = try source("waymark.yaml").attempt()
        let snapshot = try #require(first.snapshot, "\(first.diagnostics)")
        let address = SocketAddress(host: .v4([127, 0, 0, 1]), port: 0)
        let server = try OriginServer.start(
            snapshot, on: BoundListeners(.init(https: address, http: nil, admin: nil), loops: 1),
            limits: OriginLimits())
        defer { server.stop() }
        let lines = Lines()
        let handler = EventHandler(.text, from: .info, now: { 0 }) { line in
            lines.text.withLock { $0 += line }
        }
        let events = Logger(label: "test") { _ in handler }
        let log = try AccessLogOutput.begin(
            snapshot.environment, loops: 1, server.startLimits, events)
        defer { log.beginStop(atOnce: false) }
        var reloading = Reloading(server, log, events)
        for left in 1...3 {
            let attempt = SnapshotAttempt(
                inputs: first.inputs,
                diagnostics: [
                    .noMemoryToReload("\(left) MiB are left"),
                    Diagnostic(.warning, .certificateExpiresSoon, at: nil, "of a certificate"),
                ])
            _ = reloading.finish(.init(reason: .retried), attempt)
        }
        let text = lines.text.withLock { $0 }
        #expect(text.components(separatedBy: "[out-of-memory]").count == 2, "\(text)")
        #expect(text.contains("waymark tries again by itself"), "\(text)")
    }
}
