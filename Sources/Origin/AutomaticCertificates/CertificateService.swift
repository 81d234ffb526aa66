import Certificates
import Diagnostics
import Files
import HTTPClient
import HTTPMessages
import SiteConfiguration
package import Sockets
import Synchronization
package import TLS
import URISyntax

/// Requests and renews certificates, on a thread of its own, one after the other (RFC 8555).
///
/// It writes them into files of `CertificateDirectory`, from which they are served like any others:
/// a change of a file is noticed, and published as another snapshot. Nothing else is shared with the
/// loops. What it has reached is in files before it goes on, so that an end at any time leads to no
/// second order.
package final class CertificateService: Sendable {
    private let directory: CertificateDirectory
    private let server: OriginServer
    private let agent: String
    private let challenges: ChallengeCertificates
    private let answersHTTP: Bool
    private let report: @Sendable (OriginEvent) -> Void
    private let wakeup: Wakeup
    private let hasEnded: Wakeup
    private let isStopping = Atomic<Bool>(false)
    private let hasNews = Atomic<Bool>(false)
    private let reader: Wakeup

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
        agent = "Waymark/\(version) OpenSSL/\(openSSLVersion)"
        wakeup = try Wakeup()
        hasEnded = try Wakeup()
        try startThread(name: "waymark-acme") { [self] in
            defer { hasEnded.wake() }
            var work = Work()
            while !isStopping.load(ordering: .acquiring) {
                wakeup.wait(atMost: turn(&work))
            }
        }
    }

    /// Ends the thread, which leaves an order where it is. A request that an authority does not answer
    /// is not waited for: what was reached before it is in files.
    package func stop() {
        isStopping.store(true, ordering: .releasing)
        wakeup.wake()
        hasEnded.wait(atMost: Self.endMilliseconds)
    }

    private static let endMilliseconds = 1_000

    /// Whether there is a certificate that was not there at the last call. Its file would be noticed
    /// like any other, but a visitor who waits for it should not wait longer.
    package func takeNews() -> Bool { hasNews.exchange(false, ordering: .acquiringAndReleasing) }

    // MARK: The thread

    /// What the thread remembers.
    private struct Work: ~Copyable {
        var lock: FileLock?
        /// Whether the records were read with the lock.
        var isInCharge = false
        var hasReportedLock = false
        /// Of the snapshot that the hosts are of, which is not kept: it has files open.
        var generation = 0
        var hosts = [AutomaticHost]()
        var records = [AutomaticHost: HostRecord]()
        var issued = [String: ServerCertificate]()
        /// By the authorities' names.
        var accounts = [String: Account]()
        /// Until when accounts are not tried that could not be read.
        var blocked = [String: Int]()
        var renewals: FileStamp?
        /// When something is due, in seconds since 1970.
        var nextDue = 0
        /// The time of the last turn.
        var lastTurn = 0
        /// In milliseconds of the monotonic clock; nil before the first turn.
        var lastReminder: Int?
    }

    /// What is known of an account, and when it may be used.
    private struct Account {
        var authority: Authority
        var isOutdated = false
        var allowance = OrderAllowance()
    }

    /// - Returns: how long to wait, in milliseconds.
    private func turn(_ work: inout Work) -> Int {
        let generation = server.reloads.generation
        if work.generation != generation {
            work.generation = generation
            take(server.snapshot, &work)
        }
        guard !work.hosts.isEmpty else { return Self.restMilliseconds }
        if work.lock == nil {
            guard takeLock(&work) else { return Self.lockMilliseconds }
            // Another process may have gone on since they were read.
            take(server.snapshot, &work)
        }
        takeOrders(&work)
        remind(&work)
        let now = Clock.unixSeconds
        noteTime(now, &work)
        guard now >= work.nextDue else { return Self.restMilliseconds }
        if let host = nextHost(&work, now: now) {
            work.nextDue = 0
            issue(host, &work)
            return 0
        }
        if let host = nextInquiry(&work, now: now) {
            work.nextDue = 0
            inquire(host, &work)
            return 0
        }
        return Self.restMilliseconds
    }

    private static let restMilliseconds = 1_000
    private static let lockMilliseconds = 5_000

    /// Says every hour which hosts no client trusts; attempts are a day apart at last.
    private func remind(_ work: inout Work) {
        let now = Clock.monotonicMilliseconds
        guard let last = work.lastReminder else { return work.lastReminder = now }
        guard now - last >= Self.reminderMilliseconds else { return }
        work.lastReminder = now
        if let reminder = server.snapshot.placeholderReminder { report(.finding(reminder)) }
    }

    private static let reminderMilliseconds = 3_600_000

    /// Waits for nothing that was noted while the clock was ahead.
    private func noteTime(_ now: Int, _ work: inout Work) {
        defer { work.lastTurn = now }
        guard now < work.lastTurn - Self.clockStepSeconds else { return }
        (work.nextDue, work.blocked) = (0, [:])
        for name in work.accounts.keys { work.accounts[name]?.allowance.forgetPauses() }
    }

    private static let clockStepSeconds = 60

    private func take(_ snapshot: Snapshot, _ work: inout Work) {
        work.nextDue = 0
        work.hosts = snapshot.automaticHosts
        work.issued = snapshot.issuedCertificates
        // Files that they are made with may have changed.
        let settings = Set(work.hosts.map(\.automatic))
        for (name, account) in work.accounts {
            work.accounts[name]?.isOutdated = true
            guard !settings.contains(account.authority.automatic) else { continue }
            work.accounts[name]?.allowance.forgetPauses()
        }
        work.blocked = [:]
        // Only who has the lock knows more than the files.
        let before = work.isInCharge ? work.records : [:]
        work.isInCharge = work.lock != nil
        let names = Set(before.keys.map(\.name))
        for host in work.hosts {
            var record = before[host] ?? HostFiles(directory, host).readRecord()
            // Somebody has changed what it was refused with.
            if before[host] == nil, names.contains(host.name) { record.nextTry = nil }
            // The snapshot may be older than the file.
            if work.issued[host.name.description] == nil {
                work.issued[host.name.description] = HostFiles(directory, host).readCertificate()
            }
            if work.isInCharge, record.renewAt == nil,
                let certificate = work.issued[host.name.description]
            {
                record.plan(certificate.validity, random: .random(in: 0...1))
                save(record, of: host, &work)
            }
            work.records[host] = record
        }
        let known = Set(work.hosts)
        work.records = work.records.filter { known.contains($0.key) }
        tell(work)
    }

    /// Of processes that share the directory, one requests certificates. The others serve what it
    /// writes, and take over when it ends.
    private func takeLock(_ work: inout Work) -> Bool {
        do throws(FileError) {
            work.lock = .some(try FileLock(path: directory.lock))
            Set(work.hosts.map(\.automatic)).forEach(directory.removeDrafts(of:))
            return true
        } catch {
            if !work.hasReportedLock {
                work.hasReportedLock = true
                report(
                    error == .taken
                        ? .finding(
                            Diagnostic(
                                .warning, .certificateState, at: nil,
                                "another process requests the certificates in "
                                    + quoted(directory.root),
                                advice: "this one serves them, and takes over when the other ends"))
                        : .finding(
                            CertificateStateFault.file(
                                directory.lock, error,
                                work.hosts[0].automatic.position
                            ).diagnostic))
            }
            return false
        }
    }

    /// Takes the orders to renew of `waymark certificates renew`.
    private func takeOrders(_ work: inout Work) {
        let stamp = FileStamp(of: directory.renewals)
        guard stamp != work.renewals else { return }
        work.renewals = stamp
        let names = Set(
            ((try? findFiles(under: directory.renewals)) ?? []).map(\.relativePath))
        guard !names.isEmpty else { return }
        for host in work.hosts where names.contains(host.name.description) {
            work.records[host]?.orderRenewal()
            work.nextDue = 0
        }
        for name in names { removeFile("\(directory.renewals)/\(name)") }
    }

    /// The host that is due first, of an account that may be used now. Notes when something is due
    /// if there is none.
    private func nextHost(_ work: inout Work, now: Int) -> AutomaticHost? {
        let milliseconds = Clock.monotonicMilliseconds
        var first: (host: AutomaticHost, due: Int)?
        var later = Int.max
        for host in work.hosts {
            guard let record = work.records[host] else { continue }
            var due = record.due(work.issued[host.name.description]?.validity, now: now)
            if !record.isRenewalOrdered {
                due = max(due, work.blocked[host.automatic.authorityName] ?? 0)
            }
            if let account = work.accounts[host.automatic.authorityName] {
                due = max(
                    due,
                    account.allowance.next(
                        for: host.name.description, isOrdered: record.isRenewalOrdered, now: now,
                        milliseconds: milliseconds))
            }
            if due > now {
                later = min(later, due)
            } else if first.map({ due < $0.due }) ?? true {
                first = (host, due)
            }
        }
        if first == nil { work.nextDue = later }
        return first?.host
    }

    /// The host for whose certificate the authority's window is to be asked for.
    private func nextInquiry(_ work: inout Work, now: Int) -> AutomaticHost? {
        for host in work.hosts {
            guard work.issued[host.name.description] != nil,
                let record = work.records[host], record.failures == 0
            else { continue }
            let next = max(
                record.inquiryDue(now: now),
                work.accounts[host.automatic.authorityName]?.allowance.pausedUntil ?? 0)
            guard next > now else { return host }
            work.nextDue = min(work.nextDue, next)
        }
        return nil
    }

    /// Tells metrics what is known of the hosts.
    private func tell(_ work: borrowing Work) {
        server.renewals.set(
            work.hosts.map { host in
                let record = work.records[host]
                return .init(
                    name: host.name.description,
                    renewAt: work.issued[host.name.description] == nil ? nil : record?.renewAt,
                    failures: record?.failures ?? 0)
            })
    }

    private func save(_ record: HostRecord, of host: AutomaticHost, _ work: inout Work) {
        work.records[host] = record
        let files = HostFiles(directory, host)
        guard record != files.readRecord() else { return }
        do throws(FileError) {
            try files.write(record)
        } catch {
            report(
                .finding(
                    CertificateStateFault.file(
                        directory.place(of: host.automatic), error, host.automatic.position
                    ).diagnostic))
        }
    }
}

// MARK: - Asking the authority

extension CertificateService {
    private func account(
        _ host: AutomaticHost, _ work: inout Work
    ) throws(IssuanceFault) -> Account {
        let automatic = host.automatic
        let known = work.accounts[automatic.authorityName]
        if let known, !known.isOutdated { return known }
        let authority = try Authority(automatic, directory, agent: agent)
        var account = known ?? Account(authority: authority)
        (account.authority, account.isOutdated) = (authority, false)
        work.accounts[automatic.authorityName] = account
        return account
    }

    /// Tries to get a certificate for a host.
    private func issue(_ host: AutomaticHost, _ work: inout Work) {
        let began = Clock.monotonicMilliseconds
        var account: Account
        do throws(IssuanceFault) {
            account = try self.account(host, &work)
        } catch {
            let until = Clock.unixSeconds + Self.blockSeconds
            work.blocked[host.automatic.authorityName] = until
            return fail(error, host, &work, until: until)
        }
        do throws(IssuanceFault) {
            defer { work.accounts[host.automatic.authorityName] = account }
            if work.records[host]?.order.order == nil {
                account.allowance.note(milliseconds: began)
            }
            do throws(IssuanceFault) {
                guard let (key, chain) = try order(host, &account, &work) else { return }
                let certificate: ServerCertificate
                do throws(IssuanceFault) {
                    certificate = try accept(chain, key, for: host)
                } catch {
                    work.records[host]?.refuseCertificate()
                    throw error
                }
                do throws(FileError) {
                    try HostFiles(directory, host).write(key: key, chain: chain)
                } catch {
                    throw IssuanceFault(.certificate, .temporary, "it cannot be kept: \(error)")
                }
                account.allowance.succeed()
                let isRenewal = work.issued[host.name.description] != nil
                work.issued[host.name.description] = certificate
                var record = work.records[host] ?? HostRecord()
                record.succeed(now: Clock.unixSeconds)
                record.plan(certificate.validity, random: .random(in: 0...1))
                save(record, of: host, &work)
                tell(work)
                server.renewals.count(isIssued: true)
                hasNews.store(true, ordering: .releasing)
                reader.wake()
                report(
                    .certificateIssued(
                        host: host.name.description, isRenewal: isRenewal,
                        notAfter: certificate.notAfter,
                        milliseconds: Clock.monotonicMilliseconds - began))
            } catch {
                // Its URLs may have changed.
                account.authority.session.forgetDirectory()
                account.allowance.pause(
                    after: error, of: host.name.description, now: Clock.unixSeconds,
                    random: .random(in: 0...1))
                throw error
            }
        } catch {
            fail(
                error, host, &work,
                until: error.step.isOfAuthority ? account.allowance.pausedUntil : nil)
        }
    }

    private static let blockSeconds = 3_600

    /// Follows an order to its end.
    /// - Returns: the key and the chain, in PEM form; nil if the service stops.
    private func order(
        _ host: AutomaticHost, _ account: inout Account, _ work: inout Work
    ) throws(IssuanceFault) -> (key: [UInt8], chain: [UInt8])? {
        let files = HostFiles(directory, host)
        var record = work.records[host] ?? HostRecord()
        let pem: [UInt8]
        var issuance: Issuance
        do {
            let kept = record.order.order == nil ? nil : files.readKey()
            if kept == nil { record.order.order = nil }
            let key = try kept ?? SigningKey()
            pem = try key.pem()
            if kept == nil { try files.write(key: pem) }
            issuance = Issuance(
                host: host.name.description,
                request: try key.certificateRequest(for: [host.name.description]),
                wish: .init(
                    challenges: record.nextChallenges(answersHTTP: answersHTTP),
                    profile: host.automatic.profile,
                    replaces: work.issued[host.name.description]?.renewalID),
                progress: record.order)
        } catch {
            throw IssuanceFault(.order, .temporary, "\(error)")
        }
        defer { challenges.remove(host.name.description) }
        while !isStopping.load(ordering: .acquiring) {
            let step: Issuance.Step
            do throws(IssuanceFault) {
                step = try issuance.next(
                    &account.authority.session, now: Clock.monotonicMilliseconds)
            } catch {
                keep(issuance.progress)
                throw error
            }
            switch step {
            case .send(let request):
                do throws(IssuanceFault) {
                    let response = try account.authority.send(request, issuance.step)
                    try account.authority.take(response, isNew: report) {
                        session throws(IssuanceFault) in
                        try issuance.take(
                            response, &session, now: Clock.monotonicMilliseconds,
                            time: Clock.unixSeconds)
                    }
                } catch {
                    keep(issuance.progress)
                    throw error
                }
                keep(issuance.progress)
            case .wait(let time):
                wakeup.wait(atMost: max(0, time - Clock.monotonicMilliseconds))
            case .present(let type, let token):
                try present(type, token, host, account.authority)
                record.challenge = type
                save(record, of: host, &work)
                issuance.confirm()
            case .issued(let chain):
                return (pem, chain)
            }
        }
        return nil

        func keep(_ progress: OrderProgress) {
            guard progress != record.order else { return }
            record.order = progress
            save(record, of: host, &work)
        }
    }

    /// Lets the answer to a challenge be reached.
    private func present(
        _ type: ChallengeType, _ token: String, _ host: AutomaticHost, _ authority: Authority
    ) throws(IssuanceFault) {
        // Over plain HTTP, the answer needs no state.
        guard type == .alpn else { return }
        do throws(OpenSSLError) {
            try challenges.set(
                host.name.description,
                keyAuthorization: "\(token).\(authority.session.key.thumbprint)",
                now: Clock.unixSeconds)
        } catch {
            throw IssuanceFault(.challenge, .temporary, "\(error)")
        }
    }

    /// What authorities issue is checked before it takes the place of what is served.
    private func accept(
        _ chain: [UInt8], _ key: [UInt8], for host: AutomaticHost
    ) throws(IssuanceFault) -> ServerCertificate {
        let now = Clock.unixSeconds
        let certificate: ServerCertificate
        do throws(CertificateError) {
            certificate = try ServerCertificate(chain: chain, key: key)
        } catch {
            throw IssuanceFault(.certificate, .temporary, "the certificate is not used: \(error)")
        }
        let fault: String? =
            if !certificate.covers(host.name.description) {
                "it is not for the host"
            } else if let fault = certificate.servingFault {
                "\(fault)"
            } else if certificate.notBefore > now + Self.clockSkewSeconds {
                "it is not valid before "
                    + String(decoding: HTTPDate.format(certificate.notBefore), as: UTF8.self)
                    + ", and this machine's clock says "
                    + String(decoding: HTTPDate.format(now), as: UTF8.self)
            } else if certificate.chainNotAfter <= now {
                "it ended on "
                    + String(decoding: HTTPDate.format(certificate.chainNotAfter), as: UTF8.self)
                    + ", and this machine's clock says "
                    + String(decoding: HTTPDate.format(now), as: UTF8.self)
            } else {
                nil
            }
        if let fault {
            throw IssuanceFault(.certificate, .temporary, "the certificate is not used: \(fault)")
        }
        return certificate
    }

    private static let clockSkewSeconds = 600

    /// Asks when a certificate should be renewed (RFC 9773).
    private func inquire(_ host: AutomaticHost, _ work: inout Work) {
        let now = Clock.unixSeconds
        guard var record = work.records[host] else { return }
        var info: RenewalInfo?
        do throws(IssuanceFault) {
            var account = try account(host, &work)
            defer { work.accounts[host.automatic.authorityName] = account }
            if account.authority.session.directory == nil {
                let request = ACMERequest(method: .get, url: host.automatic.directory)
                account.authority.session.takeDirectory(
                    try account.authority.send(request, .directory))
            }
            if let directory = account.authority.session.directory,
                let id = work.issued[host.name.description]?.renewalID,
                let url = RenewalInfo.url(directory, id)
            {
                let request = ACMERequest(method: .get, url: url)
                info = RenewalInfo(try account.authority.send(request, .directory), now: now)
            }
        } catch {
            // The certificate is renewed at the time that was drawn, whether this can be asked or not.
        }
        let before = record.renewAt
        record.take(info?.window, next: info?.retryTime, now: now, random: .random(in: 0...1))
        save(record, of: host, &work)
        guard let explanation = info?.explanation, record.renewAt != before else { return }
        report(
            .renewalMoved(
                host: host.name.description, to: record.renewAt ?? now, explanation: explanation))
    }

    // MARK: What fails

    /// - Parameter time: of the next attempt, where the host is not what was refused; nil finds one.
    private func fail(
        _ fault: IssuanceFault, _ host: AutomaticHost, _ work: inout Work, until time: Int?
    ) {
        let now = Clock.unixSeconds
        var record = work.records[host] ?? HostRecord()
        if let time {
            record.wait(fault, until: time, now: now)
        } else {
            record.fail(fault, now: now, random: .random(in: 0...1))
        }
        save(record, of: host, &work)
        tell(work)
        server.renewals.count(isIssued: false)
        let certificate = work.issued[host.name.description]
        let next = String(decoding: HTTPDate.format(record.nextTry ?? now), as: UTF8.self)
        let subject: String
        let isUrgent: Bool
        if let certificate {
            let end = String(decoding: HTTPDate.format(certificate.notAfter), as: UTF8.self)
            let isOver = certificate.notAfter <= now
            subject = "was not renewed, and \(isOver ? "ended" : "ends") on \(end)"
            isUrgent = certificate.notAfter - now < certificate.validity.seconds / 10
        } else {
            (subject, isUrgent) = ("was not issued", true)
        }
        let evidence = fault.kind == .challenge ? challengeEvidence(host, &work) : nil
        report(
            .finding(
                Diagnostic(
                    isUrgent ? .error : .warning, .certificateNotIssued,
                    at: host.automatic.position,
                    "the certificate of \(host.name) \(subject): \(fault)"
                        + (evidence.map { "; \($0)" } ?? ""),
                    advice: "the next attempt is on \(next)"
                        + (record.failures > 1 ? ", after \(record.failures) failures" : "")
                        + "; waymark certificates renew \(host.name) tries it now")))
    }

    /// What this machine gets that asks for the host's challenge itself.
    private func challengeEvidence(_ host: AutomaticHost, _ work: inout Work) -> String? {
        guard let account = work.accounts[host.automatic.authorityName] else { return nil }
        let name = host.name.description
        var client = account.authority.client
        client.limits = FetchLimits()
        client.limits.connectMilliseconds = 3_000
        let token = "waymark-asks-itself"
        let addresses = client.resolve(name, port: 80)
        if let fault = addresses.fault { return "this machine finds no address of it: \(fault)" }
        let found = addresses.list(port: 80).prefix(4).map { address -> String in
            let request = FetchRequest(
                isSecure: false, host: name, target: "/.well-known/acme-challenge/\(token)",
                fields: ["User-Agent: \(agent)"])
            let answer: String =
                switch client.fetch(request, at: address).result {
                case .failure(let failure): failure.words
                case .success(let response):
                    response.bytes
                        == Array("\(token).\(account.authority.session.key.thumbprint)".utf8)
                        ? "the right answer" : "status \(response.status) of another server"
                }
            return "\(address): \(answer)"
        }
        return "this machine, which asks itself, gets of " + found.joined(separator: ", of ")
    }
}

extension Snapshot {
    /// The certificates that were issued, by their hosts.
    fileprivate var issuedCertificates: [String: ServerCertificate] {
        var found = [String: ServerCertificate]()
        for configured in certificates.configured {
            guard let host = configured.files.automaticHost else { continue }
            found[host] = configured.certificate
        }
        return found
    }
}

extension ServerCertificate {
    fileprivate var validity: RenewalSchedule.Validity {
        .init(notBefore: notBefore, notAfter: notAfter)
    }

    /// As authorities write it (RFC 9773 §4.1).
    fileprivate var renewalID: String? {
        renewalIdentifier.map { "\(base64URL($0.issuerKey)).\(base64URL($0.serial))" }
    }
}
