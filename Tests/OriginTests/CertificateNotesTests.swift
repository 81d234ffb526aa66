import Diagnostics
import Files
import Services
import SiteConfiguration
import Synchronization
import Testing

@testable import Certificates
@testable import Origin

/// What cannot be recorded of certificates is known while the process lives.
@Suite("Notes of certificates")
struct CertificateNotesTests {
    private let directory: TemporaryDirectory
    private let host: AutomaticHost
    private let settings: AutomaticCertificates
    private let kept: CertificateDirectory

    init() throws {
        directory = try TemporaryDirectory()
        let environment = try directory.automaticEnvironment()
        host = try #require(environment.automaticHosts.first)
        settings = host.automatic
        kept = CertificateDirectory("\(directory.path)/var")
        try kept.prepare(settings)
    }

    @Test func `a failure that cannot be recorded is said once, tried again, and then recorded`()
        throws
    {
        let said = Mutex([Diagnostic]())
        var notes = CertificateNotes(kept) { event in
            if case .finding(let finding) = event { said.withLock { $0.append(finding) } }
        }
        var plan = RenewalPlan()
        plan.take(
            [
                .init(
                    host: "a.example", authorities: [.init(settings.authorityName)], domain: nil,
                    record: HostRecord(), validity: nil)
            ], { _ in OrderAllowance() })
        var changes = CertificateAgenda.Changes()
        changes.hosts = ["a.example"]
        func save(_ changes: CertificateAgenda.Changes, at milliseconds: Int) {
            notes.save(
                changes, of: plan, AutomaticHosts([host]), milliseconds: milliseconds)
        }
        let orders = "\(kept.place(of: settings))/orders"
        _ = shell("mv \(orders) \(orders).away && touch \(orders)")
        for second in 0..<3 {
            plan.fail(
                "a.example", IssuanceFault(.order, .temporary, "no"), now: 1_000 + second,
                random: 0.5)
            save(changes, at: second * 1_000)
        }
        #expect(notes.fault?.rule == .certificateState)
        #expect(said.withLock(\.self).count == 1)
        _ = shell("rm \(orders) && mv \(orders).away \(orders)")
        // Nothing changes any more, and five seconds after the last attempt it is tried again.
        save(.init(), at: 6_000)
        #expect(notes.fault != nil && HostFiles(kept, host).readRecord().failures == 0)
        save(.init(), at: 7_000)
        #expect(notes.fault == nil && HostFiles(kept, host).readRecord().failures == 3)
        #expect(said.withLock(\.self).count == 1)
    }

    @Test func `the lock of a directory that was moved away is given up`() {
        var first = DirectoryLock()
        var second = DirectoryLock()
        func isHeld(_ lock: inout DirectoryLock) -> Bool {
            if !lock.isHeld { _ = lock.take(kept, [host], of: "prod") }
            return lock.isHeld
        }
        func givesUp(_ lock: inout DirectoryLock) -> Bool { lock.giveUp(ifReplacedIn: kept) }
        var facts = [isHeld(&first), givesUp(&first), isHeld(&second)]
        #expect(facts == [true, false, false])
        _ = shell("mv \(kept.root) \(kept.root).old")
        // Nobody else is there yet.
        facts = [givesUp(&first), first.isHeld]
        #expect(facts == [false, true])
        facts = [isHeld(&second), givesUp(&first), first.isHeld, givesUp(&first)]
        #expect(facts == [true, true, false, false])
        facts = [isHeld(&first), givesUp(&second), second.isHeld]
        #expect(facts == [false, false, true])
        let message = first.obstacle?.message
        #expect(message?.hasPrefix("another process requests the certificates in ") == true)
    }

    @Test func `who shares the directory with another environment knows which one requests`() {
        #expect(kept.attendedEnvironment(besides: "test") == nil)
        var lock = DirectoryLock()
        _ = lock.take(kept, [host], of: "prod")
        #expect(kept.attendedEnvironment(besides: "test") == "prod")
        #expect(kept.attendedEnvironment(besides: "prod") == nil)
    }

    @Test func `an account's key that is a link to nothing is named, with its own advice`() {
        let account = "\(kept.place(of: settings))/account.pem"
        #expect(kept.faults(of: [host]).isEmpty)
        _ = shell("mv \(account) \(account).old; ln -s \(account).gone \(account)")
        let found = kept.faults(of: [host]).map(\.diagnostic)
        #expect(
            found.map(\.message) == [
                "\(quotedPath(account)) is no account's key: it is a symbolic link to nothing"
            ])
        #expect(
            found.first?.advice?.hasPrefix("restore the file that it names, or remove the link: ")
                == true)
        // Without a key, a new account is made.
        _ = shell("rm \(account)")
        #expect(kept.faults(of: [host]).isEmpty)
    }

    @Test func `a record that is in the way is named, and not the account's directory`() throws {
        let files = HostFiles(kept, host)
        #expect(kept.faults(of: [host]).isEmpty)
        _ = shell("mkdir \(files.record)")
        let found = kept.faults(of: [host]).map(\.diagnostic)
        #expect(
            found.map(\.message) == [
                "\(quotedPath(files.record)) cannot be used for automatic certificates: it is a directory"
            ])
        #expect(found.first?.message.contains("/orders/a.example.json\"") == true)
        #expect(
            found.first?.advice
                == "move this directory away; until then certificates are renewed all "
                + "the same, but a restart forgets what could not be written there")
        #expect(
            kept.fault(.directory, at: files.record, of: settings).diagnostic.message
                == found.first?.message)
    }

    @Test func `a key that is in the way keeps its host from a certificate, and that is said`()
        throws
    {
        let files = HostFiles(kept, host)
        for path in [files.key, files.certificate] {
            _ = shell("mkdir \(path)")
            let found = kept.faults(of: [host]).map(\.diagnostic)
            #expect(found.map(\.advice?.isEmpty) == [false])
            #expect(
                found.first?.advice?.hasSuffix(
                    "; until then no certificate is requested or renewed, and what is there is served"
                )
                    == true)
            _ = shell("rmdir \(path)")
        }
    }

    @Test func `a record of a fault of this machine is written once`() throws {
        let files = HostFiles(kept, host)
        var notes = CertificateNotes(kept) { _ in }
        var record = HostRecord()
        record.wait(IssuanceFault(.order, .machine, "full"), until: 1_000, now: 1_000)
        var plan = RenewalPlan()
        plan.take(
            [
                .init(
                    host: "a.example", authorities: [.init(settings.authorityName)], domain: nil,
                    record: record, validity: nil)
            ], { _ in OrderAllowance() })
        var changes = CertificateAgenda.Changes()
        changes.hosts = ["a.example"]
        var stamps = [FileStamp?]()
        for second in 0..<2 {
            notes.save(
                changes, of: plan, AutomaticHosts([host]), milliseconds: second * 5_000)
            stamps.append(FileStamp(of: files.record))
        }
        #expect(files.readRecord().failures == 1)
        #expect(stamps[0] != nil && stamps[0] == stamps[1])
    }

    @Test func `what is in the way of renewals is found without writing`() throws {
        let place = kept.place(of: settings)
        let cases: [(String, String, String)] = [
            (
                "mv {p}/orders {p}/o; touch {p}/orders", "rm {p}/orders; mv {p}/o {p}/orders",
                "/orders"
            ),
            (
                "rmdir {r}/renewals; touch {r}/renewals", "rm {r}/renewals; mkdir {r}/renewals",
                "renewals"
            ),
            ("rm -f {r}/lock; mkdir {r}/lock", "rmdir {r}/lock", "/lock"),
            (
                "mv {p}/account.pem {p}/a; touch {p}/account.pem", "mv {p}/a {p}/account.pem",
                "account.pem"
            ),
            (
                "mv {p}/account.pem {p}/a; mkdir {p}/account.pem",
                "rmdir {p}/account.pem; mv {p}/a {p}/account.pem", "account.pem"
            ),
            ("mv {r} {r}.old; ln -s /nonexistent/x {r}", "rm {r}; mv {r}.old {r}", "/acme"),
            ("mkdir {p}/account.url", "rmdir {p}/account.url", "account.url"),
        ]
        for (spoil, mend, name) in cases {
            func run(_ text: String) {
                _ = shell(text.replacing("{p}", with: place).replacing("{r}", with: kept.root))
            }
            run(spoil)
            let faults = kept.faults(of: [host]).map(\.diagnostic.message)
            #expect(faults.first?.contains("\(name)\"") == true, "\(spoil): \(faults)")
            run(mend)
            #expect(kept.faults(of: [host]).isEmpty, "\(mend)")
        }
        #expect(
            CertificateDirectory("\(directory.path)/none/var").faults(of: [host]).count == 1)
    }
}
