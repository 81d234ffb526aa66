private import JSONSyntax

/// The steps to a certificate, in their order.
package enum IssuanceStep: String, Hashable, Sendable {
    case directory, nonce, account, order, authorization, challenge, finalize, certificate

    /// Whether it is the same for all hosts.
    package var isOfAuthority: Bool { self == .directory || self == .nonce || self == .account }
}

/// The reason why there is no certificate.
package struct IssuanceFault: Error, Hashable, Sendable, CustomStringConvertible {
    package let step: IssuanceStep
    /// The authority's name in messages; nil for the first authority of a host.
    package internal(set) var authority: String?
    package internal(set) var kind: Kind
    /// The authority's name for it, such as `caa`; empty if there is none.
    package let type: String
    /// In the authority's words, if it has said any.
    package let detail: String
    /// A URL where the authority explains it.
    package internal(set) var help: String? {
        didSet { help = help.map { shortened($0, scalarsMax: Self.helpScalarsMax) } }
    }
    /// The earliest time for another try, in seconds since 1970; nil if the authority names none.
    package internal(set) var retryTime: Int?
    /// Whether the account was deactivated or revoked, and can do nothing any more (RFC 8555 §7.3.6).
    package private(set) var isAccountClosed = false

    package enum Kind: String, Hashable, Sendable {
        /// It may pass by itself.
        case temporary
        /// The authority could not see that the host is ours.
        case challenge
        /// It needs another configuration, or other records in DNS.
        case input
        case rateLimited
        /// This machine cannot keep what is needed; no authority is to blame.
        case machine
    }

    package init(_ step: IssuanceStep, _ kind: Kind, type: String = "", _ detail: String) {
        self.step = step
        self.kind = kind
        // Texts of an authority come into events and records as long as it likes.
        self.type = shortened(type, scalarsMax: Self.typeScalarsMax)
        self.detail = shortened(detail, scalarsMax: Self.detailScalarsMax)
    }

    /// The same with a fact before the authority's words.
    package func saying(_ fact: String) -> IssuanceFault {
        var fault = IssuanceFault(step, kind, type: type, "\(fact); \(detail)")
        (fault.help, fault.retryTime) = (help, retryTime)
        fault.isAccountClosed = isAccountClosed
        return fault
    }

    /// The fault of an account by the authority's answer to a request for it; nil if the answer does not
    /// say that it is closed. Let's Encrypt refuses the request, others name the status.
    static func closedAccount(_ url: String?, _ response: ACMEResponse) -> IssuanceFault? {
        let words: String
        if response.isSuccess {
            guard let status = response.json?["status"]?.text,
                status == "deactivated" || status == "revoked"
            else { return nil }
            words = "its status is \(status)"
        } else {
            let problem = ACMEProblem(response)
            guard problem.type == "unauthorized" else { return nil }
            words = problem.detail
        }
        var fault = IssuanceFault(
            .account, .input, type: "unauthorized",
            "the account \(url ?? "of this key") is closed: \(words)")
        fault.isAccountClosed = true
        return fault
    }

    private static let typeScalarsMax = 100
    private static let detailScalarsMax = 2_000
    private static let helpScalarsMax = 500

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

    /// The fault of an answer that refuses a request, or lacks what it should have.
    /// - Parameter time: of the answer, in seconds since 1970.
    static func refusal(
        _ step: IssuanceStep, _ response: ACMEResponse, time: Int, or text: String
    ) -> IssuanceFault {
        let problem = response.isSuccess ? nil : ACMEProblem(response)
        var fault = IssuanceFault(step, problem, or: text)
        fault.help = response.link("help") ?? response.link("terms-of-service")
        fault.retryTime = response.retryTime(now: time)
        if response.status == 429 { fault.kind = .rateLimited }
        return fault
    }

    package var description: String {
        let name = type.isEmpty ? "" : " (\(type))"
        return (authority.map { "\($0): " } ?? "") + "\(step.rawValue): \(detail)\(name)"
            + (help.map { "; see \($0)" } ?? "")
    }
}

/// So much of a text of the authority's, and a mark where something was left out.
func shortened(_ text: String, scalarsMax: Int) -> String {
    // A scalar has up to four bytes.
    guard text.utf8.count > scalarsMax, text.unicodeScalars.count > scalarsMax else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(scalarsMax - 1))) + "…"
}
