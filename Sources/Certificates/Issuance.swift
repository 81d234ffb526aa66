import Diagnostics
import JSONSyntax
import TLS
import URISyntax

/// Gets one certificate for one host, by RFC 8555: a value that says what is to be requested next,
/// and takes the answer. It has no connection, no clock and no file.
///
/// `progress` has to be kept before the next step, so that an order is resumed and not repeated
/// after a crash.
package struct Issuance: Sendable {
    package let host: String
    /// The progress from which a later run goes on after a crash.
    package private(set) var progress: OrderProgress
    /// The content of the order.
    private let wish: Wish
    /// The certificate request, in DER form.
    private let request: [UInt8]
    private var phase: IssuancePhase
    private var asked: Asked?
    private var budget = OrderBudget()
    private var hasNewAccount = false
    /// A refusal that may be about the account. The authority is asked for it before the refusal counts.
    private var refusalInDoubt: IssuanceFault?
    /// Whether all authorizations were valid, and the order was finalized; an authority may still say
    /// that it is pending or ready.
    private var isAuthorized = false
    private var isFinalized = false
    /// The number of times that it was not ready to be finalized.
    private var refusedFinalizations = 0
    private var finalizeURL = ""
    private var authorizations = [String]()

    package enum Step: Sendable {
        case send(ACMERequest)
        /// Until then, in milliseconds of the clock that `next` was given.
        case wait(until: Int)
        /// The answer to the challenge must be reachable now; then `confirm` is called.
        case present(Challenge)
        /// The chain in PEM form.
        case issued([UInt8])
    }

    private enum Asked: Sendable {
        case directory, nonce, account, standing, phase
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

    /// Its current step, for messages.
    package var step: IssuanceStep {
        switch asked {
        case .directory: return .directory
        case .nonce: return .nonce
        case .account, .standing: return .account
        case .phase, nil: break
        }
        return phase.step
    }

    // MARK: What comes next

    /// - Parameter now: milliseconds of a monotonic clock.
    /// - Throws: why there will be no certificate from this order.
    package mutating func next(
        _ session: inout ACMESession, now: Int
    ) throws(IssuanceFault) -> Step {
        if case .done(let chain) = phase { return .issued(chain) }
        guard budget.isFree(now: now) else { return .wait(until: budget.nextRequest ?? now) }
        if case .present(let challenge) = phase { return .present(challenge) }
        do throws(OrderBudget.Excess) {
            try budget.spend(now: now)
        } catch {
            // Another order may do better.
            progress.order = nil
            throw IssuanceFault(step, .temporary, "\(error)")
        }
        guard let directory = session.directory else {
            asked = .directory
            return .send(ACMERequest(method: .get, url: session.directoryURL))
        }
        guard let nonce = session.nonce else {
            asked = .nonce
            return .send(ACMERequest(method: .head, url: directory.newNonce))
        }
        do throws(OpenSSLError) {
            let isInDoubt = refusalInDoubt != nil
            guard let account = session.account, !isInDoubt else {
                asked = isInDoubt ? .standing : .account
                let payload =
                    try isInDoubt ? ACMESession.existingAccount : session.newAccount(directory)
                return .send(
                    try session.request(
                        payload, to: directory.newAccount, nonce: nonce, account: nil))
            }
            asked = .phase
            let (url, payload) = message(directory)
            return .send(try session.request(payload, to: url, nonce: nonce, account: account))
        } catch {
            throw IssuanceFault(step, .temporary, "\(error)")
        }
    }

    /// The answer to the challenge can be requested from now on.
    package mutating func confirm() {
        if case .present(let challenge) = phase { phase = .challenge(url: challenge.url) }
    }

    /// The URL and the payload of the phase; a payload of nil only reads.
    private func message(_ directory: ACMEDirectory) -> (url: String, payload: JSONText?) {
        switch phase {
        case .order:
            return (directory.newOrder, wish.order(for: host, replacing: replaces(directory)))
        case .readOrder, .pollOrder: return (progress.order ?? "", nil)
        case .authorization, .pollAuthorization: return (authorizations.first ?? "", nil)
        case .present(let challenge): return (challenge.url, .object([]))
        case .challenge(let url): return (url, .object([]))
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
                throw .refusal(step, response, time: time, or: "this is no directory of ACME")
            }
            session.directory = directory
            do throws(IssuanceFault) {
                try session.check(directory, profile: wish.profile)
            } catch {
                session.directory = nil
                throw error
            }
        case .nonce:
            guard session.nonce != nil else {
                throw .refusal(step, response, time: time, or: "the authority has given no nonce")
            }
        case .account:
            guard !repeatsNonce(response, now: now) else { return }
            guard response.isSuccess, let location = response.location else {
                return try refuse(
                    .refusal(step, response, time: time, or: "the authority names no account"))
            }
            if let fault = IssuanceFault.closedAccount(location, response) { throw fault }
            session.account = location
            session.isAccountNew = response.status == 201
        case .standing:
            guard !repeatsNonce(response, now: now) else { return }
            try takeStanding(response, &session)
        case .phase:
            guard !repeatsNonce(response, now: now) else { return }
            try takePhase(response, &session, now: now, time: time)
        case nil: break
        }
    }

    /// Takes a refusal. The account of one that is `unauthorized` may be closed.
    private mutating func refuse(_ fault: IssuanceFault) throws(IssuanceFault) {
        guard fault.type == "unauthorized" else { throw fault }
        refusalInDoubt = fault
    }

    /// Takes what the authority says of an account that it has refused something.
    private mutating func takeStanding(
        _ response: ACMEResponse, _ session: inout ACMESession
    ) throws(IssuanceFault) {
        guard let refusal = refusalInDoubt else { return }
        refusalInDoubt = nil
        if let fault = IssuanceFault.closedAccount(session.account, response) { throw fault }
        guard !response.isSuccess, ACMEProblem(response).type == "accountDoesNotExist",
            refusal.step != .account, !hasNewAccount
        else { throw refusal }
        makeAccountAnew(&session)
    }

    /// Orders belong to an account.
    private mutating func makeAccountAnew(_ session: inout ACMESession) {
        hasNewAccount = true
        session.account = nil
        progress.order = nil
        (isAuthorized, isFinalized) = (false, false)
        phase = .order
    }

    private mutating func takePhase(
        _ response: ACMEResponse, _ session: inout ACMESession, now: Int, time: Int
    ) throws(IssuanceFault) {
        guard response.isSuccess else {
            return try takeRefusal(response, &session, now: now, time: time)
        }
        budget.takeNonce()
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
            isFinalized = isFinalized || phase == .finalize
            try takeOrder(json, response, now: now, time: time)
        case .authorization, .pollAuthorization:
            try takeAuthorization(json, response, now: now, time: time)
        case .challenge:
            phase = .pollAuthorization
            _ = poll(response, now: now, time: time)
        case .present, .download, .done: break
        }
    }

    private mutating func takeOrder(
        _ json: JSONValue, _ response: ACMEResponse, now: Int, time: Int
    ) throws(IssuanceFault) {
        if let finalize = json["finalize"]?.text { finalizeURL = finalize }
        switch json["status"]?.text {
        case "pending":
            // Its authorizations are valid, and the authority has not noticed that yet.
            guard !isAuthorized else { return try pollOrder("pending", response, now, time) }
            authorizations = (json["authorizations"]?.elements ?? []).compactMap(\.text)
            guard (1...OrderBudget.authorizationsMax).contains(authorizations.count) else {
                progress.order = nil
                throw IssuanceFault(
                    .order, .temporary,
                    authorizations.isEmpty
                        ? "the order has no authorization"
                        : "the order has \(authorizations.count) authorizations, may have "
                            + "\(OrderBudget.authorizationsMax)")
            }
            budget.goOn()
            phase = .authorization
        case "ready":
            guard !finalizeURL.isEmpty else {
                throw IssuanceFault(.order, .temporary, "the order has no URL to finalize it")
            }
            guard !isFinalized else { return try pollOrder("ready", response, now, time) }
            budget.goOn()
            phase = .finalize
        case "processing": try pollOrder("processing", response, now, time)
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
            budget.goOn()
            authorizations.removeFirst()
            isAuthorized = authorizations.isEmpty
            // Then the order is ready; if it is not yet, the authority says so.
            phase =
                !authorizations.isEmpty
                ? .authorization : finalizeURL.isEmpty ? .readOrder : .finalize
        case "pending":
            if phase == .pollAuthorization { return try pollInTime(response, now: now, time: time) }
            let challenge = try Challenge.choose(challenges, wish.challenges)
            guard !challenge.isProcessing else {
                phase = .pollAuthorization
                _ = poll(response, now: now, time: time)
                return
            }
            phase = .present(challenge)
        default:
            let problem = challenges.lazy.compactMap { $0["error"] }.first.map { ACMEProblem($0) }
            progress.order = nil
            throw IssuanceFault(
                .challenge, problem,
                or: "the authorization is \(json["status"]?.text ?? "without a status")")
        }
    }

    /// Lets the next request wait.
    /// - Returns: whether it has not waited too long.
    private mutating func poll(_ response: ACMEResponse, now: Int, time: Int) -> Bool {
        budget.poll(named: response.retryTime(now: time).map { ($0 - time) * 1_000 }, now: now)
    }

    private mutating func pollInTime(
        _ response: ACMEResponse, now: Int, time: Int
    ) throws(IssuanceFault) {
        guard poll(response, now: now, time: time) else {
            throw IssuanceFault(
                step, .temporary,
                "the authority has not finished after "
                    + "\(OrderBudget.waitMillisecondsMax / 60_000) minutes")
        }
    }

    /// Reads the order again after a while. One that is processed may be valid at the next attempt;
    /// one that has another status for so long is given up.
    private mutating func pollOrder(
        _ status: String, _ response: ACMEResponse, _ now: Int, _ time: Int
    ) throws(IssuanceFault) {
        phase = .pollOrder
        do throws(IssuanceFault) {
            try pollInTime(response, now: now, time: time)
        } catch {
            guard status != "processing" else { throw error }
            progress.order = nil
            throw IssuanceFault(.finalize, .temporary, "\(error.detail); the order is \(status)")
        }
    }

    /// Whether the nonce was refused, which is no refusal of the request.
    private mutating func repeatsNonce(_ response: ACMEResponse, now: Int) -> Bool {
        !response.isSuccess && ACMEProblem(response).type == "badNonce"
            && budget.repeatsNonce(now: now)
    }

    private mutating func takeRefusal(
        _ response: ACMEResponse, _ session: inout ACMESession, now: Int, time: Int
    ) throws(IssuanceFault) {
        let problem = ACMEProblem(response)
        if problem.type == "accountDoesNotExist", !hasNewAccount {
            return makeAccountAnew(&session)
        }
        if phase == .order, let directory = session.directory, let id = replaces(directory),
            !Wish.faultsOfOthers.contains(problem.type)
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
        if phase == .finalize, problem.type == "orderNotReady", refusedFinalizations < 3 {
            refusedFinalizations += 1
            phase = .readOrder
            _ = poll(response, now: now, time: time)
            return
        }
        // What is refused once would be refused again.
        if isOfOrder { progress.order = nil }
        try refuse(.refusal(step, response, time: time, or: ""))
    }
}
