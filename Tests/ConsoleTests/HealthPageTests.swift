@testable import Console
import Diagnostics
import Testing

@Suite("The page about the health of the server")
struct HealthPageTests {
    private static let now = 1_800_000_000
    private static let position = SourcePosition(file: "waymark.yaml", line: 7, column: 3)

    private static func finding(_ severity: Severity, _ text: String) -> Diagnostic {
        Diagnostic(severity, .unknownName, at: position, text, advice: "mend <it>")
    }

    /// A server of which each part has something to say.
    private static var health: ServerHealth {
        var health = ServerHealth()
        (health.generation, health.servedSince) = (3, now - 7_200)
        health.reloads = [
            ReloadAttempt(
                .refused, .changed, from: now - 3_600, at: now - 60,
                [finding(.warning, "a <hint>"), finding(.error, "there is no link \"x\"")]),
            ReloadAttempt(.taken, .start, at: now - 7_200),
        ]
        var served = CertificateHealth("a.example")
        (served.end, served.isAutomatic) = (now + 60 * 86_400, true)
        (served.renewAt, health.renewalsSeen) = (now + 30 * 86_400, now - 5)
        var failing = CertificateHealth("b.example")
        (failing.end, failing.isAutomatic, failing.failures) = (now + 86_400, true, 4)
        (failing.lastFault, failing.lastFaultTime) = ("no A record <x>", now - 600)
        (failing.pauseReason, failing.pausedUntil) = ("too many orders", now + 1_800)
        var over = CertificateHealth("c.example")
        over.end = now - 1
        health.certificates = [served, failing, over]
        var store = StoreHealth(.open, isShared: true, place: "db.example/links")
        (store.software, store.links, store.seen) = ("PostgreSQL 15.8", 1_234, now - 2)
        (store.bytes, store.bytesMax) = (3 << 19, 1 << 30)
        health.store = store
        health.fleet = FleetHealth(
            [
                FleetHealth.Node(
                    "one", version: "0.1", configuration: "abc", isUp: true, isOwn: true,
                    behind: 0, clockOffsetMilliseconds: 3, seen: now - 4),
                FleetHealth.Node(
                    "two", version: "0.1", configuration: "abd", isUp: false, isOwn: false,
                    behind: 7, clockOffsetMilliseconds: -90, seen: now - 900),
            ], configurations: 2, seen: now - 4)
        health.hosts = [
            CheckedHealth("a.example", .healthy, seen: now - 30, next: now + 870),
            CheckedHealth(
                "b.example", .broken, cause: "tls: the certificate <ended>", advice: "renew it",
                seen: now - 40, next: now + 860),
            CheckedHealth("c.example", nil, seen: nil, next: now),
        ]
        health.published = [
            PublishedHealth(
                ["go.example.com"], collections: ["short"],
                apple: PublishedHealth.File(["ABCDE12345.com.example.shop"], bytes: 300),
                android: nil)
        ]
        health.findings = .found([finding(.warning, "links <overlap>")], seen: now - 10)
        return health
    }

    private func page(
        _ health: ServerHealth, _ language: ConsoleLanguage = .en
    ) throws -> PageStructure {
        let console = try TestConsole()
        console.health = health
        let answer = console.get("health", as: .admin, language)
        #expect(answer.status == 200)
        let page = PageStructure(answer.content)
        #expect(page.faults == [])
        return page
    }

    @Test func `each part says how it is, in words, and when it was seen`() throws {
        let text = try page(Self.health).text
        for words in [
            // The certificates, those with a fault first.
            "It has ended: nobody can connect.", "no A record <x>", "(failures: 4)",
            "Paused until 2027-01-15 08:30 UTC: too many orders", "2027-02-14 08:00 UTC",
            // The configuration.
            "Number 3 is served since 2027-01-15 06:00 UTC.", "Refused, the one before is served",
            "2027-01-15 07:00 UTC – 2027-01-15 07:59 UTC", "there is no link \"x\" – mend <it>",
            "waymark.yaml:7:3",
            // The store and its servers.
            "PostgreSQL 15.8", "1234", "1.5 MiB / 1.0 GiB", "Not reachable", "-90 ms",
            "different configurations",
            // The hosts, files and findings.
            "Healthy", "Broken", "tls: the certificate <ended> – renew it", "Not checked yet",
            "ABCDE12345.com.example.shop (300 B)", "links <overlap>",
            "Seen at 2027-01-15 07:59 UTC.",
        ] {
            #expect(text.contains(words), "\(words) in \(text)")
        }
        #expect(!text.contains("That is old"))
        let first = try #require(text.firstRange(of: "c.example"))
        let last = try #require(text.firstRange(of: "a.example"))
        #expect(first.lowerBound < last.lowerBound)
    }

    @Test func `both languages have the same parts`() throws {
        let (english, german) = (try page(Self.health), try page(Self.health, .de))
        #expect(english.tags == german.tags.filter { $0 != "span class lang" })
        for words in ["Pausiert bis", "Abgelehnt", "Nicht erreichbar", "Kaputt", "1,5 MiB"] {
            #expect(german.text.contains(words), "\(words)")
        }
        for words in ["Well", "Seen at", "Paused", "Refused", "Look at it", "Unwell"] {
            #expect(!german.text.contains(words), "\(words)")
        }
    }

    /// The same facts an hour later, with nothing new.
    @Test func `what is old says so`() throws {
        var health = Self.health
        health.store?.seen = Self.now - 3_600
        health.renewalsSeen = Self.now - 3_600
        health.fleet = health.fleet.map {
            FleetHealth($0.nodes, configurations: 1, seen: Self.now - 3_600)
        }
        health.hosts = [
            CheckedHealth(
                "a.example", .healthy, seen: Self.now - 3_600, next: Self.now - 2_700)
        ]
        let text = try page(health).text
        #expect(text.split(separator: "That is old").count == 5, "\(text)")
        #expect(health.store?.grade(at: Self.now) == .notKnown)
        #expect(health.fleet?.grade(at: Self.now) == .notKnown)
        #expect(health.hosts?.first?.grade(at: Self.now) == .notKnown)
        // One second before the limit, it is as it was.
        health.store?.seen = Self.now - StoreHealth.ageMax
        #expect(health.store?.grade(at: Self.now) == .well)
    }

    @Test func `a server without any of it says what is missing`() throws {
        let text = try page(ServerHealth()).text
        for words in [
            "This server has no certificate", "This server has no store", "No host is checked",
            "They are being looked for",
        ] {
            #expect(text.contains(words), "\(words)")
        }
        var health = ServerHealth()
        health.findings = .otherFile(seen: Self.now)
        health.store = StoreHealth(.closed("the disk <is full>"), isShared: false, place: "l.db")
        health.obstacle = "another process has them"
        let other = try page(health).text
        for words in [
            "is not the one that is served", "the disk <is full>", "another process has them",
            "It was not seen yet.",
        ] {
            #expect(other.contains(words), "\(words)")
        }
        health.findings = .noMemory(seen: Self.now)
        #expect(try page(health).text.contains("There was no memory to look for them"))
    }

    @Test func `it is for administrators alone, and asks nothing`() throws {
        let console = try TestConsole()
        console.health = Self.health
        for role in [ConsoleRole.viewer, .editor] {
            let answer = console.get("health", as: role)
            #expect(answer.status == 403 && !answer.text.contains("b.example"))
        }
        let asked = Counter()
        console.before = { _ in asked.count += 1 }
        #expect(console.get("health", as: .admin).status == 200)
        #expect(asked.count == 0)
    }

    private final class Counter { var count = 0 }

    @Test func `a thousand hosts and findings are a page of a bounded size`() throws {
        var health = ServerHealth()
        health.certificates = (0..<1_000).map { CertificateHealth("h\($0).example") }
        health.hosts = (0..<1_000).map {
            CheckedHealth("h\($0).example", .broken, cause: "c", seen: 1, next: nil)
        }
        health.findings = .found(
            (0..<1_000).map { Self.finding(.note, "finding \($0)") }, seen: Self.now)
        let console = try TestConsole()
        console.health = health
        let answer = console.get("health", as: .admin)
        #expect(answer.content.count < 250_000)
        #expect(answer.text.contains("800 more are not shown"))
        #expect(answer.text.contains("900 more are not shown"))
    }
}
