import Associations
import Diagnostics
package import TLS

/// What is known of an account with an authority. All orders of the account share it.
package struct ACMESession: Sendable {
    package let directoryURL: String
    package let key: SigningKey
    package let settings: AccountSettings
    /// Nil until it was read, or if it has to be read again.
    package internal(set) var directory: ACMEDirectory?
    /// The account's URL; nil until the authority has said it.
    package internal(set) var account: String?
    /// Whether the authority has made the account for this session.
    package internal(set) var isAccountNew = false
    var nonce: String?

    /// - Parameter account: its URL, if it is known.
    package init(
        directory: String, key: SigningKey, account: String?, settings: AccountSettings
    ) {
        directoryURL = directory
        self.key = key
        self.account = account
        self.settings = settings
    }

    /// Lets the directory be read again.
    package mutating func forgetDirectory() { directory = nil }

    /// Takes the answer of the directory's URL; any other is ignored.
    package mutating func takeDirectory(_ response: ACMEResponse) {
        guard response.isSuccess else { return }
        directory = ACMEDirectory(response.json) ?? directory
    }
}

/// What a new account is made with.
package struct AccountSettings: Hashable, Sendable {
    package var email: String?
    package var external: ExternalAccount?

    package init(email: String? = nil, external: ExternalAccount? = nil) {
        self.email = email
        self.external = external
    }
}

/// How a host shows that it is ours (RFC 8555 §8).
package enum ChallengeType: String, Sendable {
    case http = "http-01"
    case alpn = "tls-alpn-01"
}

/// Gets one certificate for one host, by RFC 8555: a value that says what is to be requested next,
/// and takes the answer. It has no connection, no clock and no file.
///
/// `progress` has to be kept before the next step, so that an order is resumed and not repeated
/// after a crash.
package struct Issuance: Sendable {
    package let host: String
    /// What is left to do after a crash.
    package private(set) var progress: OrderProgress
    /// What the order asks for.
    private let wish: Wish
    /// The certificate request, in DER form.
    private let request: [UInt8]
    private var phase: Phase
    private var asked: Asked?
    private var repeats = Repeats()
    /// When a wait began, and how often it was asked since.
    private var wait: (since: Int, polls: Int)?
    private var nextPoll: Int?
    private var finalizeURL = ""
    private var authorizations = [String]()

    /// What an order asks for, besides its host.
    package struct Wish: Hashable, Sendable {
        package var challenges: [ChallengeType]
        package var profile: String?
        /// The certificate that is replaced (RFC 9773 §5), by `ServerCertificate.renewalID`.
        package var replaces: String?

        package init(
            challenges: [ChallengeType] = [.http], profile: String? = nil, replaces: String? = nil
        ) {
            self.challenges = challenges
            self.profile = profile
            self.replaces = replaces
        }
    }

    package enum Step: Sendable {
        case send(ACMERequest)
        /// Until then, in milliseconds of the clock that `next` was given.
        case wait(until: Int)
        /// The answer to the challenge must be reachable now; then `confirm` is called.
        case present(ChallengeType, token: String)
        /// The chain in PEM form.
        case issued([UInt8])
    }

    private enum Phase: Hashable, Sendable {
        case order, readOrder, authorization, present(ChallengeType, token: String, url: String)
        case challenge(url: String)
        case pollAuthorization, finalize, pollOrder, download(String), done([UInt8])
    }

    private enum Asked: Sendable {
        case directory, nonce, account, phase
    }

    private struct Repeats {
        var nonces = 0
        var accounts = 0
        var notReady = 0
    }

    /// - Parameters:
    ///   - request: of the key that `progress` belongs to.
    ///   - progress: of an earlier run.
    package init(
        host: String, request: [UInt8], wish: Wish, progress: OrderProgress = OrderProgress()
    ) {
        self.host = host
        self.request = request
        self.wish = wish
        self.progress = progress
        phase = progress.order == nil ? .order : .readOrder
    }

    /// What it is doing, for messages.
    package var step: IssuanceStep {
        switch asked {
        case .directory: return .directory
        case .nonce: return .nonce
        case .account: return .account
        case .phase, nil: break
        }
        return switch phase {
        case .order, .readOrder: .order
        case .authorization: .authorization
        case .present, .challenge, .pollAuthorization: .challenge
        case .finalize, .pollOrder: .finalize
        case .download, .done: .certificate
        }
    }

    // MARK: What comes next

    /// - Parameter now: milliseconds of a monotonic clock.
    /// - Throws: why there will be no certificate from this order.
    package mutating func next(
        _ session: inout ACMESession, now: Int
    ) throws(IssuanceFault) -> Step {
        if case .done(let chain) = phase { return .issued(chain) }
        if let nextPoll, nextPoll > now { return .wait(until: nextPoll) }
        nextPoll = nil
        if case .present(let type, let token, _) = phase { return .present(type, token: token) }
        guard let directory = session.directory else {
            asked = .directory
            return .send(ACMERequest(method: .get, url: session.directoryURL))
        }
        guard let nonce = session.nonce else {
            asked = .nonce
            return .send(ACMERequest(method: .head, url: directory.newNonce))
        }
        do throws(OpenSSLError) {
            guard let account = session.account else {
                asked = .account
                let content = try SignedJSON.sign(
                    newAccount(session, directory), to: directory.newAccount, nonce: nonce,
                    account: nil, session.key)
                session.nonce = nil
                return .send(
                    ACMERequest(method: .post, url: directory.newAccount, content: content))
            }
            asked = .phase
            let (url, payload) = message(directory)
            let content = try SignedJSON.sign(
                payload, to: url, nonce: nonce, account: account, session.key)
            session.nonce = nil
            return .send(ACMERequest(method: .post, url: url, content: content))
        } catch {
            throw IssuanceFault(step, .temporary, "\(error)")
        }
    }

    /// The answer to the challenge can be requested from now on.
    package mutating func confirm() {
        if case .present(_, _, let url) = phase { phase = .challenge(url: url) }
    }

    private func newAccount(
        _ session: ACMESession, _ directory: ACMEDirectory
    ) throws(OpenSSLError) -> JSONText {
        var members: [(key: String, value: JSONText)] = [("termsOfServiceAgreed", .boolean(true))]
        if let email = session.settings.email {
            members.append(("contact", .strings(["mailto:\(email)"])))
        }
        if let external = session.settings.external {
            members.append(
                (
                    "externalAccountBinding",
                    try SignedJSON.externalAccountBinding(
                        external, to: directory.newAccount, session.key)
                ))
        }
        return .object(members)
    }

    /// The URL and the payload of the phase; a payload of nil only reads.
    private func message(_ directory: ACMEDirectory) -> (url: String, payload: JSONText?) {
        switch phase {
        case .order:
            let name = JSONText.object([("type", .string("dns")), ("value", .string(host))])
            var members: [(key: String, value: JSONText)] = [("identifiers", .array([name]))]
            if let profile = wish.profile { members.append(("profile", .string(profile))) }
            if let replaces = replaces(directory) {
                members.append(("replaces", .string(replaces)))
            }
            return (directory.newOrder, .object(members))
        case .readOrder, .pollOrder: return (progress.order ?? "", nil)
        case .authorization, .pollAuthorization: return (authorizations.first ?? "", nil)
        case .present(_, _, let url), .challenge(let url): return (url, .object([]))
        case .finalize:
            return (finalizeURL, .object([("csr", .string(base64URL(request)))]))
        case .download(let url): return (url, nil)
        case .done: return ("", nil)
        }
    }

    /// An order that was not finished counts as the replacement, too, so the member is sent once.
    private func replaces(_ directory: ACMEDirectory) -> String? {
        guard directory.renewalInfo != nil, let id = wish.replaces,
            progress.replaced != id
        else { return nil }
        return id
    }

    // MARK: What was answered

    /// Takes the answer to what `next` has asked for last.
    /// - Parameters:
    ///   - now: milliseconds of the same clock.
    ///   - time: seconds since 1970.
    /// - Throws: why there will be no certificate from this order.
    package mutating func take(
        _ response: ACMEResponse, _ session: inout ACMESession, now: Int, time: Int
    ) throws(IssuanceFault) {
        if let nonce = response.nonce { session.nonce = nonce }
        switch asked {
        case .directory:
            guard response.isSuccess, let directory = ACMEDirectory(response.json) else {
                throw refusal(response, session, time, or: "this is no directory of ACME")
            }
            session.directory = directory
            guard !directory.needsExternalAccount || session.settings.external != nil else {
                session.directory = nil
                throw IssuanceFault(
                    .account, .input, type: "externalAccountRequired",
                    "the authority asks for `external-account`")
            }
            if let profile = wish.profile, !directory.profiles.contains(profile) {
                session.directory = nil
                let names = directory.profiles.sorted().joined(separator: ", ")
                throw IssuanceFault(
                    .directory, .input, type: "invalidProfile",
                    "the authority has no profile \(quoted(profile)); it has "
                        + (names.isEmpty ? "none" : names))
            }
        case .nonce:
            guard session.nonce != nil else {
                throw refusal(response, session, time, or: "the authority has given no nonce")
            }
        case .account:
            guard !repeatsNonce(response, now: now) else { return }
            guard response.isSuccess, let location = response.location else {
                throw refusal(response, session, time, or: "the authority names no account")
            }
            session.account = location
            session.isAccountNew = response.status == 201
        case .phase:
            guard !repeatsNonce(response, now: now) else { return }
            try takePhase(response, &session, now: now, time: time)
        case nil: break
        }
    }

    private mutating func takePhase(
        _ response: ACMEResponse, _ session: inout ACMESession, now: Int, time: Int
    ) throws(IssuanceFault) {
        guard response.isSuccess else {
            return try takeRefusal(response, &session, now: now, time: time)
        }
        repeats.nonces = 0
        if case .download = phase {
            phase = .done(response.content)
            return
        }
        guard let json = response.json else {
            throw IssuanceFault(step, .temporary, "the authority's answer is not JSON")
        }
        switch phase {
        case .order:
            guard let order = response.location else {
                throw IssuanceFault(.order, .temporary, "the authority names no order")
            }
            progress.order = order
            if let directory = session.directory, let id = replaces(directory) {
                progress.replaced = id
            }
            try takeOrder(json, response, now: now, time: time)
        case .readOrder, .finalize, .pollOrder:
            try takeOrder(json, response, now: now, time: time)
        case .authorization, .pollAuthorization:
            try takeAuthorization(json, response, now: now, time: time)
        case .challenge:
            phase = .pollAuthorization
            poll(response, now: now, time: time)
        case .present, .download, .done: break
        }
    }

    private mutating func takeOrder(
        _ json: JSONValue, _ response: ACMEResponse, now: Int, time: Int
    ) throws(IssuanceFault) {
        if let finalize = json["finalize"]?.text { finalizeURL = finalize }
        switch json["status"]?.text {
        case "pending":
            authorizations = (json["authorizations"]?.elements ?? []).compactMap(\.text)
            guard !authorizations.isEmpty else {
                throw IssuanceFault(.order, .temporary, "the order has no authorization")
            }
            wait = nil
            phase = .authorization
        case "ready":
            guard !finalizeURL.isEmpty else {
                throw IssuanceFault(.order, .temporary, "the order has no URL to finalize it")
            }
            wait = nil
            phase = .finalize
        case "processing":
            phase = .pollOrder
            try pollInTime(response, now: now, time: time)
        case "valid":
            guard let url = json["certificate"]?.text else {
                throw IssuanceFault(.finalize, .temporary, "the order has no certificate")
            }
            phase = .download(url)
        default:
            let problem = json["error"].map { ACMEProblem($0) }
            let step = step
            progress.order = nil
            throw IssuanceFault(
                step, problem, or: "the order is \(json["status"]?.text ?? "without a status")")
        }
    }

    private mutating func takeAuthorization(
        _ json: JSONValue, _ response: ACMEResponse, now: Int, time: Int
    ) throws(IssuanceFault) {
        let challenges = json["challenges"]?.elements ?? []
        switch json["status"]?.text {
        case "valid":
            wait = nil
            authorizations.removeFirst()
            // Then the order is ready; if it is not yet, the authority says so.
            phase =
                !authorizations.isEmpty
                ? .authorization : finalizeURL.isEmpty ? .readOrder : .finalize
        case "pending":
            if phase == .pollAuthorization {
                return try pollInTime(response, now: now, time: time)
            }
            let offered = challenges.compactMap { $0["type"]?.text }
            for type in wish.challenges {
                guard
                    let challenge = challenges.first(where: { $0["type"]?.text == type.rawValue }),
                    let url = challenge["url"]?.text, let token = challenge["token"]?.text
                else { continue }
                guard isToken(token) else {
                    throw IssuanceFault(
                        .challenge, .temporary,
                        "the authority's token has other characters than "
                            + "those of base64url")
                }
                if challenge["status"]?.text == "processing" {
                    phase = .pollAuthorization
                    return poll(response, now: now, time: time)
                }
                phase = .present(type, token: token, url: url)
                return
            }
            throw IssuanceFault(
                .challenge, .input,
                "the authority offers no \(wish.challenges.map(\.rawValue).joined(separator: " or "))"
                    + ", only \(offered.joined(separator: ", "))")
        default:
            let problem = challenges.lazy.compactMap { $0["error"] }.first.map { ACMEProblem($0) }
            progress.order = nil
            throw IssuanceFault(
                .challenge, problem,
                or: "the authorization is \(json["status"]?.text ?? "without a status")")
        }
    }

    /// Another request at the time that the authority names, or after a while.
    private mutating func poll(_ response: ACMEResponse, now: Int, time: Int) {
        let (since, polls) = wait ?? (now, 0)
        wait = (since, polls + 1)
        let pauses = [500, 1_000, 2_000, 3_000]
        let usual = polls < pauses.count ? pauses[polls] : 5_000
        let named = response.retryTime(now: time).map { min(60_000, ($0 - time) * 1_000) }
        nextPoll = now + max(usual, named ?? 0)
    }

    private mutating func pollInTime(
        _ response: ACMEResponse, now: Int, time: Int
    ) throws(IssuanceFault) {
        poll(response, now: now, time: time)
        guard let wait, now - wait.since < Self.waitMillisecondsMax else {
            // The order is kept: it may become valid meanwhile.
            throw IssuanceFault(
                step, .temporary,
                "the authority has not finished after \(Self.waitMillisecondsMax / 60_000) minutes")
        }
    }

    /// Whether the nonce was refused, which is no refusal of the request.
    private mutating func repeatsNonce(_ response: ACMEResponse, now: Int) -> Bool {
        guard !response.isSuccess, ACMEProblem(response).type == "badNonce",
            repeats.nonces < Self.nonceRepeatsMax
        else { return false }
        repeats.nonces += 1
        if repeats.nonces > Self.quickNonceRepeats { nextPoll = now + 200 }
        return true
    }

    private mutating func takeRefusal(
        _ response: ACMEResponse, _ session: inout ACMESession, now: Int, time: Int
    ) throws(IssuanceFault) {
        let problem = ACMEProblem(response)
        if problem.type == "accountDoesNotExist", repeats.accounts == 0 {
            repeats.accounts += 1
            session.account = nil
            return
        }
        if phase == .order, let directory = session.directory, let id = replaces(directory),
            !Self.faultsOfOrders.contains(problem.type)
        {
            progress.replaced = id
            return
        }
        // Neither a limit nor an outage is about the order; it would be the same for another.
        let isOfOrder = (400..<500).contains(response.status) && response.status != 429
        if phase == .readOrder, isOfOrder {
            // It is too old, or of another account.
            progress.order = nil
            phase = .order
            return
        }
        if phase == .finalize, problem.type == "orderNotReady", repeats.notReady < 3 {
            repeats.notReady += 1
            phase = .readOrder
            return poll(response, now: now, time: time)
        }
        // What is refused once would be refused again.
        if isOfOrder { progress.order = nil }
        throw refusal(response, session, time, or: "")
    }

    private func refusal(
        _ response: ACMEResponse, _ session: ACMESession, _ time: Int, or text: String
    ) -> IssuanceFault {
        let problem = response.isSuccess ? nil : ACMEProblem(response)
        var fault = IssuanceFault(step, problem, or: text)
        fault.help = response.link("help") ?? response.link("terms-of-service")
        fault.retryTime = response.retryTime(now: time)
        if response.status == 429 { fault.kind = .rateLimited }
        return fault
    }

    private static let nonceRepeatsMax = 60
    private static let quickNonceRepeats = 10
    private static let waitMillisecondsMax = 300_000
    /// Refusals that the member `replaces` cannot have caused.
    private static let faultsOfOrders: Set<String> = [
        "caa", "invalidProfile", "rateLimited", "rejectedIdentifier", "unsupportedIdentifier",
        "userActionRequired", "accountDoesNotExist", "badNonce",
    ]
}

/// Revokes a certificate with the key of the account that has ordered it (RFC 8555 §7.6): a value
/// like `Issuance`.
package struct Revocation: Sendable {
    /// In DER form.
    private let certificate: [UInt8]
    /// The number of RFC 5280 §5.3.1.
    private let reason: Int
    private var asked = IssuanceStep.directory
    private var repeats = 0
    /// Whether the authority has revoked it, or had before.
    package private(set) var isDone = false

    package init(certificate: [UInt8], reason: Int) {
        self.certificate = certificate
        self.reason = reason
    }

    /// The next request.
    package mutating func next(_ session: inout ACMESession) throws(IssuanceFault) -> ACMERequest {
        guard let directory = session.directory else {
            asked = .directory
            return ACMERequest(method: .get, url: session.directoryURL)
        }
        guard let nonce = session.nonce else {
            asked = .nonce
            return ACMERequest(method: .head, url: directory.newNonce)
        }
        asked = .certificate
        guard !directory.revokeCertificate.isEmpty, let account = session.account else {
            throw IssuanceFault(
                .certificate, .input,
                session.account == nil
                    ? "the account's URL is not known" : "the authority revokes no certificates")
        }
        session.nonce = nil
        let payload = JSONText.object([
            ("certificate", .string(base64URL(certificate))), ("reason", .number(reason)),
        ])
        do throws(OpenSSLError) {
            return ACMERequest(
                method: .post, url: directory.revokeCertificate,
                content: try SignedJSON.sign(
                    payload, to: directory.revokeCertificate, nonce: nonce, account: account,
                    session.key))
        } catch {
            throw IssuanceFault(.certificate, .temporary, "\(error)")
        }
    }

    /// Takes its answer.
    /// - Throws: why the certificate is not revoked.
    package mutating func take(
        _ response: ACMEResponse, _ session: inout ACMESession
    ) throws(IssuanceFault) {
        if let nonce = response.nonce { session.nonce = nonce }
        switch asked {
        case .directory:
            session.takeDirectory(response)
            guard session.directory != nil else {
                throw IssuanceFault(.directory, .temporary, "this is no directory of ACME")
            }
        case .nonce:
            guard session.nonce != nil else {
                throw IssuanceFault(.nonce, .temporary, "the authority has given no nonce")
            }
        default:
            let problem = response.isSuccess ? nil : ACMEProblem(response)
            if problem?.type == "badNonce", repeats < Self.repeatsMax {
                repeats += 1
                return
            }
            guard problem == nil || problem?.type == "alreadyRevoked" else {
                throw IssuanceFault(.certificate, problem, or: "")
            }
            isDone = true
        }
    }

    private static let repeatsMax = 60
}

/// Whether a token has only the characters of base64url (RFC 8555 §8.1).
private func isToken(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count)
        && text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
}

/// What an order has reached.
package struct OrderProgress: Hashable, Sendable {
    /// The order's URL; nil before there is one, and when it has failed.
    package var order: String?
    /// The certificate that an order has named as the one that it replaces.
    package var replaced: String?

    package init(order: String? = nil, replaced: String? = nil) {
        self.order = order
        self.replaced = replaced
    }
}

/// The steps to a certificate, in their order.
package enum IssuanceStep: String, Hashable, Sendable {
    case directory, nonce, account, order, authorization, challenge, finalize, certificate

    /// Whether it is the same for all hosts.
    package var isOfAuthority: Bool { self == .directory || self == .nonce || self == .account }
}

/// Why there is no certificate.
package struct IssuanceFault: Error, Hashable, Sendable, CustomStringConvertible {
    package let step: IssuanceStep
    package internal(set) var kind: Kind
    /// The authority's name for it, such as `caa`; empty if there is none.
    package let type: String
    /// In the authority's words, if it has said any.
    package let detail: String
    /// A URL where the authority explains it.
    package internal(set) var help: String?
    /// The earliest time for another try, in seconds since 1970; nil if the authority names none.
    package internal(set) var retryTime: Int?

    package enum Kind: String, Hashable, Sendable {
        /// It may pass by itself.
        case temporary
        /// The authority could not see that the host is ours.
        case challenge
        /// It needs another configuration, or other records in DNS.
        case input
        case rateLimited
    }

    package init(
        _ step: IssuanceStep, _ kind: Kind, type: String = "", _ detail: String
    ) {
        self.step = step
        self.kind = kind
        self.type = type
        self.detail = detail
    }

    init(_ step: IssuanceStep, _ problem: ACMEProblem?, or text: String) {
        guard let problem else {
            self.init(step, .temporary, text)
            return
        }
        let kind: Kind =
            switch problem.type {
            case "connection", "dns", "tls", "incorrectResponse": .challenge
            case "unauthorized": step == .challenge ? .challenge : .input
            case "rateLimited": .rateLimited
            case "caa", "rejectedIdentifier", "unsupportedIdentifier", "badCSR", "malformed",
                "invalidProfile", "invalidContact", "unsupportedContact",
                "externalAccountRequired", "badSignatureAlgorithm", "badPublicKey",
                "userActionRequired", "agreementRequired":
                .input
            default: .temporary
            }
        self.init(step, kind, type: problem.type, problem.detail)
    }

    package var description: String {
        let name = type.isEmpty ? "" : " (\(type))"
        return "\(step.rawValue): \(detail)\(name)" + (help.map { "; see \($0)" } ?? "")
    }
}
