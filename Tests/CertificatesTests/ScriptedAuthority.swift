import HTTPMessages
import TLS

@testable import Certificates
import URISyntax

/// An authority whose answers are a table. The last answer to a request is given again.
struct ScriptedAuthority {
    var session: ACMESession
    var issuance: Issuance
    var directory = CertificatesTests.directory()
    var answers: [String: [Answer]]
    /// In the order in which they have come.
    var asked = [String]()
    var protected = [String]()
    var payloads = [String]()
    var presented = [String]()
    /// What would be in DNS.
    var records = [ChallengeRecord]()
    /// Requests whose answers have no nonce.
    var withoutNonce = Set<String>()
    /// Milliseconds.
    var now = 5_000
    private var nonces = 0

    struct Answer {
        let status: Int
        let text: String
        let fields: [String: String]

        init(_ status: Int, _ text: String, _ fields: [String: String] = [:]) {
            (self.status, self.text, self.fields) = (status, text, fields)
        }
    }

    init(_ settings: AccountSettings = AccountSettings()) throws {
        session = ACMESession(
            directory: "https://ca/directory", key: try SigningKey(), account: nil,
            settings: settings)
        issuance = Issuance(host: "a.example", request: [1, 2, 3], wish: .init())
        answers = [
            "POST /account": [.init(201, "{}", ["location": "https://ca/account/1"])],
            "POST /order": [
                .init(201, order(status: "pending"), ["location": "https://ca/order/1"])
            ],
            "POST /authz": [
                .init(200, authorization(status: "pending")),
                .init(200, authorization(status: "valid")),
            ],
            "POST /challenge": [.init(200, "{}")],
            "POST /order/1": [.init(200, order(status: "ready"))],
            "POST /finalize": [.init(200, order(status: "valid"))],
            "POST /certificate": [.init(200, "CHAIN")],
        ]
    }

    mutating func begin(
        _ progress: OrderProgress = OrderProgress(), wish: Issuance.Wish = .init(),
        host: String = "a.example"
    ) {
        issuance = Issuance(host: host, request: [1, 2, 3], wish: wish, progress: progress)
        answers["POST /authz"] = [
            .init(200, authorization(status: "pending")),
            .init(200, authorization(status: "valid")),
        ]
        (protected, payloads) = ([], [])
    }

    /// The chain at the end of the order.
    mutating func run() throws(IssuanceFault) -> [UInt8] {
        for _ in 0..<Self.stepsMax {
            switch try issuance.next(&session, now: now) {
            case .issued(let chain): return chain
            case .wait(let time): now = time
            case .present(let challenge):
                presented.append("\(challenge.type.rawValue) \(challenge.token)")
                let account = session.account
                records += [challenge.record(for: issuance.host, session.key, account: account)]
                    .compactMap(\.self)
                issuance.confirm()
            case .send(let request):
                let response = answer(request)
                try issuance.take(response, &session, now: now, time: 1_000_000)
            }
        }
        throw IssuanceFault(.order, .input, "the order does not end")
    }

    private static let stepsMax = 3_000

    /// Why there is no chain.
    mutating func fault() throws -> IssuanceFault {
        do throws(IssuanceFault) {
            _ = try run()
        } catch {
            return error
        }
        throw NoFault()
    }

    struct NoFault: Error {}

    private mutating func answer(_ request: ACMERequest) -> ACMEResponse {
        let name = "\(request.method.rawValue) \(request.url.dropFirst("https://ca".count))"
        asked.append(name)
        nonces += 1
        var answer: Answer
        switch name {
        case "GET /directory": answer = Answer(200, directory)
        case "HEAD /nonce": answer = Answer(200, "")
        default:
            let text = String(decoding: request.content, as: UTF8.self)
            protected.append(decoded(text.member("protected")))
            payloads.append(decoded(text.member("payload")))
            answer = answers[name]?.first ?? Answer(404, "{}")
            if let rest = answers[name], rest.count > 1 { answers[name] = Array(rest.dropFirst()) }
        }
        var fields = answer.fields.map { (name: $0.key, value: $0.value) }
        if request.method != .get, !withoutNonce.contains(name) {
            fields.append(("replay-nonce", "nonce-\(nonces)"))
        }
        return ACMEResponse(
            head: ResponseHead(status: answer.status, fields: fields),
            content: Array(answer.text.utf8))
    }

    private func decoded(_ text: String?) -> String {
        String(decoding: base64URLDecoded(text ?? "") ?? [], as: UTF8.self)
    }
}

extension String {
    /// The text of a member, in JSON as it is sent here.
    func member(_ name: String) -> String? {
        guard let range = firstRange(of: "\"\(name)\": \"") else { return nil }
        return String(self[range.upperBound...].prefix { $0 != "\"" })
    }
}

func directory(hasRenewalInfo: Bool = false, meta: String = "") -> String {
    """
    {"newNonce":"https://ca/nonce","newAccount":"https://ca/account","newOrder":"https://ca/order",
    \(hasRenewalInfo ? #""renewalInfo":"https://ca/renewal","# : "")"meta":{\(meta)}}
    """
}

func order(status: String) -> String {
    """
    {"status":"\(status)","authorizations":["https://ca/authz"],"finalize":"https://ca/finalize",
    "certificate":"https://ca/certificate"}
    """
}

func authorization(
    status: String, type: String = "http-01", token: String = "token-1", error: String = ""
) -> String {
    """
    {"status":"\(status)","challenges":[{"type":"\(type)","url":"https://ca/challenge",
    "token":"\(token)","status":"pending"\(error)}]}
    """
}

func problem(
    _ status: Int, _ type: String, _ fields: [String: String] = [:]
) -> ScriptedAuthority.Answer {
    .init(
        status,
        """
        {"type":"urn:ietf:params:acme:error:\(type)","detail":"in the words of \(type)"}
        """, fields)
}
