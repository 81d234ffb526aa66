import Foundation
import Glibc
import TestSupport
import Testing

@Suite("An origin whose store cannot be used")
struct StoreReadinessTests {
    /// A directory with a configuration of three environments and certificates for them.
    private final class StoreDirectory {
        let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        var configuration: URL { url.appending(path: "waymark.yaml") }

        init() throws {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            try write(store: "links.db")
            _ = try Program.run(["init"], in: url)
        }

        deinit { try? FileManager.default.removeItem(at: url) }

        func write(store: String) throws {
            let text = """
                version: 1
                apps: {shop: {ios: {id: W4X7K2M9QH.com.example.shop}}}
                links: {short: {match: /s/*, stored: {destinations: www.example.com}}}
                environments:
                  test:
                    hosts: [localhost]
                    tls: {certificate: certs/dev.pem, key: certs/dev.key}
                    publish: {shop: [short]}
                    \(store.isEmpty ? "" : "store: \(store)")
                  trial: {extends: test, store: links.db, store-essential: false}
                  lost: {extends: test, store: missing/links.db}

                """
            try Data(text.utf8).write(to: configuration)
        }

        /// Gives everything to nobody, and this file or directory, if it exists, to root alone.
        func close(_ name: String, mode: mode_t) {
            let nobody: uid_t = 65534
            let names = FileManager.default.enumerator(atPath: url.path)
            for name in (names?.compactMap { $0 as? String } ?? []) + [""] {
                chown(url.path + "/" + name, nobody, nobody)
            }
            let path = url.path + (name.isEmpty ? "" : "/" + name)
            chmod(path, mode)
            chown(path, 0, 0)
        }

        func exists(_ name: String) -> Bool {
            FileManager.default.fileExists(atPath: url.appending(path: name).path)
        }
    }

    private func serve(
        _ directory: StoreDirectory, _ environment: String = "test"
    ) throws -> RunningOrigin {
        try RunningOrigin(directory.configuration, environment: environment)
    }

    private func health(_ origin: RunningOrigin) throws -> Int32 {
        try Program.run(["healthcheck", "--admin", "127.0.0.1:\(origin.admin)"]).status
    }

    @Test func `that another process has is not ready, unless links are not essential`() throws {
        let directory = try StoreDirectory()
        let first = try serve(directory)
        #expect(waits { first.adminPage("/readyz?verbose").contains("[+]store ok\n") })
        #expect(try health(first) == 0)
        let second = try serve(directory)
        #expect(waits { second.log.contains("another process serves") })
        let page = second.adminPage("/readyz")
        #expect(page.contains("[-]store failed\n") && page.hasSuffix("failed\n503"), "\(page)")
        #expect(second.adminPage("/livez").hasSuffix("ok\n200"))
        #expect(second.adminPage("/metrics").contains("\nwaymark_ready 0\n"))
        #expect(try health(second) == 1)
        let trial = try serve(directory, "trial")
        #expect(waits { trial.log.contains("another process serves") })
        let verbose = trial.adminPage("/readyz?verbose")
        #expect(verbose.contains("[-]store failed, not essential\n"), "\(verbose)")
        #expect(verbose.contains("another process serves") && verbose.hasSuffix("passed\n200"))
        #expect(trial.adminPage("/metrics").contains("\nwaymark_ready 1\n"))
        #expect(try health(trial) == 0)
        // It becomes ready by itself.
        first.signal(SIGKILL)
        #expect(waits { second.adminPage("/readyz").hasSuffix("ok\n200") })
    }

    @Test func `whose directory is missing is not ready`() throws {
        let origin = try serve(try StoreDirectory(), "lost")
        #expect(waits { origin.adminPage("/readyz").contains("[-]store failed\n") })
        #expect(origin.adminPage("/readyz?exclude=store").hasSuffix("ok\n200"))
    }

    @Test(
        "that only root can write blames the file, or the directory, that is root's",
        .enabled(if: geteuid() == 0),
        arguments: [
            ("links.db", 0o600), ("links.db", 0o444), ("links.db.lock", 0o600),
            ("links.db-wal", 0o600), ("", 0o755),
            ("links.db.visits", 0o600), ("links.db.visits.lock", 0o644),
        ] as [(String, mode_t)])
    func rootOwns(_ name: String, _ mode: mode_t) throws {
        let directory = try StoreDirectory()
        do {
            let origin = try serve(directory)
            #expect(waits { directory.exists("links.db.visits") }, "\(origin.log)")
        }
        if name.isEmpty {
            let files = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
            for file in files where file.hasPrefix("links.db") {
                try FileManager.default.removeItem(at: directory.url.appending(path: file))
            }
        }
        if name.hasSuffix("-wal"), !directory.exists(name) {
            try Data().write(to: directory.url.appending(path: name))
        }
        directory.close(name, mode: mode)
        let origin = try RunningOrigin(directory.configuration, ["--user", "nobody"])
        let path = directory.url.path + (name.isEmpty ? "" : "/" + name)
        let fact =
            "\"\(path)\" cannot be written: it belongs to user 0 with mode \(String(mode, radix: 8)), "
            + "and waymark runs as user 65534"
        #expect(waits { origin.log.contains(fact) }, "\(origin.log)")
        #expect(origin.log.contains("chown 65534 \(path)"), "\(origin.log)")
        #expect(!origin.log.contains("its directory must exist"))
        // It goes on by itself.
        chown(path, 65534, 65534)
        chmod(path, name.isEmpty ? 0o700 : 0o600)
        #expect(
            waits { origin.adminPage("/readyz?verbose").contains("[+]store ok\n") }, "\(origin.log)"
        )
    }

    /// Links are answered from memory.
    @Test func `whose file was removed meanwhile is ready, and says so`() throws {
        let directory = try StoreDirectory()
        let origin = try serve(directory)
        #expect(waits { origin.adminPage("/readyz").hasSuffix("ok\n200") })
        let admin = ["--admin", "127.0.0.1:\(origin.admin)"]
        func create(_ slug: String) throws -> Int32 {
            try Program.run(
                ["links", "create", "--env", "test", "--slug", slug, "https://www.example.com/"]
                    + admin,
                in: directory.url
            ).status
        }
        #expect(try create("a") == 0)
        try FileManager.default.removeItem(at: directory.url.appending(path: "links.db"))
        #expect(try create("b") == 75)
        let page = origin.adminPage("/readyz?verbose")
        #expect(page.contains("[-]store failed, known links are answered\n"), "\(page)")
        #expect(page.contains("was removed") && page.hasSuffix("passed\n200"), "\(page)")
        #expect(try health(origin) == 0)
    }

    @Test(
        "that a reload changes goes on with its own, and says so",
        arguments: [
            ("links.db", "other.db", "the store stays"), ("links.db", "", "the store stays"),
            ("", "links.db", "no store of links is opened"),
        ])
    func reloads(_ before: String, _ after: String, _ words: String) throws {
        let directory = try StoreDirectory()
        try directory.write(store: before)
        let origin = try serve(directory)
        #expect(waits { origin.adminPage("/readyz").hasSuffix("ok\n200") })
        try directory.write(store: after)
        origin.signal(SIGHUP)
        #expect(waits { origin.log.contains("restart-needed") })
        #expect(origin.log.contains(words) && origin.log.contains("at the next start"))
        let page = origin.adminPage("/readyz?verbose")
        let remark = before.isEmpty ? "not essential" : "known links are answered"
        #expect(page.contains("[-]store failed, \(remark)\n"), "\(page)")
        #expect(page.contains("until the next start") && page.hasSuffix("passed\n200"), "\(page)")
        #expect(!directory.exists("other.db"))
        // The file of before is no change any more.
        try directory.write(store: before)
        origin.signal(SIGHUP)
        #expect(waits { !origin.adminPage("/readyz?verbose").contains("[-]store") })
    }
}
