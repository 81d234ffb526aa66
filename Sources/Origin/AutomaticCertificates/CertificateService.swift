import Certificates
package import Diagnostics
import Files
import SiteConfiguration
package import Sockets
import Synchronization
package import TLS
import URISyntax

/// Requests and renews certificates, on a thread of its own (RFC 8555). Orders are under way together,
/// and make their requests in turns. What is done next decides `RenewalPlan`.
///
/// It writes them into files of `CertificateDirectory`, from which they are served like any others:
/// a change of a file is noticed, and published as another snapshot. Nothing else is shared with the
/// loops. What it has reached is in files before it goes on, so that an end at any time leads to no
/// second order.
package final class CertificateService: Service {
    private let directory: CertificateDirectory
    private let notes: CertificateNotes
    private let server: OriginServer
    private let challenges: ChallengeCertificates
    private let answersHTTP: Bool
    private let report: @Sendable (OriginEvent) -> Void
    package let thread: ServiceThread
    private let isClearing = Atomic<Bool>(false)
    private let hasNews = Atomic<Bool>(false)
    private let reader: Wakeup
    /// What others have asked for since the last turn.
    private let hurries = Mutex(Hurries())

    private struct Hurries: Sendable {
        var isForAll = false
        var hosts = Set<String>()
    }

    /// Starts to look after the certificates of what the server serves.
    /// - Parameters:
    ///   - challenges: those that the server's handshakes look at.
    ///   - answersHTTP: whether it answers plain HTTP.
    ///   - version: the program's, for the authority.
    ///   - reader: wakes who publishes what has changed, and asks `takeNews`.
    ///   - report: called on the service's thread.
    package init(
        _ directory: CertificateDirectory, _ server: OriginServer,
        _ challenges: ChallengeCertificates, answersHTTP: Bool, version: String,
        waking reader: Wakeup, report: @escaping @Sendable (OriginEvent) -> Void
    ) throws(SystemError) {
        (self.directory, self.server, self.report) = (directory, server, report)
        (self.challenges, self.answersHTTP, self.reader) = (challenges, answersHTTP, reader)
        notes = CertificateNotes(directory: directory, report: report)
        let accounts = AuthorityAccounts(
            directory, agent: "Waymark/\(version) OpenSSL/\(openSSLVersion)")
        thread = try ServiceThread()
        let programs = try RecordPrograms(waking: thread.wakeup)
        server.reloads.tell(thread.wakeup)
        try thread.start(name: "waymark-acme") { [self] in
            var work = Work(programs: programs, accounts: accounts, arrivals: Arrivals(directory))
            thread.takeTurns(noticing: work.arrivals.directories) { turn(&work) }
            finish(&work)
        }
    }

    private static let clearMilliseconds = 10_000

    /// A request that an authority does not answer is not waited for: what was reached before it is in
    /// files. Programs that clear records in DNS have ten seconds.
    package func stopMilliseconds(atOnce: Bool) -> Int {
        1_000 + (isClearing.load(ordering: .acquiring) ? Self.clearMilliseconds : 0)
    }

    package var stopLoss: Diagnostic? {
        guard isClearing.load(ordering: .acquiring) else { return nil }
        return loss(
            "the program that clears records in DNS has not ended; the next start runs it again")
    }

    /// Whether there is a certificate that was not there at the last call. Its file would be noticed
    /// like any other, but a visitor who waits for it should not wait longer.
    package func takeNews() -> Bool { hasNews.exchange(false, ordering: .acquiringAndReleasing) }

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

    // MARK: The thread

    /// What the thread remembers.
    private struct Work: ~Copyable {
        var lock: FileLock?
        /// Whether the records were read with the lock.
        var isInCharge = false
        var hasReportedLock = false
        /// Of the snapshot that the hosts are of, which is not kept: it has files open.
        var generation = 0
        var hosts = [String: AutomaticHost]()
        var plan = RenewalPlan()
        var issued = [String: ServerCertificate]()
        var accounts: AuthorityAccounts
        var orders = [RunningOrder]()
        var programs: RecordPrograms
        var arrivals: Arrivals
        /// In milliseconds of the monotonic clock; nil before the first turn.
        var lastReminder: Int?

        init(programs: RecordPrograms, accounts: AuthorityAccounts, arrivals: Arrivals) {
            (self.programs, self.accounts, self.arrivals) = (programs, accounts, arrivals)
        }
    }

    /// - Returns: how long to wait, in milliseconds.
    private func turn(_ work: inout Work) -> Int {
        let generation = server.reloads.generation
        if work.generation != generation {
            work.generation = generation
            take(server.snapshot, &work)
        }
        guard !work.hosts.isEmpty else { return .max }
        if work.lock == nil {
            guard takeLock(&work) else { return Self.lockMilliseconds }
            // Another process may have gone on since they were read.
            take(server.snapshot, &work)
            hurry(nil, &work)
            clearLeftRecords(&work)
            greet(work)
        }
        if work.arrivals.take() { takeOrders(&work) }
        takeHurries(&work)
        remind(&work)
        let now = Clock.unixSeconds
        work.plan.noteTime(now)
        for ended in work.programs.advance() { take(ended, &work) }
        let pause = advanceOrders(&work)
        if work.orders.count < Self.ordersMax,
            let name = work.plan.nextOrder(now: now, milliseconds: Clock.monotonicMilliseconds),
            let host = work.hosts[name]
        {
            begin(host, &work)
            return 0
        }
        if pause > 0, let name = work.plan.nextInquiry(now: now), let host = work.hosts[name] {
            inquire(host, &work)
            return 0
        }
        // With as many orders as may be, their steps are what is waited for.
        let next = work.orders.count < Self.ordersMax ? work.plan.nextTurn(now: now) : .max
        let reminder = (work.lastReminder ?? 0) + Self.reminderMilliseconds
        return min(
            pause, max(0, reminder - Clock.monotonicMilliseconds), Self.restMilliseconds,
            max(0, min(next - now, Self.restMilliseconds)) * 1_000)
    }

    /// After which the clock is looked at again, which may have been set meanwhile, and orders of
    /// `waymark certificates`, because not every file system tells of them.
    private static let restMilliseconds = 60_000
    private static let lockMilliseconds = 5_000
    /// As many as may begin at once.
    private static let ordersMax = 20

    /// Names each host without a certificate; of those whose certificate has ended, `alarm` tells.
    private func greet(_ work: borrowing Work) {
        let (now, hosts) = (Clock.unixSeconds, work.hosts)
        let waiting = work.plan.waiting(now: now, milliseconds: Clock.monotonicMilliseconds)
        let findings = CertificateFindings.greeting(waiting, now: now) {
            hosts[$0]?.automatic.position
        }
        for finding in findings { report(.finding(finding)) }
    }

    private func takeHurries(_ work: inout Work) {
        let asked = hurries.withLock { hurries in
            defer { hurries = Hurries() }
            return hurries
        }
        if asked.isForAll { hurry(nil, &work) }
        for host in asked.hosts { hurry(host, &work) }
    }

    private func hurry(_ host: String?, _ work: inout Work) {
        for name in work.plan.hurry(host, now: Clock.unixSeconds) { save(name, work) }
    }

    /// Says every hour which hosts no client trusts; attempts are a day apart at last. The nearer the
    /// end of a certificate is that was not renewed, the more often that is said.
    private func remind(_ work: inout Work) {
        let (now, milliseconds) = (Clock.unixSeconds, Clock.monotonicMilliseconds)
        for (entry, level) in work.plan.alarms(now: now) {
            guard let host = work.hosts[entry.host] else { continue }
            let pause = work.plan.pause(of: entry, now: now)
            report(
                .finding(
                    CertificateFindings.alarm(
                        entry, level, pause: pause,
                        next: work.plan.due(entry, now: now, milliseconds: milliseconds),
                        at: host.automatic.position, now: now)))
        }
        guard let last = work.lastReminder else { return work.lastReminder = milliseconds }
        guard milliseconds - last >= Self.reminderMilliseconds else { return }
        work.lastReminder = milliseconds
        if let reminder = server.snapshot.placeholderReminder { report(.finding(reminder)) }
    }

    private static let reminderMilliseconds = 3_600_000

    private func take(_ snapshot: Snapshot, _ work: inout Work) {
        let before = work.hosts
        work.hosts = Dictionary(
            snapshot.automaticHosts.map { ($0.name.description, $0) },
            uniquingKeysWith: { first, _ in first })
        work.issued = snapshot.issuedCertificates
        // Files that they are made with may have changed.
        let settings = Set(Set(work.hosts.values.map(\.automatic)).flatMap(\.everyAuthority))
        work.accounts.outdate(settings).forEach { work.plan.forgetPauses(of: $0) }
        // Only who has the lock knows more than the files.
        let knows = work.isInCharge
        work.isInCharge = work.lock != nil
        var suffixes: PublicSuffixes?
        if before != work.hosts { suffixes = .installed }
        var entries = [RenewalPlan.Entry]()
        var changed = [String]()
        for host in snapshot.automaticHosts where work.hosts[host.name.description] == host {
            let name = host.name.description
            let known = knows && before[name] == host ? work.plan[name] : nil
            var record = known?.record ?? HostFiles(directory, host).readRecord()
            // Somebody has changed what it was refused with.
            if knows, before[name] != nil, known == nil { record.nextTry = nil }
            // The snapshot may be older than the file.
            if work.issued[name] == nil {
                work.issued[name] = HostFiles(directory, host).readCertificate()
            }
            let validity = work.issued[name]?.validity
            if work.isInCharge, record.renewAt == nil, let validity {
                record.plan(validity, random: .random(in: 0...1))
                changed.append(name)
            }
            entries.append(
                RenewalPlan.Entry(
                    host: name, authorities: host.automatic.choices,
                    domain: known?.domain
                        ?? suffixes?.registeredDomain(of: host.name.domain.description),
                    record: record, validity: validity))
        }
        let automatics = Dictionary(
            settings.map { ($0.authorityName, $0) }, uniquingKeysWith: { first, _ in first })
        work.plan.take(entries) { [directory] name in
            automatics[name].map(directory.allowance(of:)) ?? OrderAllowance()
        }
        for name in changed { save(name, work) }
        // Orders of hosts that are not served any more end where they are.
        for order in work.orders where work.hosts[order.host.name.description] != order.host {
            order.end(challenges, &work.programs)
            work.plan.leave(order.host.name.description)
        }
        let hosts = work.hosts
        work.orders.removeAll { hosts[$0.host.name.description] != $0.host }
        tell(work)
    }

    /// Of processes that share the directory, one requests certificates. The others serve what it
    /// writes, and take over when it ends.
    private func takeLock(_ work: inout Work) -> Bool {
        do throws(FileError) {
            work.lock = .some(try FileLock(path: directory.lock))
            Set(work.hosts.values.map(\.automatic)).forEach(directory.removeDrafts(of:))
            return true
        } catch {
            if !work.hasReportedLock, let host = work.hosts.values.first {
                work.hasReportedLock = true
                report(
                    error == .taken
                        ? .finding(
                            Diagnostic(
                                .warning, .certificateState, at: nil,
                                "another process requests the certificates in "
                                    + quoted(directory.root),
                                advice: "this one serves them, and takes over when the other ends; "
                                    + "if the other has another configuration, give each its own "
                                    + "--state"))
                        : .finding(
                            CertificateStateFault.file(
                                directory.lock, error, host.automatic.position
                            ).diagnostic))
            }
            return false
        }
    }

    /// Takes the orders of `waymark certificates renew` and `revoke`.
    private func takeOrders(_ work: inout Work) {
        for (name, host) in work.hosts {
            guard let isRevoked = directory.takeOrder(for: host.name) else { continue }
            work.plan.update(name) { entry in
                if isRevoked { entry.record.revoke() } else { entry.record.orderRenewal() }
            }
            save(name, work)
        }
    }

    /// Tells metrics what is known of the hosts.
    private func tell(_ work: borrowing Work) {
        let hosts = work.hosts
        server.renewals.set(
            work.plan.entries.map { entry in
                .init(
                    name: entry.host, renewAt: entry.validity == nil ? nil : entry.record.renewAt,
                    failures: entry.record.failures,
                    authority: entry.validity == nil ? nil : hosts[entry.host]?.issuer(entry.record)
                )
            })
    }

    private func save(_ name: String, _ work: borrowing Work) {
        guard let host = work.hosts[name], let record = work.plan[name]?.record else { return }
        notes.save(record, of: host)
    }

    /// Keeps the pauses that the hosts of an authority share.
    private func saveAllowance(of automatic: AutomaticCertificates, _ work: borrowing Work) {
        guard let allowance = work.plan.allowances[automatic.authorityName] else { return }
        notes.save(allowance, of: automatic)
    }
}

// MARK: - Asking the authority

extension CertificateService {
    /// Begins an order for a host, or goes on with it.
    private func begin(_ host: AutomaticHost, _ work: inout Work) {
        let (name, now) = (host.name.description, Clock.unixSeconds)
        guard let entry = work.plan[name] else { return }
        let automatic = host.automatic.settings(of: work.plan.attempt(of: entry, now: now))
        do throws(IssuanceFault) {
            try work.accounts.open(automatic)
        } catch {
            let fault = work.plan.block(name, error, until: now + Self.blockSeconds, now: now)
            return tellFailure(fault, host, automatic, &work)
        }
        let attempt = work.plan.begin(
            name, now: now, milliseconds: Clock.monotonicMilliseconds)
        guard let attempt, let record = work.plan[name]?.record else { return }
        // The key of an order with another authority is replaced.
        save(name, work)
        // An authority knows what it has issued itself.
        let replaced = attempt.authority == entry.issuer ? work.issued[name]?.renewalID : nil
        do throws(IssuanceFault) {
            work.orders.append(
                try RunningOrder(
                    host, automatic, isRehearsal: attempt.isRehearsal,
                    HostFiles(directory, host), record,
                    .init(
                        challenges: record.nextChallenges(
                            answersHTTP: answersHTTP, dns: host.automatic.dns?.challenge,
                            isWildcard: host.name.isWildcard),
                        profile: automatic.profile, replaces: replaced)))
        } catch {
            fail(error, host, automatic, &work)
        }
    }

    private static let blockSeconds = 3_600

    /// Lets each order make a step.
    /// - Returns: how long all of them wait, in milliseconds.
    private func advanceOrders(_ work: inout Work) -> Int {
        var pause = Int.max
        // An authority that cannot be asked takes all of its orders away.
        for name in work.orders.map(\.host.name.description) {
            guard !thread.isEnding else { return 0 }
            guard let index = work.orders.firstIndex(where: { $0.host.name.description == name })
            else { continue }
            pause = min(pause, advance(index, &work))
        }
        return pause
    }

    private func advance(_ index: Int, _ work: inout Work) -> Int {
        let (host, automatic) = (work.orders[index].host, work.orders[index].automatic)
        let name = host.name.description
        do throws(IssuanceFault) {
            let progress = try step(index, automatic, &work)
            switch progress {
            case .worked: return 0
            case .waiting(let time): return max(0, time - Clock.monotonicMilliseconds)
            case .needs(let record):
                work.plan.update(name) { $0.record.open(record) }
                save(name, work)
                work.programs.set(record, for: host)
                return 0
            case .answered(let type):
                work.plan.update(name) { $0.record.challenge = type }
                save(name, work)
                return 0
            case .issued(let chain):
                try publish(chain, index, &work)
                return 0
            }
        } catch {
            let order = work.orders.remove(at: index)
            order.end(challenges, &work.programs)
            fail(order.explain(error), host, automatic, &work, isOfDNS: order.record != nil)
            return 0
        }
    }

    /// Lets an order make a step, and keeps what it has reached.
    private func step(
        _ index: Int, _ automatic: AutomaticCertificates, _ work: inout Work
    ) throws(IssuanceFault) -> RunningOrder.Progress {
        var (order, programs) = (work.orders[index], work.programs)
        defer {
            (work.orders[index], work.programs) = (order, programs)
            keepProgress(index, &work)
        }
        return try work.accounts.use(automatic) { authority throws(IssuanceFault) in
            do throws(IssuanceFault) {
                return try order.advance(&authority, challenges, &programs, report)
            } catch {
                // Its URLs may have changed.
                authority.session.forgetDirectory()
                throw error
            }
        }
    }

    private func keepProgress(_ index: Int, _ work: inout Work) {
        let (order, name) = (work.orders[index], work.orders[index].host.name.description)
        guard work.plan[name]?.record.order != order.issuance.progress else { return }
        work.plan.update(name) { $0.record.order = order.issuance.progress }
        save(name, work)
    }

    /// Puts what was issued in the place of what is served.
    private func publish(
        _ chain: [UInt8], _ index: Int, _ work: inout Work
    ) throws(IssuanceFault) {
        let order = work.orders[index]
        let (host, name) = (order.host, order.host.name.description)
        let now = Clock.unixSeconds
        let isUsable = work.plan[name]?.usableValidity != nil && !order.isRehearsal
        let before = isUsable ? work.issued[name] : nil
        let certificate: ServerCertificate
        do throws(IssuanceFault) {
            certificate = try CertificateAcceptance.accept(
                chain, key: order.key, for: host.name, after: before, now: now)
        } catch {
            work.plan.update(name) { $0.record.refuseCertificate() }
            throw error
        }
        guard !order.isRehearsal else { return rehearse(index, &work) }
        do throws(FileError) {
            try HostFiles(directory, host).write(key: order.key, chain: chain)
        } catch {
            throw IssuanceFault(.certificate, .temporary, "it cannot be kept: \(error)")
        }
        work.orders.remove(at: index)
        order.end(challenges, &work.programs)
        let isRenewal = work.issued[name] != nil
        work.issued[name] = certificate
        work.plan.succeed(name, certificate.validity, now: now, random: .random(in: 0...1))
        save(name, work)
        saveAllowance(of: order.automatic, work)
        tell(work)
        server.renewals.count(isIssued: true)
        hasNews.store(true, ordering: .releasing)
        reader.wake()
        report(
            .certificateIssued(
                host: name, authority: order.automatic.directory,
                isOther: order.automatic.first != nil, isRenewal: isRenewal,
                notAfter: certificate.notAfter,
                milliseconds: Clock.monotonicMilliseconds - order.began))
    }

    /// Goes on after a test authority has issued a certificate, which nobody trusts and nobody gets.
    private func rehearse(_ index: Int, _ work: inout Work) {
        let order = work.orders.remove(at: index)
        order.end(challenges, &work.programs)
        let name = order.host.name.description
        work.plan.rehearse(name, now: Clock.unixSeconds)
        save(name, work)
        saveAllowance(of: order.automatic, work)
        report(.certificateRehearsed(host: name, authority: order.automatic.directory))
    }

    /// Asks when a certificate should be renewed (RFC 9773).
    private func inquire(_ host: AutomaticHost, _ work: inout Work) {
        let (now, name) = (Clock.unixSeconds, host.name.description)
        var info: RenewalInfo?
        do throws(IssuanceFault) {
            if let issuer = work.plan[name].flatMap({ host.automatic.authority(named: $0.issuer) }),
                let id = work.issued[name]?.renewalID
            {
                info = try work.accounts.use(issuer) { authority throws(IssuanceFault) in
                    try authority.renewalInfo(of: id, now: now)
                }
            }
        } catch {
            // The certificate is renewed at the time that was drawn, whether this can be asked or not.
        }
        let before = work.plan[name]?.record.renewAt
        let after = work.plan.update(name) { entry in
            entry.record.take(
                info?.window, next: info?.retryTime, entry.validity, now: now,
                random: .random(in: 0...1))
        }?.renewAt
        save(name, work)
        guard let explanation = info?.explanation, let after, after != before else { return }
        report(.renewalMoved(host: name, to: after, explanation: explanation))
    }

    // MARK: What fails

    /// - Parameters:
    ///   - automatic: with the authority that was asked.
    ///   - isOfDNS: whether the host was to be proven by a record in DNS.
    private func fail(
        _ fault: IssuanceFault, _ host: AutomaticHost, _ automatic: AutomaticCertificates,
        _ work: inout Work, isOfDNS: Bool = false
    ) {
        let fault = work.plan.fail(
            host.name.description, fault, now: Clock.unixSeconds, random: .random(in: 0...1))
        saveAllowance(of: automatic, work)
        if fault.step.isOfAuthority {
            // The others would run into the same; they go on where they are when it is over.
            let name = automatic.authorityName
            for order in work.orders where order.automatic.authorityName == name {
                order.end(challenges, &work.programs)
                work.plan.leave(order.host.name.description)
            }
            work.orders.removeAll { $0.automatic.authorityName == name }
        }
        tellFailure(fault, host, automatic, &work, isOfDNS: isOfDNS)
    }

    private func tellFailure(
        _ fault: IssuanceFault, _ host: AutomaticHost, _ automatic: AutomaticCertificates,
        _ work: inout Work, isOfDNS: Bool = false
    ) {
        let (now, name) = (Clock.unixSeconds, host.name.description)
        save(name, work)
        tell(work)
        server.renewals.count(isIssued: false)
        guard let entry = work.plan[name] else { return }
        let evidence =
            fault.kind == .challenge && !isOfDNS
            ? work.accounts.evidence(for: host, automatic) : nil
        report(
            .finding(
                CertificateFindings.failure(
                    fault, entry,
                    next: work.plan.due(
                        entry, now: now, milliseconds: Clock.monotonicMilliseconds),
                    evidence: evidence, at: host.automatic.position, now: now)))
    }
}

// MARK: - Records in DNS

extension CertificateService {
    /// Takes the end of a program.
    private func take(_ ended: RecordPrograms.Ended, _ work: inout Work) {
        let name = ended.host.name.description
        if !ended.isOpen {
            work.plan.update(name) { $0.record.close(ended.record) }
            save(name, work)
        }
        switch (ended.outcome, ended.action) {
        case (.done(let output?), _):
            report(.programOutput(host: name, text: output))
        case (.failed(let reason, _), .clear):
            report(.finding(CertificateFindings.leftRecord(reason, of: ended.host)))
        case (.done(nil), _), (.failed, .set): break
        }
    }

    /// Clears what an earlier process had no time for.
    private func clearLeftRecords(_ work: inout Work) {
        for entry in work.plan.entries {
            guard let host = work.hosts[entry.host] else { continue }
            for record in entry.record.openRecords {
                work.programs.clear(record, for: host, isLeft: true)
            }
        }
    }

    /// Clears the records of orders that are under way, which a later process sets again.
    private func finish(_ work: inout Work) {
        for order in work.orders { order.end(challenges, &work.programs) }
        guard !work.programs.isIdle else { return }
        isClearing.store(true, ordering: .releasing)
        var programs = work.programs
        programs.stop(atMost: Self.clearMilliseconds) { take($0, &work) }
        isClearing.store(false, ordering: .releasing)
    }
}

extension AutomaticCertificates.DNSProof {
    fileprivate var challenge: ChallengeType { self == .persistent ? .persistent : .dns }
}

extension Snapshot {
    /// The certificates that were issued, by their hosts.
    fileprivate var issuedCertificates: [String: ServerCertificate] {
        var found = [String: ServerCertificate]()
        for configured in certificates.configured {
            guard let host = configured.files.automaticHost else { continue }
            found[host] = configured.usable?.certificate
        }
        return found
    }
}

extension ServerCertificate {
    var validity: RenewalSchedule.Validity { .init(notBefore: notBefore, notAfter: notAfter) }

    /// As authorities write it (RFC 9773 §4.1).
    fileprivate var renewalID: String? {
        renewalIdentifier.map { "\(base64URL($0.issuerKey)).\(base64URL($0.serial))" }
    }
}
