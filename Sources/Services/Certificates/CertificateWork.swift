import Certificates
import Diagnostics
import Files
import SiteConfiguration
import Snapshots
import TLS
import URISyntax

/// Does what `CertificateAgenda` names next, and tells it what has come of that. It belongs to one
/// thread.
struct CertificateWork: ~Copyable {
    /// The orders of `waymark certificates`.
    private(set) var arrivals: Arrivals
    private var agenda = CertificateAgenda()
    private let directory: CertificateDirectory
    private var notes: CertificateNotes
    private let server: ServedOrigin
    private let challenges: ChallengeCertificates
    private let answersHTTP: Bool
    private let report: @Sendable (ServiceEvent) -> Void
    private var lock = DirectoryLock()
    private var writing = WritingCheck()
    /// The generation of the snapshot with the hosts.
    private var generation = 0
    private var hosts = AutomaticHosts()
    private var accounts: AuthorityAccounts
    private var orders = [String: RunningOrder]()
    private var programs: RecordPrograms
    private var hasNews = false
    /// The authorities whose accounts were made while a snapshot without them was served.
    private var awaitedAccounts = Set<String>()

    init(
        _ directory: CertificateDirectory, _ server: ServedOrigin,
        _ challenges: ChallengeCertificates, _ programs: RecordPrograms, answersHTTP: Bool,
        version: String, _ report: @escaping @Sendable (ServiceEvent) -> Void
    ) {
        (self.directory, self.server, self.report) = (directory, server, report)
        (self.challenges, self.answersHTTP, self.programs) = (challenges, answersHTTP, programs)
        notes = CertificateNotes(directory, report)
        accounts = AuthorityAccounts(
            directory, agent: "Waymark/\(version) OpenSSL/\(openSSLVersion)")
        arrivals = Arrivals(directory)
    }

    /// Takes what is new, and does one thing.
    /// - Returns: how long to wait, in milliseconds.
    mutating func turn(_ hurries: CertificateService.Hurries) -> Int {
        if lock.giveUp(ifReplacedIn: directory) { end(agenda.loseLock()) }
        takeSnapshot()
        let now = Moment.now
        if lock.isHeld {
            if arrivals.take() { takeOrders() }
            if hurries.isForAll {
                agenda.hurry(nil, now)
                tell(CertificateFindings.delayed(agenda.delayed(now)))
            }
            for host in hurries.hosts { agenda.hurry(host, now) }
            let fault = writing.look(
                directory, hosts, isHurried: hurries.isForAll, milliseconds: now.milliseconds)
            if let fault, fault.message != notes.fault?.message { report(.finding(fault)) }
        }
        for ended in programs.advance() { take(ended) }
        keep()
        var pause = 0
        switch agenda.next(now) {
        case .takeLock: takeLock(now)
        case .warn(let warnings): warn(warnings, now)
        case .remind:
            if let reminder = server.snapshot.placeholderReminder { report(.finding(reminder)) }
        case .begin(let name, let attempt):
            if let host = hosts[name] { begin(host, attempt, now) }
        case .step(let name): if let order = orders[name] { step(order) }
        case .inquire(let name): if let host = hosts[name] { inquire(host) }
        case .wait(let milliseconds): pause = milliseconds
        }
        keep()
        // Without hosts, nobody looks any more whether it is still there.
        let obstacle =
            hosts.byName.isEmpty
            ? nil : lock.obstacle ?? notes.fault ?? (lock.isHeld ? writing.fault : nil)
        server.renewals.look(at: agenda.plan, hosts.byName, obstacle)
        return notes.fault == nil ? pause : min(pause, CertificateNotes.retryMilliseconds)
    }

    /// Whether a certificate was issued since the last call.
    mutating func takeNews() -> Bool {
        defer { hasNews = false }
        return hasNews
    }

    /// Leaves the orders where they are; a later process goes on with them.
    /// - Returns: whether programs have to clear records in DNS.
    mutating func endOrders() -> Bool {
        end(Array(orders.keys))
        // There may be room by now for what could not be written.
        notes.hasten()
        keep()
        return !programs.isIdle
    }

    /// Waits for the programs that clear records.
    mutating func endPrograms(atMost milliseconds: Int) {
        var left = programs
        left.stop(atMost: milliseconds) { ended in
            take(ended)
            keep()
        }
        programs = left
    }

    // MARK: News

    private mutating func takeSnapshot() {
        let generation = server.reloads.generation
        guard self.generation != generation else { return }
        self.generation = generation
        take(server.snapshot)
    }

    private mutating func take(_ snapshot: Snapshot) {
        let served = hosts.take(snapshot, directory, agenda)
        // Files that they are made with may have changed.
        accounts.outdate(hosts.authorities).forEach { agenda.forgetPauses(of: $0) }
        let (settings, directory) = (hosts.settings, directory)
        let left = agenda.take(
            served, .now, isInCharge: lock.isHeld, random: { .random(in: 0...1) }
        ) {
            settings[$0].map(directory.allowance(of:)) ?? OrderAllowance()
        }
        end(left)
        server.renewals.set(agenda.plan, hosts.byName)
    }

    /// Takes the orders of `waymark certificates renew` and `revoke`.
    private mutating func takeOrders() {
        for (name, host) in hosts.byName {
            guard let isRevoked = directory.takeOrder(for: host.name) else { continue }
            agenda.note(name) { isRevoked ? $0.revoke() : $0.orderRenewal() }
            // Its file is removed already.
            keep()
        }
    }

    /// Takes the end of a program.
    private mutating func take(_ ended: RecordPrograms.Ended) {
        let name = ended.host.name.description
        agenda.take(ended.record, of: name, isOpen: ended.isOpen)
        switch (ended.outcome, ended.action) {
        case (.done(let output?), _): report(.programOutput(host: name, text: output))
        case (.failed(let reason, _), .clear):
            tell([CertificateFindings.leftRecord(reason, of: ended.host, wasSet: ended.wasSet)])
        case (.done(nil), _), (.failed, .set): break
        }
    }

    // MARK: Saving and reporting

    /// Saves the records that have changed, before anything else is done. Without the lock, they are
    /// another process's.
    private mutating func keep() {
        guard lock.isHeld else { return }
        let (hadFault, now) = (notes.fault != nil, Moment.now)
        notes.save(
            agenda.takeChanges(), of: agenda.plan, hosts, milliseconds: now.milliseconds)
        // What could not be written may be why orders have failed.
        if hadFault, notes.fault == nil { agenda.release() }
    }

    private func warn(_ warnings: [CertificateAgenda.Warning], _ now: Moment) {
        for warning in warnings {
            guard let host = hosts[warning.host], let entry = agenda.plan[warning.host] else {
                continue
            }
            report(
                .finding(
                    CertificateFindings.alarm(
                        entry, warning.level, pause: warning.pause, next: warning.next,
                        obstacle: lock.obstacle?.message, at: host.automatic.position,
                        now: now.seconds)))
        }
    }

    private func tell(_ findings: [Diagnostic]) {
        for finding in findings { report(.finding(finding)) }
    }

    // MARK: The lock

    private mutating func takeLock(_ now: Moment) {
        let environment = server.snapshot.environment.name
        switch lock.take(directory, Array(hosts.byName.values), of: environment) {
        case .held: break
        case .same: return
        case .obstructed(let obstacle, let isSaid):
            if !isSaid { report(.finding(obstacle)) }
            let lacking = agenda.plan.entries.filter { $0.usableValidity == nil }.map(\.host)
            tell(CertificateFindings.unattended(lacking, obstacle.message))
            return
        }
        Set(hosts.byName.values.map(\.automatic)).forEach(directory.removeDrafts(of:))
        // Another process may have gone on since they were read.
        take(server.snapshot)
        agenda.hurry(nil, now)
        keep()
        // Clear the records that an earlier process had no time to clear.
        for entry in agenda.plan.entries {
            guard let host = hosts[entry.host] else { continue }
            for record in entry.record.openRecords {
                programs.clear(record, for: host, isLeft: true)
            }
        }
        // Names each host without a certificate; of those whose certificate has ended, alarms tell.
        let waiting = agenda.plan.waiting(now: now.seconds, milliseconds: now.milliseconds)
        let hosts = hosts
        tell(
            CertificateFindings.greeting(waiting, now: now.seconds) {
                hosts[$0]?.automatic.position
            })
    }
}

// MARK: - Asking the authority

extension CertificateWork {
    private mutating func begin(_ host: AutomaticHost, _ attempt: AuthorityAttempt, _ now: Moment) {
        let (name, automatic) = (host.name.description, host.automatic.settings(of: attempt))
        do throws(IssuanceFault) {
            try accounts.open(automatic)
        } catch {
            let failures = agenda.plan[name]?.record.failures
            return tellFailure(agenda.block(name, error, now), host, automatic, after: failures)
        }
        // What is served answers challenges over plain HTTP, and may not know the account yet.
        if server.snapshot.lacksAccount(of: host.automatic),
            awaitedAccounts.insert(host.automatic.authorityName).inserted
        {
            hasNews = true
            return agenda.settle(now)
        }
        guard let attempt = agenda.begin(name, now), let entry = agenda.plan[name] else { return }
        // The key of an order with another authority is replaced.
        keep()
        // An authority knows what it has issued itself.
        let replaced = attempt.authority == entry.issuer ? hosts.issued[name]?.renewalID : nil
        do throws(IssuanceFault) {
            orders[name] = try RunningOrder(
                host, automatic, isRehearsal: attempt.isRehearsal, HostFiles(directory, host),
                entry.record,
                .init(
                    challenges: entry.record.nextChallenges(
                        answersHTTP: answersHTTP, dns: host.automatic.dns?.challenge,
                        isWildcard: host.name.isWildcard),
                    profile: automatic.profile, replaces: replaced))
        } catch {
            fail(error, host, automatic)
        }
    }

    private mutating func step(_ order: RunningOrder) {
        let (host, name) = (order.host, order.host.name.description)
        do throws(IssuanceFault) {
            switch try advance(order) {
            case .worked: break
            case .waiting(let time): agenda.wait(name, until: time)
            case .needs(let record):
                agenda.note(name) { $0.open(record) }
                keep()
                programs.set(record, for: host)
            case .answered(let type): agenda.note(name) { $0.challenge = type }
            case .issued(let chain): try publish(chain, order)
            }
        } catch {
            let ended = orders[name] ?? order
            end([name])
            fail(
                ended.explain(error), host, order.automatic, isOfDNS: ended.record != nil)
        }
    }

    private mutating func advance(
        _ before: RunningOrder
    ) throws(IssuanceFault) -> RunningOrder.Progress {
        let name = before.host.name.description
        var (order, programs) = (before, programs)
        let (challenges, report) = (challenges, report)
        defer {
            (orders[name], self.programs) = (order, programs)
            agenda.note(name) { $0.order = order.issuance.progress }
        }
        return try accounts.use(before.automatic) { authority throws(IssuanceFault) in
            do throws(IssuanceFault) {
                return try order.advance(&authority, challenges, &programs, report)
            } catch {
                // Its URLs may have changed.
                authority.session.forgetDirectory()
                throw error
            }
        }
    }

    /// Puts what was issued in the place of what is served.
    private mutating func publish(
        _ chain: [UInt8], _ order: RunningOrder
    ) throws(IssuanceFault) {
        let (host, name, now) = (order.host, order.host.name.description, Moment.now)
        let isUsable = agenda.plan[name]?.usableValidity != nil && !order.isRehearsal
        let certificate: ServerCertificate
        do throws(IssuanceFault) {
            certificate = try CertificateAcceptance.accept(
                chain, key: order.key, for: host.name, after: isUsable ? hosts.issued[name] : nil,
                now: now.seconds)
        } catch {
            agenda.note(name) { $0.refuseCertificate() }
            throw error
        }
        // Nobody trusts what a test authority issues, and nobody gets it.
        guard !order.isRehearsal else {
            end([name])
            agenda.rehearse(name, now)
            return report(.certificateRehearsed(host: name, authority: order.automatic.directory))
        }
        do throws(FileError) {
            try HostFiles(directory, host).write(key: order.key, chain: chain)
        } catch {
            throw IssuanceFault(
                .certificate, .machine, "it was issued, but cannot be kept: \(error)")
        }
        end([name])
        let isRenewal = hosts.note(certificate, of: name)
        agenda.succeed(name, certificate.validity, now, random: .random(in: 0...1))
        keep()
        server.renewals.set(agenda.plan, hosts.byName)
        server.renewals.count(isIssued: true)
        hasNews = true
        report(
            .certificateIssued(
                host: name, authority: order.automatic.directory,
                isOther: order.automatic.first != nil, isRenewal: isRenewal,
                notAfter: certificate.notAfter, milliseconds: now.milliseconds - order.began))
    }

    /// Asks when a certificate should be renewed (RFC 9773).
    private mutating func inquire(_ host: AutomaticHost) {
        let (now, name) = (Moment.now, host.name.description)
        var info: RenewalInfo?
        if let issuer = agenda.plan[name].flatMap({ host.automatic.authority(named: $0.issuer) }),
            let id = hosts.issued[name]?.renewalID
        {
            // The certificate is renewed at the time that was drawn, whether this can be asked or not.
            info = try? accounts.use(issuer) { authority throws(IssuanceFault) in
                try authority.renewalInfo(of: id, now: now.seconds)
            }
        }
        let time = agenda.inquire(name, info, now, random: .random(in: 0...1))
        keep()
        guard let explanation = info?.explanation, let time else { return }
        report(.renewalMoved(host: name, to: time, explanation: explanation))
    }

    /// Takes the answers to the challenges of orders away, which end here.
    private mutating func end(_ names: [String]) {
        for name in names { orders.removeValue(forKey: name)?.end(challenges, &programs) }
    }

    /// - Parameters:
    ///   - automatic: with the authority that was asked.
    ///   - isOfDNS: whether the host was to be proven by a record in DNS.
    private mutating func fail(
        _ fault: IssuanceFault, _ host: AutomaticHost, _ automatic: AutomaticCertificates,
        isOfDNS: Bool = false
    ) {
        let failures = agenda.plan[host.name.description]?.record.failures
        let (fault, ended) = agenda.fail(
            host.name.description, fault, .now, random: .random(in: 0...1))
        end(ended)
        tellFailure(fault, host, automatic, after: failures, isOfDNS: isOfDNS)
    }

    /// - Parameter failures: as many as there were before. A fault of this machine that goes on is said
    ///   once.
    private mutating func tellFailure(
        _ fault: IssuanceFault, _ host: AutomaticHost, _ automatic: AutomaticCertificates,
        after failures: Int?, isOfDNS: Bool = false
    ) {
        keep()
        guard agenda.plan[host.name.description]?.record.failures != failures else { return }
        server.renewals.set(agenda.plan, hosts.byName)
        server.renewals.count(isIssued: false)
        guard let entry = agenda.plan[host.name.description] else { return }
        let (now, isOfNetwork) = (Moment.now, fault.kind == .challenge && !isOfDNS)
        report(
            .finding(
                CertificateFindings.failure(
                    fault, entry, next: agenda.due(entry, now),
                    evidence: isOfNetwork ? accounts.evidence(for: host, automatic) : nil,
                    at: host.automatic.position, now: now.seconds)))
    }
}
