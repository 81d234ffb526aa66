import Certificates
import Diagnostics
import Files
import SiteConfiguration
import Snapshots
import TLS

/// Does what `CertificateAgenda` names next, and tells it what has come of that. It belongs to one
/// thread.
struct CertificateWork: ~Copyable {
    /// The orders of `waymark certificates`.
    private(set) var arrivals: Arrivals
    var agenda: CertificateAgenda
    let directory: CertificateDirectory
    private var notes: CertificateNotes
    let server: ServedOrigin
    let challenges: ChallengeCertificates
    let answersHTTP: Bool
    let report: @Sendable (ServiceEvent) -> Void
    private(set) var lock = DirectoryLock()
    /// The part of the directory that several nodes have together; nil where there is one node.
    let fleet: FleetDirectory?
    private var writing = WritingCheck()
    /// The generation of the snapshot with the hosts.
    private var generation = 0
    var hosts = AutomaticHosts()
    var accounts: AuthorityAccounts
    var orders = [String: RunningOrder]()
    var programs: RecordPrograms
    var hasNews = false
    /// The authorities whose accounts were made while a snapshot without them was served.
    var awaitedAccounts = Set<String>()
    /// The attempts that were asked for while this process was not in charge, which it makes when it is.
    private var hurries = CertificateService.Hurries()
    /// Whether this process was in charge before.
    private var hasBegun = false
    /// In milliseconds of the monotonic clock.
    private var lockAt = 0
    /// Orders whose challenges other nodes have to answer, too.
    var spreads = [String: Spread]()
    /// The fault of the fleet that was reported last.
    var toldFault = ""
    /// Files of the fleet that were reported because they cannot be used.
    var unusable = Set<String>()
    /// Certificates that came while the record still said that the host's was revoked.
    var withheld = [String: FleetDirectory.Change]()
    /// The hosts whose certificates were revoked, while that is written.
    var revoked = Set<String>()

    init(
        _ directory: CertificateDirectory, _ server: ServedOrigin,
        _ challenges: ChallengeCertificates, _ programs: RecordPrograms,
        _ store: ServedStore?, answersHTTP: Bool, version: String,
        _ report: @escaping @Sendable (ServiceEvent) -> Void
    ) {
        (self.directory, self.server, self.report) = (directory, server, report)
        (self.challenges, self.answersHTTP, self.programs) = (challenges, answersHTTP, programs)
        fleet = store?.place.map { FleetDirectory(directory, $0) }
        agenda = CertificateAgenda(takesTurns: fleet != nil)
        notes = CertificateNotes(directory, report)
        accounts = AuthorityAccounts(
            directory, agent: "Waymark/\(version) OpenSSL/\(openSSLVersion)")
        arrivals = Arrivals(directory)
    }

    /// Takes what is new, and does one thing.
    /// - Returns: how long to wait, in milliseconds.
    mutating func turn(_ hurries: CertificateService.Hurries) -> Int {
        if lock.giveUp(ifReplacedIn: directory) {
            leave()
            fleet?.forget()
        }
        takeSnapshot()
        let now = Moment.now
        self.hurries.add(hurries)
        if let fleet { follow(fleet, now) }
        if isInCharge {
            takeRequests(now)
        } else if fleet == nil {
            self.hurries = CertificateService.Hurries()
        } else if !self.hurries.isEmpty || lock.isHeld && arrivals.take() {
            agenda.isAsked = true
        }
        if lock.isHeld {
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
        case .wait(let milliseconds):
            pause = milliseconds
            if agenda.canYield(now), programs.isIdle { leave() }
        }
        keep()
        if let fleet {
            if lock.isHeld { fleet.note() }
            if !isInCharge { pause = min(pause, fleet.pause(now)) }
        }
        // Without hosts, nobody looks any more whether it is still there.
        let obstacle =
            hosts.byName.isEmpty
            ? nil
            : lock.obstacle ?? fleet?.obstacle ?? notes.fault ?? (lock.isHeld ? writing.fault : nil)
        server.renewals.look(at: agenda.plan, hosts.byName, obstacle)
        return notes.fault == nil ? pause : min(pause, CertificateNotes.retryMilliseconds)
    }

    /// Whether a certificate was issued since the last call.
    mutating func takeNews() -> Bool {
        defer { hasNews = false }
        return hasNews
    }

    /// Whether this process requests certificates: of those that share the directory, and of the nodes of a fleet.
    var isInCharge: Bool { lock.isHeld && fleet?.hasTurn ?? true }

    /// Lets another process or node be in charge. Orders stay where they are.
    mutating func leave() {
        end(agenda.loseLock(), isLeft: fleet != nil)
        fleet?.endTurn()
        // What could not be written here is in the database alone. It is copied before this node's next turn, which would
        // begin with older files else.
        if notes.fault != nil { fleet?.forget() }
    }

    /// Ends a wait when another node has changed something.
    var newsSource: Int? { fleet?.newsSource }

    /// Leaves the orders where they are; a later process goes on with them.
    /// - Returns: whether programs have to clear records in DNS.
    mutating func endOrders() -> Bool {
        end(Array(orders.keys), isLeft: fleet != nil)
        // There may be room by now for what could not be written.
        notes.hasten()
        keep()
        if programs.isIdle { leave() }
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
        leave()
    }

    // MARK: News

    private mutating func takeSnapshot() {
        let generation = server.reloads.generation
        guard self.generation != generation else { return }
        self.generation = generation
        let before = hosts.byName
        take(server.snapshot)
        guard let fleet else { return }
        // The database may have what was issued for others.
        if fleet.hasTurn, hosts.byName != before { leave() }
        fleet.serve(hosts, of: server.snapshot.environment.store)
        if agenda.isInCharge, !fleet.hasTurn { leave() }
    }

    mutating func take(_ snapshot: Snapshot) {
        let served = hosts.take(snapshot, directory, agenda)
        // Files that they are made with may have changed.
        accounts.outdate(hosts.authorities).forEach { agenda.forgetPauses(of: $0) }
        let (settings, directory) = (hosts.settings, directory)
        let left = agenda.take(
            served, .now, isInCharge: isInCharge, random: { .random(in: 0...1) }
        ) {
            settings[$0].map(directory.allowance(of:)) ?? OrderAllowance()
        }
        end(left)
        server.renewals.set(agenda.plan, hosts.byName)
    }

    /// Takes what others have asked for.
    private mutating func takeRequests(_ now: Moment) {
        if arrivals.take() || agenda.isAsked { agenda.isAsked = !takeOrders() }
        if hurries.isForAll {
            agenda.hurry(nil, now)
            tell(CertificateFindings.delayed(agenda.delayed(now)))
        }
        for host in hurries.hosts { agenda.hurry(host, now) }
        hurries = CertificateService.Hurries()
    }

    /// Takes the orders of `waymark certificates renew` and `revoke`.
    /// - Returns: false if some stay, because it is not this node's turn any more.
    mutating func takeOrders() -> Bool {
        for host in hosts.byName.values {
            guard let order = directory.order(for: host.name) else { continue }
            carryOut(order, for: host)
            // What is not in the database is not what the next node reads, so that the order stays.
            guard isInCharge else { return false }
            directory.remove(order, for: host.name)
        }
        return true
    }

    private mutating func carryOut(_ order: CertificateOrder, for host: AutomaticHost) {
        let (name, files) = (host.name.description, HostFiles(directory, host))
        defer { revoked.remove(name) }
        if case .revocation = order {
            let own = files.readCertificate()
            // Another node may have got another one meanwhile.
            if let own, !order.revokes(own) { return }
            // Who has revoked it may have been killed just then.
            if own != nil {
                removeFile(files.certificate)
                hasNews = true
            }
            // Its file is gone, and it is served until there is another.
            let served = server.snapshot.servedCertificates[name].flatMap {
                order.revokes($0) ? $0.validity : nil
            }
            let now = Moment.now.seconds
            let validity =
                own?.validity ?? served ?? agenda.plan[name]?.validity
                ?? RenewalSchedule.Validity(notBefore: now, notAfter: now)
            agenda.note(name) { $0.revoke(validity) }
            withheld[name] = nil
            revoked.insert(name)
        } else {
            let isIssued = agenda.plan[name]?.underway == nil && files.readCertificate() != nil
            agenda.note(name) { $0.orderRenewal(isIssued: isIssued) }
        }
        keep()
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
    mutating func keep() {
        guard isInCharge else { return }
        let (hadFault, now) = (notes.fault != nil, Moment.now)
        let changes = agenda.takeChanges()
        notes.save(changes, of: agenda.plan, hosts, milliseconds: now.milliseconds)
        if let fleet { keep(changes, in: fleet, now) }
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
                        obstacle: (lock.obstacle ?? fleet?.obstacle)?.message,
                        at: host.automatic.position,
                        now: now.seconds)))
        }
    }

    func tell(_ findings: [Diagnostic]) {
        for finding in findings { report(.finding(finding)) }
    }

    // MARK: The lock

    /// Takes the lock of the directory.
    /// - Returns: whether this process has it.
    mutating func takeOwnLock(_ now: Moment) -> Bool {
        guard !lock.isHeld, !hosts.byName.isEmpty, now.milliseconds >= lockAt else {
            return lock.isHeld
        }
        // An agenda without turns asks for it in its own time.
        lockAt = fleet == nil ? 0 : now.milliseconds + Self.lockMilliseconds
        let environment = server.snapshot.environment.name
        switch lock.take(directory, Array(hosts.byName.values), of: environment) {
        case .held: break
        case .same: return false
        case .obstructed(let obstacle, let isSaid):
            if !isSaid { report(.finding(obstacle)) }
            let lacking = agenda.plan.entries.filter { $0.usableValidity == nil }.map(\.host)
            tell(CertificateFindings.unattended(lacking, obstacle.message))
            return false
        }
        Set(hosts.byName.values.map(\.automatic)).forEach(directory.removeDrafts(of:))
        // What was read without it is not in the directory.
        fleet?.forget()
        // A node that is alone now has left it, and advice for nodes of a fleet would reach into the database of the others.
        if fleet == nil { removeFile(directory.fleetFile) }
        return true
    }

    private static let lockMilliseconds = 5_000

    private mutating func takeLock(_ now: Moment) {
        guard takeOwnLock(now) else { return }
        if let fleet, !takeTurn(fleet, now) { return }
        // Another process may have gone on since they were read.
        take(server.snapshot)
        if let fleet { keepAll(in: fleet, now) }
        guard isInCharge else { return }
        let isStart = fleet == nil || !hasBegun
        hasBegun = true
        if isStart { agenda.hurry(nil, now) }
        // Nodes that start together know of each other a moment later.
        if isStart, fleet != nil { agenda.settle(now) }
        keep()
        // Clear the records that an earlier process had no time to clear.
        for entry in agenda.plan.entries {
            guard let host = hosts[entry.host] else { continue }
            for record in entry.record.openRecords {
                programs.clear(record, for: host, isLeft: true)
            }
        }
        guard isStart else { return }
        // Names each host without a certificate; of those whose certificate has ended, alarms tell.
        let waiting = agenda.plan.waiting(now: now.seconds, milliseconds: now.milliseconds)
        let hosts = hosts
        tell(
            CertificateFindings.greeting(waiting, now: now.seconds) {
                hosts[$0]?.automatic.position
            })
    }
}
