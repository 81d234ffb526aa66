import Certificates
package import Diagnostics
package import Sockets
import Synchronization
package import TLS

/// Requests and renews certificates, on a thread of its own (RFC 8555). Orders are under way together,
/// and make their requests in turns. `CertificateAgenda` names the next action, and
/// `CertificateWork` does it.
///
/// It writes them into files of `CertificateDirectory`, from which they are served like any others:
/// a change of a file is noticed, and published as another snapshot. Nothing else is shared with the
/// loops. What it has reached is in files before it goes on, so that an end at any time leads to no
/// second order.
package final class CertificateService: Service {
    package let thread: ServiceThread
    private let isClearing = Atomic<Bool>(false)
    /// Whether a stop at once was ordered, which leaves less time to programs.
    private let isAtOnce = Atomic<Bool>(false)
    private let hasNews = Atomic<Bool>(false)
    private let reader: Wakeup
    /// Kills the programs that clear records.
    private let killing: Wakeup
    /// The requests of others since the last turn.
    private let hurries = Mutex(Hurries())

    struct Hurries: Sendable {
        var isForAll = false
        var hosts = Set<String>()

        var isEmpty: Bool { !isForAll && hosts.isEmpty }

        mutating func add(_ others: Hurries) {
            isForAll = isForAll || others.isForAll
            hosts.formUnion(others.hosts)
        }
    }

    /// Starts to look after the certificates of what the server serves.
    /// - Parameters:
    ///   - challenges: those that the server's handshakes look at.
    ///   - store: where stored links are; several nodes have their certificates there, too.
    ///   - answersHTTP: whether it answers plain HTTP.
    ///   - version: the program's, for the authority.
    ///   - reader: wakes who publishes what has changed, and asks `takeNews`.
    ///   - report: called on the service's thread.
    package init(
        _ directory: CertificateDirectory, _ server: ServedOrigin,
        _ challenges: ChallengeCertificates, store: ServedStore? = nil, answersHTTP: Bool,
        version: String, waking reader: Wakeup, report: @escaping @Sendable (ServiceEvent) -> Void
    ) throws(SystemError) {
        self.reader = reader
        thread = try ServiceThread()
        let programs = try RecordPrograms(waking: thread.wakeup)
        killing = programs.killing
        server.reloads.tell(thread.wakeup)
        try thread.start(name: "waymark-acme") { [self] in
            var work = CertificateWork(
                directory, server, challenges, programs, store, answersHTTP: answersHTTP,
                version: version, report)
            thread.takeTurns(noticing: work.arrivals.directories) {
                let pause = work.turn(takeHurries())
                if work.takeNews() { tellNews() }
                return ServiceThread.Rest(milliseconds: pause, source: work.newsSource)
            }
            // Orders stay where they are, and programs clear the records that they have set in DNS.
            guard work.endOrders() else { return }
            isClearing.store(true, ordering: .releasing)
            work.endPrograms(atMost: clearMilliseconds)
            isClearing.store(false, ordering: .releasing)
        }
    }

    private var clearMilliseconds: Int {
        isAtOnce.load(ordering: .acquiring) ? 1_000 : 10_000
    }
    private static let killMilliseconds = 500

    /// An order that comes while records are cleared ends the programs that do so.
    package func beginStop(atOnce: Bool) {
        if atOnce {
            isAtOnce.store(true, ordering: .releasing)
            if isClearing.load(ordering: .acquiring) { killing.wake() }
        }
        thread.beginStop()
    }

    /// Ends the programs that clear records, with their children, and waits a moment for that: nothing ends them later.
    package func killPrograms() {
        guard isClearing.load(ordering: .acquiring) else { return }
        killing.wake()
        guard let ended = try? Wakeup() else { return }
        thread.tellEnd(to: ended)
        if !thread.hasEnded { ended.wait(atMost: Self.killMilliseconds) }
    }

    /// A request that an authority does not answer is not waited for: what was reached before it is in
    /// files. Programs that clear records in DNS have ten seconds, or one.
    package func stopMilliseconds(atOnce: Bool) -> Int {
        1_000 + (isClearing.load(ordering: .acquiring) ? clearMilliseconds : 0)
    }

    package var stopLoss: Diagnostic? {
        guard isClearing.load(ordering: .acquiring) else { return nil }
        return loss(
            "the program that clears records in DNS has not ended; the next start runs it again")
    }

    /// Whether there is a certificate that was not there at the last call. Its file would be noticed
    /// like any other, but a visitor who waits for it should not wait longer.
    package func takeNews() -> Bool { hasNews.exchange(false, ordering: .acquiringAndReleasing) }

    private func tellNews() {
        hasNews.store(true, ordering: .releasing)
        reader.wake()
    }

    /// Lets what has failed be tried at once, as far as no limit forbids it: somebody has ordered a
    /// reload, or a host was reached from outside. Callable on any thread.
    /// - Parameter host: nil for all.
    package func hurry(_ host: String? = nil) {
        hurries.withLock { hurries in
            guard let host else { return hurries.isForAll = true }
            hurries.hosts.insert(host)
        }
        thread.wakeup.wake()
    }

    private func takeHurries() -> Hurries {
        hurries.withLock { hurries in
            defer { hurries = Hurries() }
            return hurries
        }
    }
}

extension Moment {
    static var now: Moment {
        Moment(seconds: Clock.unixSeconds, milliseconds: Clock.monotonicMilliseconds)
    }
}
