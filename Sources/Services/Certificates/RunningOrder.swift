import Certificates
import Diagnostics
import SiteConfiguration
import Sockets
import TLS

/// An order that is under way. Several are at once, so that no host waits for what an authority does for
/// another one.
struct RunningOrder: Sendable {
    let host: AutomaticHost
    /// With the authority that is asked.
    let automatic: AutomaticCertificates
    /// Whether the certificate is not used.
    let isRehearsal: Bool
    /// Of the certificate, in PEM form.
    let key: [UInt8]
    /// In milliseconds of the monotonic clock.
    let began: Int
    private(set) var issuance: Issuance
    /// The record in DNS that answers its challenge; nil before it is known, or if none does.
    private(set) var record: ChallengeRecord?
    /// Whether a program is to set the record, and has not ended.
    private var awaitsRecord = false
    /// The challenge of which the authority is told when the other nodes answer it, too; nil if none waits for them.
    private var spreading: ChallengeType?
    /// Whether the host is answered by several nodes.
    private let isOfFleet: Bool

    enum Progress {
        /// A step was made.
        case worked
        /// Nothing is to be done until then, in milliseconds of the monotonic clock.
        case waiting(until: Int)
        /// A program has to set the record now.
        case needs(ChallengeRecord)
        /// Other nodes have to answer the challenge, too; then `confirm` is called. They need the key authorization for
        /// one of TLS, and the account for one of HTTP.
        case spreads(keyAuthorization: String?)
        /// A challenge was answered.
        case answered(ChallengeType)
        /// The chain, in PEM form.
        case issued([UInt8])
    }

    /// Begins an order, or resumes the one of a record with its key.
    init(
        _ host: AutomaticHost, _ automatic: AutomaticCertificates, isRehearsal: Bool,
        _ files: HostFiles, _ record: HostRecord, _ wish: Issuance.Wish, isOfFleet: Bool = false
    ) throws(IssuanceFault) {
        (self.host, self.automatic, self.isRehearsal) = (host, automatic, isRehearsal)
        self.isOfFleet = isOfFleet
        began = Clock.monotonicMilliseconds
        do {
            let kept = record.order.order == nil ? nil : files.readKey()
            let key = try kept ?? SigningKey()
            self.key = try key.pem()
            // An order that is finalized belongs to its key.
            if kept == nil { try files.write(key: self.key) }
            var progress = record.order
            if kept == nil { progress.order = nil }
            issuance = Issuance(
                host: host.name.description,
                request: try key.certificateRequest(for: [host.name.description]), wish: wish,
                progress: progress)
        } catch {
            throw IssuanceFault(
                .order, .machine, "the key \(quotedPath(files.key)) cannot be kept: \(error)")
        }
    }

    /// Makes one step, with one request at most.
    mutating func advance(
        _ authority: inout CertificateAuthority, _ challenges: ChallengeCertificates,
        _ programs: inout RecordPrograms, _ report: (ServiceEvent) -> Void
    ) throws(IssuanceFault) -> Progress {
        if awaitsRecord, let record {
            switch programs.takeOutcome(of: record) {
            case nil: return .waiting(until: .max)
            case .failed(let reason, _)?: throw IssuanceFault(.challenge, .temporary, reason)
            case .done?: break
            }
            awaitsRecord = false
            issuance.confirm()
            return .answered(.dns)
        }
        if spreading != nil { return .waiting(until: .max) }
        switch try issuance.next(&authority.session, now: Clock.monotonicMilliseconds) {
        case .send(let request):
            let response = try authority.send(request, issuance.step)
            var next = issuance
            defer { issuance = next }
            try authority.take(isNew: report) { session throws(IssuanceFault) in
                try next.take(
                    response, &session, now: Clock.monotonicMilliseconds, time: Clock.unixSeconds)
            }
            return .worked
        case .wait(let time): return .waiting(until: time)
        case .present(let challenge):
            record = challenge.record(
                for: host.name.description, authority.session.key,
                account: authority.session.account)
            if challenge.type == .dns, let record {
                awaitsRecord = true
                return .needs(record)
            }
            let text = try present(challenge, authority, challenges)
            if isOfFleet, challenge.type == .http || challenge.type == .alpn {
                spreading = challenge.type
                return .spreads(keyAuthorization: text)
            }
            issuance.confirm()
            return .answered(challenge.type)
        case .issued(let chain): return .issued(chain)
        }
    }

    /// The other nodes answer the challenge.
    /// - Returns: its type; nil if none has waited for them.
    mutating func confirm() -> ChallengeType? {
        guard let type = spreading else { return nil }
        spreading = nil
        issuance.confirm()
        return type
    }

    /// Lets the answer to a challenge be reached.
    /// - Returns: the key authorization of one over TLS.
    private func present(
        _ challenge: Challenge, _ authority: CertificateAuthority,
        _ challenges: ChallengeCertificates
    ) throws(IssuanceFault) -> String? {
        // Over plain HTTP, the answer needs no state.
        guard challenge.type == .alpn else { return nil }
        let text = "\(challenge.token).\(authority.session.key.thumbprint)"
        do throws(OpenSSLError) {
            try challenges.set(
                host.name.description, keyAuthorization: text, now: Clock.unixSeconds)
            return text
        } catch {
            throw IssuanceFault(.challenge, .temporary, "\(error)")
        }
    }

    /// The failure, with the record that the operator has to make.
    func explain(_ fault: IssuanceFault) -> IssuanceFault {
        guard host.automatic.dns == .persistent, fault.step == .challenge, let record else {
            return fault
        }
        return fault.saying(record.demand)
    }

    /// Takes the answers to its challenges away.
    /// - Parameter isLeft: whether another node goes on with it. The authority may be looking at a challenge over TLS just
    ///   then, which is answered until that node removes it.
    func end(
        _ challenges: ChallengeCertificates, _ programs: inout RecordPrograms, isLeft: Bool = false
    ) {
        if !isLeft { challenges.remove(host.name.description) }
        if let record { programs.clear(record, for: host) }
    }
}
