import Certificates
import Files
import SiteConfiguration
import TLS

// Asking authorities for certificates.

extension CertificateWork {
    mutating func begin(_ host: AutomaticHost, _ attempt: AuthorityAttempt, _ now: Moment) {
        let (name, automatic) = (host.name.description, host.automatic.settings(of: attempt))
        do throws(IssuanceFault) {
            try accounts.open(automatic)
        } catch {
            let failures = agenda.plan[name]?.record.failures
            return tellFailure(agenda.block(name, error, now), host, automatic, after: failures)
        }
        // What is served answers challenges over plain HTTP, and may not know the account yet.
        if let account = unservedAccount(of: host.automatic),
            awaitedAccounts.insert(account).inserted
        {
            hasNews = true
            return agenda.settle(now)
        }
        guard let attempt = agenda.begin(name, now), let entry = agenda.plan[name] else { return }
        // The key of an order with another authority is replaced.
        keep()
        guard isInCharge else { return }
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
                    profile: automatic.profile, replaces: replaced), isOfFleet: fleet != nil)
        } catch {
            fail(error, host, automatic)
        }
    }

    mutating func step(_ order: RunningOrder) {
        let (host, name) = (order.host, order.host.name.description)
        if let fleet, let spread = spreads[name] { return wait(for: spread, of: name, fleet) }
        do throws(IssuanceFault) {
            switch try advance(order) {
            case .worked: break
            case .waiting(let time): agenda.wait(name, until: time)
            case .needs(let record):
                agenda.note(name) { $0.open(record) }
                keep()
                guard isInCharge else { return }
                programs.set(record, for: host)
            case .spreads(let text):
                if let fleet { self.spread(text, of: host, fleet) }
            case .answered(let type): agenda.note(name) { $0.challenge = type }
            case .issued(let chain): try publish(chain, order)
            }
        } catch {
            let ended = orders[name] ?? order
            end([name])
            fail(ended.explain(error), host, order.automatic, isOfDNS: ended.record != nil)
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
    private mutating func publish(_ chain: [UInt8], _ order: RunningOrder) throws(IssuanceFault) {
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
        if let fleet, !keep(order.key + chain, of: host, in: fleet, now) { return }
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
    mutating func inquire(_ host: AutomaticHost) {
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
    /// - Parameter isLeft: whether another node goes on with them.
    mutating func end(_ names: [String], isLeft: Bool = false) {
        for name in names { spreads[name] = nil }
        for name in names {
            orders.removeValue(forKey: name)?.end(challenges, &programs, isLeft: isLeft)
        }
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
