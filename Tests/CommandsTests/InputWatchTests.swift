import ArgumentParser
import Diagnostics
import Files
import Foundation
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

@Suite("What changes while it is read")
struct InputWatchTests {
    private let events = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// - Parameter change: done to the site's directory when the inputs were looked at, and are
    ///   about to be read.
    private func source(
        _ configuration: String, _ change: @escaping @Sendable () -> Void = {}
    ) throws -> SnapshotSource {
        let options = try ConfigurationOptions.parse(["--config", configuration, "--env", "dev"])
        let ticketKeys = Background(name: "test-keys") {
            Result { () throws(OpenSSLError) in try TicketKeys() }
        }
        return SnapshotSource(
            configuration: options, needsTLS: true, ticketKeys: ticketKeys,
            setLimits: { _ in change() })
    }

    /// A site with a public file, while `body` runs.
    private func withSite(_ body: (_ configuration: String, _ files: URL) throws -> Void) throws {
        try withServableSite { path in
            let made = URL(filePath: path).deletingLastPathComponent()
            let text = smallestConfiguration + "    public: Public\n"
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            // The kernel knows no writer of a copy that another process has made.
            shellOutput("cd \(made.path) && mkdir site && cp -a waymark.yaml certs site")
            let site = made.appending(path: "site")
            let files = site.appending(path: "Public")
            try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
            write("here", to: "early.txt", in: files)
            try body(site.appending(path: "waymark.yaml").path, files)
        }
    }

    /// Another process writes the file. A descriptor of this one can be inherited by a program that
    /// a test beside this one starts, and is then closed at any time later, which the kernel
    /// reports as a change.
    private func write(_ text: String, to name: String, in directory: URL) {
        shellOutput("cd \(directory.path) && printf %s '\(text)' > \(name)")
    }

    /// What is known of the inputs after an attempt; changes to them end the poller's waits.
    private func record(
        _ attempt: SnapshotAttempt, _ directories: DirectoryWatch, waking poller: borrowing Poller
    ) throws -> InputRecord {
        try directories.register(with: poller, token: 1)
        return InputRecord(attempt, directories)
    }

    private func look(after attempt: SnapshotAttempt) throws -> Bool {
        var record = InputRecord(attempt, nil)
        return record.lookTwice()
    }

    @Test func `of two names that are equal as text each is a file of its own`() throws {
        try withSite { path, files in
            let names = ["caf\u{E9}.txt", "cafe\u{301}.txt"]
            for name in names {
                let full = files.path(percentEncoded: false) + "/" + name
                #expect(FileManager.default.createFile(atPath: full, contents: Data("a".utf8)))
            }
            for name in names {
                let attempt = try source(path).attempt()
                let full = files.path(percentEncoded: false) + "/" + name
                try FileManager.default.removeItem(atPath: full)
                #expect(attempt.isOutdated)
                #expect(try source(path).attempt().hash?.text != attempt.hash?.text)
            }
        }
    }

    @Test(
        "a log or a store in a watched directory is no input",
        arguments: ["theme/access.log", "./theme/access.log", "theme/links.db"])
    func ownFiles(_ name: String) throws {
        try withServableSite { path in
            let directory = URL(filePath: path).deletingLastPathComponent()
            let theme = directory.appending(path: "theme")
            try FileManager.default.createDirectory(at: theme, withIntermediateDirectories: true)
            let key = name.hasSuffix(".db") ? "store: \(name)" : "log: {to: \(name)}"
            let text = smallestConfiguration + "    \(key)\nsite: {theme: theme}\n"
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            func write(_ name: String, _ text: String) throws {
                try Data(text.utf8).write(to: directory.appending(path: name))
            }
            try write(name, "")
            try write("theme/site.css", "a {}")
            let attempt = try source(path).attempt()
            try #require(attempt.snapshot != nil, "\(attempt.diagnostics)")
            for ending in name.hasSuffix(".db") ? ["", "-wal", ".visits"] : [""] {
                try write(name + ending, "line\n")
            }
            #expect(try look(after: attempt) == false)
            try write("theme/site.css", "b {}")
            #expect(try look(after: attempt) == true)
        }
    }

    @Test func `a public directory that is missing and may be does not change`() throws {
        try withServableSite { path in
            let files = URL(filePath: path).deletingLastPathComponent().appending(path: "Public")
            try? FileManager.default.removeItem(at: files)
            let attempt = try source(path).attempt()
            try #require(attempt.snapshot != nil, "\(attempt.diagnostics)")
            #expect(!attempt.isOutdated)
            #expect(try look(after: attempt) == false)
            try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
            try Data("here".utf8).write(to: files.appending(path: "a.txt"))
            #expect(try look(after: attempt) == true)
        }
    }

    @Test func `of a directory of sites, only the files of sites are inputs`() throws {
        try withServableSite { path in
            let directory = URL(filePath: path).deletingLastPathComponent()
            let sites = directory.appending(path: "sites")
            try FileManager.default.createDirectory(at: sites, withIntermediateDirectories: true)
            let text = """
                version: 1
                sites: sites/*.yaml
                environments:
                  dev:
                    tls: {certificate: certs/dev.pem, key: certs/dev.key}
                    log: {to: sites/access.log}
                """
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            let site = smallestConfiguration.replacing(
                "    tls: {certificate: certs/dev.pem, key: certs/dev.key}\n", with: "")
            try Data(site.utf8).write(to: sites.appending(path: "shop.yaml"))
            let attempt = try source(path).attempt()
            try #require(attempt.snapshot != nil, "\(attempt.diagnostics)")
            for name in ["access.log", "access.log.1.gz", "README.md"] {
                try Data("x".utf8).write(to: sites.appending(path: name))
            }
            #expect(try look(after: attempt) == false)
            try Data((site + "# x\n").utf8).write(to: sites.appending(path: "shop.yaml"))
            #expect(try look(after: attempt) == true)
        }
    }

    @Test func `what has not changed since is no change`() throws {
        try withSite { path, _ in
            let attempt = try source(path).attempt()
            #expect(attempt.snapshot != nil)
            #expect(try look(after: attempt) == false)
        }
    }

    @Test(
        "a file that changes between the look at it and the publishing is read again",
        arguments: ["Public/late.txt", "Public/early.txt", "certs/dev.pem", "waymark.yaml"])
    func late(_ name: String) throws {
        try withSite { path, _ in
            let file = URL(filePath: path).deletingLastPathComponent().appending(path: name)
            let before = try source(path).attempt()
            let during = try source(path) {
                if (try? Data(contentsOf: file)) == Data("late".utf8) { return }
                try? Data("late".utf8).write(to: file)
            }.attempt()
            let after = try source(path).attempt()
            #expect(during.hash?.text == after.hash?.text && during.hash?.text != before.hash?.text)
            #expect((during.snapshot == nil) == (after.snapshot == nil))
            #expect(try look(after: during) == false)
        }
    }

    @Test func `what changes each time it is read is not published, and looked at again`() throws {
        try withSite { path, files in
            let changes = Mutex(0)
            let during = try source(path) {
                let number = changes.withLock { number in
                    number += 1
                    return number
                }
                let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
                try? "\(text)# \(number)\n".write(
                    toFile: path, atomically: true, encoding: .utf8)
            }.attempt()
            #expect(changes.withLock { $0 } == 3)
            #expect(during.snapshot == nil && during.isPostponed && during.fault?.rawValue == 75)
            let said = during.diagnostics.map(\.message)
            #expect(said.count == 1 && said[0].contains("waymark.yaml\" changed while it was"))
            #expect(try look(after: during))
            #expect(try source(path).attempt().snapshot != nil)
        }
    }

    @Test func `a change is one once the file is the same at two looks`() throws {
        try withSite { path, files in
            let attempt = try source(path).attempt()
            var record = InputRecord(attempt, nil)
            let file = files.appending(path: "upload.png")
            for part in 1...3 {
                try Data(repeating: 0x61, count: part).write(to: file)
                let isChanged = record.look()
                #expect(!isChanged && record.isSettling && record.isOutdated)
            }
            let isChanged = record.look()
            #expect(isChanged && !record.isSettling && !record.isOutdated)
        }
    }

    /// A change to the site's file, and whether it is found by the first comparison.
    static let changes: [(what: String, isFound: Bool)] = [
        ("mv .new early.txt", true), ("cp .new early.txt", true),
        ("cp .new early.txt && chmod 600 early.txt", true),
        ("echo more >> early.txt", true), ("mv early.txt .away && mv .away early.txt", true),
        ("chmod 600 early.txt", false), ("mv .new other.txt", false), ("rm early.txt", false),
        ("mkdir new && cp .new early.txt", false),
        ("cp .new early.txt && cp ../waymark.yaml .y && mv .y ../waymark.yaml", false),
    ]

    @Test("a public file that its writer has completed is found at once", arguments: changes)
    func complete(_ what: String, _ isFound: Bool) throws {
        try withSite { path, files in
            write("another", to: ".new", in: files)
            var poller = try Poller(eventsPerTurnMax: 8)
            let directories = try DirectoryWatch()
            var record = try record(try source(path).attempt(), directories, waking: poller)
            shellOutput("cd \(files.path) && { \(what) ; }")
            #expect(poller.wait(milliseconds: safetyNetSeconds * 1000) == 1)
            let finding = record.look(
                at: directories.take(), milliseconds: Clock.unixMilliseconds + 60)
            var found = 0
            if case .files(let files) = finding { found = files.count }
            #expect(found == (isFound ? 1 : 0))
            #expect(record.isOutdated == !isFound)
            // What was not found at once is found when all files are compared.
            let isChanged = isFound || record.lookTwice()
            #expect(isChanged)
        }
    }

    @Test func `a file that changes within a step of the clock waits`() throws {
        try withSite { path, files in
            let directories = try DirectoryWatch()
            var poller = try Poller(eventsPerTurnMax: 8)
            var record = try record(try source(path).attempt(), directories, waking: poller)
            write("now", to: "early.txt", in: files)
            #expect(poller.wait(milliseconds: safetyNetSeconds * 1000) == 1)
            let early = files.appending(path: "early.txt").path
            let stamp = try #require(FileStamp(of: early))
            let written = stamp.modified * 1000 + stamp.modifiedNanoseconds / 1_000_000
            let finding = record.look(at: directories.take(), milliseconds: written)
            guard case .nothing = finding else {
                _ = Issue.record("found at once")
                return
            }
            #expect(record.isOutdated)
        }
    }

    @Test func `a fault far below a served directory is noticed when it is mended`() throws {
        try withSite { path, files in
            let deep = files.appending(path: "a/b")
            try FileManager.default.createDirectory(at: deep, withIntermediateDirectories: true)
            let link = deep.appending(path: "gone").path
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: "nowhere")
            let attempt = try source(path).attempt()
            #expect(attempt.snapshot == nil)
            try FileManager.default.removeItem(atPath: link)
            #expect(try look(after: attempt))
        }
    }

    @Test func `directories that are equal as text are watched each`() throws {
        try withSite { path, files in
            let names = ["caf\u{E9}", "cafe\u{301}"]
            for name in names {
                #expect(mkdir(files.path + "/" + name, 0o755) == 0)
            }
            let attempt = try source(path).attempt()
            let watched = attempt.inputs.decidingDirectories(attempt.trees)
            for name in names {
                #expect(watched.contains(Array((files.path + "/" + name).utf8)))
            }
            let other = Array("\(files.path)-\(names[0])".utf8)
            #expect(!watched.contains(other))
            for name in names {
                var poller = try Poller(eventsPerTurnMax: 8)
                let directories = try DirectoryWatch()
                _ = try record(attempt, directories, waking: poller)
                try Data().write(to: URL(filePath: files.path + "/" + name + "/file"))
                let count = poller.wait(milliseconds: safetyNetSeconds * 1000)
                _ = directories.take()
                #expect(count == 1)
            }
        }
    }

    @Test func `what comes in position of a directory that was missing is noticed at once`() throws
    {
        try withSite { path, files in
            let away = files.deletingLastPathComponent().appending(path: "certs")
            let position = files.deletingLastPathComponent().appending(path: "elsewhere/live")
            try FileManager.default.createDirectory(
                at: position.deletingLastPathComponent(), withIntermediateDirectories: true)
            let text = try String(contentsOfFile: path, encoding: .utf8)
                .replacing("certs/", with: "elsewhere/live/")
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            var poller = try Poller(eventsPerTurnMax: 8)
            let attempt = try source(path).attempt()
            #expect(attempt.snapshot?.canShakeHands(now: Clock.unixSeconds) == false)
            var record = try record(attempt, DirectoryWatch(), waking: poller)
            try FileManager.default.moveItem(at: away, to: position)
            let count = poller.wait(milliseconds: safetyNetSeconds * 1000)
            let isChanged = record.lookTwice()
            #expect(count == 1 && isChanged)
        }
    }

    @Test func `a directory far above that is exchanged is noticed at once`() throws {
        try withSite { path, files in
            let top = files.deletingLastPathComponent()
            let (site, other) = (top.appending(path: "a/b/c"), top.appending(path: "other"))
            try FileManager.default.createDirectory(at: site, withIntermediateDirectories: true)
            for name in ["waymark.yaml", "certs", "Public"] {
                try FileManager.default.moveItem(
                    at: top.appending(path: name), to: site.appending(path: name))
            }
            let changing = top.appending(path: "a")
            try FileManager.default.copyItem(at: changing, to: other)
            try Data("late".utf8).write(to: other.appending(path: "b/c/Public/late.txt"))
            var poller = try Poller(eventsPerTurnMax: 8)
            let attempt = try source(site.appending(path: "waymark.yaml").path).attempt()
            #expect(attempt.snapshot != nil)
            var record = try record(attempt, DirectoryWatch(), waking: poller)
            try Data().write(to: changing.appending(path: "b/beside"))
            #expect(poller.wait(milliseconds: 0) == 0)
            try FileManager.default.moveItem(at: changing, to: top.appending(path: "old"))
            try FileManager.default.moveItem(at: other, to: changing)
            let count = poller.wait(milliseconds: safetyNetSeconds * 1000)
            let isChanged = record.lookTwice()
            #expect(count == 1 && isChanged)
        }
    }

    @Test func `what comes into a new directory long after it is noticed at once`() throws {
        try withSite { path, files in
            var poller = try Poller(eventsPerTurnMax: 8)
            let directories = try DirectoryWatch()
            var record = try record(try source(path).attempt(), directories, waking: poller)
            let directory = files.appending(path: "new")
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true)
            _ = directories.take()
            var isChanged = record.lookTwice()
            #expect(!isChanged)
            try Data("late".utf8).write(to: directory.appending(path: "late.txt"))
            let count = poller.wait(milliseconds: safetyNetSeconds * 1000)
            isChanged = record.lookTwice()
            #expect(count == 1 && isChanged)
        }
    }

    @Test func `a symbolic link to what is served already is a change`() throws {
        try withSite { path, files in
            let attempt = try source(path).attempt()
            try FileManager.default.createSymbolicLink(
                atPath: files.appending(path: "alias.txt").path,
                withDestinationPath: "early.txt")
            #expect(try look(after: attempt))
        }
    }

    @Test func `a reload during which a file changes has the hash of what it serves`() throws {
        try withSite { path, files in
            let first = try source(path).attempt()
            let snapshot = try #require(first.snapshot)
            let address = SocketAddress(host: .v4([127, 0, 0, 1]), port: 0)
            let server = try OriginServer.start(
                snapshot,
                on: BoundListeners(.init(https: address, http: nil, admin: nil), loops: 1),
                limits: OriginLimits())
            defer { server.stop() }
            let log = try AccessLogOutput.begin(
                snapshot.environment, loops: 1, server.startLimits, events)
            defer { log.beginStop(atOnce: false) }
            let late = files.appending(path: "early.txt")
            let changing = try source(path) {
                if (try? Data(contentsOf: late)) == Data("late".utf8) { return }
                try? Data("late".utf8).write(to: late)
            }
            var reloading = Reloading(server, log, events)
            let attempt = changing.attempt()
            let told = reloading.finish(.init(reason: .ordered), attempt)
            #expect(told.first == "READY=1")
            #expect(server.reloads.generation == 2)
            #expect(server.reloads.hash == (try source(path).attempt().hash?.text))
            #expect(server.reloads.hash != first.hash?.text)
            #expect(try look(after: attempt) == false)
        }
    }
}

extension InputRecord {
    /// As often as it takes where nothing changes between two looks.
    fileprivate mutating func lookTwice() -> Bool { look() || look() }
}
