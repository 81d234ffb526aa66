import HTTPMessages
import TLS
import Testing

@testable import Certificates

/// Orders as a value, against an authority that is a script (RFC 8555).
@Suite("Issuance")
struct IssuanceTests {
    @Test func `an order goes from the directory to the chain`() throws {
        var authority = try ScriptedAuthority()
        #expect(try authority.run() == Array("CHAIN".utf8))
        #expect(
            authority.asked == [
                "GET /directory", "HEAD /nonce", "POST /account", "POST /order", "POST /authz",
                "POST /challenge", "POST /authz", "POST /finalize", "POST /certificate",
            ])
        #expect(authority.session.account == "https://ca/account/1")
        #expect(authority.session.isAccountNew)
        #expect(authority.presented == ["http-01 token-1"])
    }

    @Test func `what is known is not asked for again`() throws {
        var authority = try ScriptedAuthority()
        _ = try authority.run()
        authority.asked = []
        authority.begin()
        _ = try authority.run()
        #expect(authority.asked.first == "POST /order")
    }

    @Test func `an order that is ready at once needs no challenge`() throws {
        var authority = try ScriptedAuthority()
        authority.answers["POST /order"] = [
            .init(201, order(status: "ready"), ["location": "https://ca/order/1"])
        ]
        #expect(try authority.run() == Array("CHAIN".utf8))
        #expect(!authority.asked.contains("POST /challenge"))
        #expect(authority.presented.isEmpty)
    }

    @Test func `an authorization that is valid already needs no challenge`() throws {
        var authority = try ScriptedAuthority()
        authority.answers["POST /authz"] = [.init(200, authorization(status: "valid"))]
        #expect(try authority.run() == Array("CHAIN".utf8))
        #expect(!authority.asked.contains("POST /challenge"))
    }

    @Test(arguments: [1, 10, 60])
    func `a refused nonce is no refusal`(times: Int) throws {
        var authority = try ScriptedAuthority()
        authority.answers["POST /finalize"] =
            .init(repeating: problem(400, "badNonce"), count: times)
            + [.init(200, order(status: "valid"))]
        #expect(try authority.run() == Array("CHAIN".utf8))
        #expect(authority.asked.count { $0 == "POST /finalize" } == times + 1)
    }

    @Test func `an authority that refuses every nonce is not asked for ever`() throws {
        var authority = try ScriptedAuthority()
        authority.answers["POST /order"] = .init(repeating: problem(400, "badNonce"), count: 100)
        let fault = try authority.fault()
        #expect(fault.step == .order && fault.type == "badNonce" && fault.kind == .temporary)
        #expect(authority.asked.count { $0 == "POST /order" } == 61)
    }

    @Test func `each nonce is sent once, and each request has a key or an account`() throws {
        var authority = try ScriptedAuthority()
        _ = try authority.run()
        let nonces = authority.protected.map { $0.member("nonce") ?? "" }
        #expect(Set(nonces).count == nonces.count && !nonces.contains(""))
        #expect(authority.protected[0].contains("\"jwk\""))
        #expect(!authority.protected[0].contains("\"kid\""))
        for text in authority.protected.dropFirst() {
            #expect(text.member("kid") == "https://ca/account/1" && !text.contains("\"jwk\""))
        }
        #expect(authority.protected.map { $0.member("url") ?? "" }.contains("https://ca/finalize"))
    }

    @Test func `a nonce is asked for where an answer has none`() throws {
        var authority = try ScriptedAuthority()
        authority.withoutNonce = ["POST /order", "POST /finalize"]
        _ = try authority.run()
        #expect(authority.asked.count { $0 == "HEAD /nonce" } == 3)
        let nonces = authority.protected.map { $0.member("nonce") ?? "" }
        #expect(Set(nonces).count == nonces.count)
        authority.withoutNonce = ["HEAD /nonce"]
        authority.session.nonce = nil
        authority.begin()
        #expect(try authority.fault().step == .nonce)
    }

    @Test func `an order is resumed by its URL`() throws {
        var authority = try ScriptedAuthority()
        authority.begin(OrderProgress(order: "https://ca/order/1"))
        authority.answers["POST /order/1"] = [.init(200, order(status: "valid"))]
        #expect(try authority.run() == Array("CHAIN".utf8))
        #expect(!authority.asked.contains("POST /order"))
    }

    @Test(arguments: [400, 401, 403, 404, 410])
    func `an order that is gone is followed by another`(status: Int) throws {
        var authority = try ScriptedAuthority()
        authority.begin(OrderProgress(order: "https://ca/order/0"))
        authority.answers["POST /order/0"] = [problem(status, "malformed")]
        #expect(try authority.run() == Array("CHAIN".utf8))
        #expect(authority.issuance.progress.order == "https://ca/order/1")
    }

    @Test(arguments: [
        ("alreadyReplaced", 409), ("malformed", 404), ("unauthorized", 403), ("malformed", 400),
        ("serverInternal", 500),
    ])
    func `a refusal that 'replaces' can have caused is repeated once without it`(
        type: String, status: Int
    ) throws {
        var authority = try ScriptedAuthority()
        authority.directory = directory(hasRenewalInfo: true)
        authority.begin(wish: .init(replaces: "aki.serial"))
        authority.answers["POST /order"] = [
            problem(status, type),
            .init(201, order(status: "pending"), ["location": "https://ca/order/1"]),
        ]
        #expect(try authority.run() == Array("CHAIN".utf8))
        #expect(authority.payloads.filter { $0.contains("replaces") }.count == 1)
        #expect(authority.issuance.progress.replaced == "aki.serial")
    }

    @Test(arguments: ["rateLimited", "caa", "rejectedIdentifier", "userActionRequired"])
    func `a refusal that it cannot have caused is not repeated`(type: String) throws {
        var authority = try ScriptedAuthority()
        authority.directory = directory(hasRenewalInfo: true)
        authority.begin(wish: .init(replaces: "aki.serial"))
        authority.answers["POST /order"] = [problem(403, type)]
        #expect(try authority.fault().type == type)
        #expect(authority.asked.count { $0 == "POST /order" } == 1)
    }

    @Test func `'replaces' is only sent to authorities with renewal information, and once`() throws
    {
        var authority = try ScriptedAuthority()
        authority.begin(wish: .init(replaces: "aki.serial"))
        _ = try authority.run()
        #expect(!authority.payloads.contains { $0.contains("replaces") })
        authority.directory = directory(hasRenewalInfo: true)
        authority.session.directory = nil
        authority.begin(OrderProgress(replaced: "aki.serial"), wish: .init(replaces: "aki.serial"))
        _ = try authority.run()
        #expect(!authority.payloads.contains { $0.contains("replaces") })
    }

    @Test func `an order that has failed has been the replacement, too`() throws {
        var authority = try ScriptedAuthority()
        authority.directory = directory(hasRenewalInfo: true)
        authority.begin(wish: .init(replaces: "aki.serial"))
        authority.answers["POST /authz"] = [.init(200, authorization(status: "invalid"))]
        #expect(try authority.fault().kind == .temporary)
        #expect(authority.payloads.contains { $0.member("replaces") == "aki.serial" })
        #expect(authority.issuance.progress == OrderProgress(replaced: "aki.serial"))
    }

    /// An order that is kept without a reason would be refused on every day to come.
    @Test(
        arguments: ["POST /authz", "POST /challenge", "POST /finalize", "POST /certificate"],
        [400, 404, 429, 503])
    func `an order of which something is refused is given up, but not for a limit or an outage`(
        request: String, status: Int
    ) throws {
        var authority = try ScriptedAuthority()
        authority.answers[request] = [problem(status, "malformed")]
        _ = try authority.fault()
        let isKept = authority.issuance.progress.order != nil
        #expect(isKept == (status == 429 || status == 503))
        // The same of an order that is resumed.
        authority.answers[request] = nil
        authority = try ScriptedAuthority()
        authority.begin(OrderProgress(order: "https://ca/order/1"))
        authority.answers["POST /order/1"] = [problem(status, "malformed")]
        if status == 429 || status == 503 {
            #expect(try authority.fault().step == .order)
            #expect(authority.issuance.progress.order == "https://ca/order/1")
        } else {
            #expect(try authority.run() == Array("CHAIN".utf8))
        }
    }

    /// The table of an authority's refusals.
    @Test(arguments: [
        ("POST /order", "caa", 403, IssuanceFault.Kind.input),
        ("POST /order", "rejectedIdentifier", 400, .input),
        ("POST /order", "rateLimited", 429, .rateLimited),
        ("POST /order", "serverInternal", 500, .temporary),
        ("POST /account", "userActionRequired", 403, .input),
        ("POST /account", "invalidContact", 400, .input),
        ("POST /finalize", "badCSR", 400, .input),
        ("POST /finalize", "unauthorized", 403, .input),
        ("POST /challenge", "unauthorized", 403, .challenge),
        ("POST /authz", "serverInternal", 503, .temporary),
    ])
    func `a refusal has its step, its kind and the authority's words`(
        request: String, type: String, status: Int, kind: IssuanceFault.Kind
    ) throws {
        var authority = try ScriptedAuthority()
        authority.answers[request] = [problem(status, type, ["retry-after": "120"])]
        let fault = try authority.fault()
        #expect(fault.kind == kind)
        #expect(fault.type == type && fault.detail == "in the words of \(type)")
        #expect(fault.retryTime == 1_000_120)
    }

    @Test func `a limit names the time and the page about it`() throws {
        var authority = try ScriptedAuthority()
        authority.answers["POST /order"] = [
            problem(
                429, "rateLimited",
                [
                    "retry-after": "Mon, 12 Jan 1970 14:46:40 GMT",
                    "link":
                        "<https://ca/directory>;rel=\"index\", <https://ca/limits>; rel=\"help\"",
                ])
        ]
        let fault = try authority.fault()
        #expect(fault.kind == .rateLimited && fault.retryTime == 1_003_600)
        #expect(fault.help == "https://ca/limits")
    }

    @Test func `a host that cannot be seen is said with the challenge's error`() throws {
        var authority = try ScriptedAuthority()
        authority.answers["POST /authz"] = [
            .init(200, authorization(status: "pending")),
            .init(
                200,
                authorization(
                    status: "invalid",
                    error: """
                        ,"error":{"type":"urn:ietf:params:acme:error:dns","detail":"NXDOMAIN"}
                        """)),
        ]
        let fault = try authority.fault()
        #expect(fault.kind == .challenge && fault.detail == "NXDOMAIN" && fault.step == .challenge)
        #expect(authority.issuance.progress.order == nil)
    }

    @Test func `subproblems name their hosts`() throws {
        var authority = try ScriptedAuthority()
        let text = """
            {"type":"urn:ietf:params:acme:error:malformed","detail":"some","subproblems":[{"type":"x",
            "detail":"bad","identifier":{"type":"dns","value":"a.example"}}]}
            """
        authority.answers["POST /order"] = [.init(400, text)]
        #expect(try authority.fault().detail == "some; a.example: bad")
    }

    @Test func `an order that is processed for ever is kept, and given up for now`() throws {
        var authority = try ScriptedAuthority()
        authority.answers["POST /finalize"] = [.init(200, order(status: "processing"))]
        authority.answers["POST /order/1"] = [.init(200, order(status: "processing"))]
        let fault = try authority.fault()
        #expect(fault.step == .finalize && fault.detail.contains("5 minutes"))
        #expect(authority.issuance.progress.order == "https://ca/order/1")
        #expect((60...70).contains(authority.asked.count { $0 == "POST /order/1" }))
    }

    @Test func `an order that is not ready yet is read again`() throws {
        var authority = try ScriptedAuthority()
        authority.answers["POST /finalize"] = [
            problem(403, "orderNotReady"), .init(200, order(status: "valid")),
        ]
        #expect(try authority.run() == Array("CHAIN".utf8))
        #expect(authority.asked.contains("POST /order/1"))
        authority.answers["POST /finalize"] = [problem(403, "orderNotReady")]
        authority.begin()
        #expect(try authority.fault().type == "orderNotReady")
    }

    @Test func `a time between requests that the authority names is kept`() throws {
        var authority = try ScriptedAuthority()
        authority.answers["POST /authz"] = [
            .init(200, authorization(status: "pending")),
            .init(200, authorization(status: "pending"), ["retry-after": "20"]),
            .init(200, authorization(status: "valid")),
        ]
        let before = authority.now
        _ = try authority.run()
        #expect((20_000...25_000).contains(authority.now - before))
    }

    @Test func `an account that is gone is made again, once`() throws {
        var authority = try ScriptedAuthority()
        authority.session.account = "https://ca/account/0"
        authority.answers["POST /order"] = [
            problem(400, "accountDoesNotExist"),
            .init(201, order(status: "pending"), ["location": "https://ca/order/1"]),
        ]
        #expect(try authority.run() == Array("CHAIN".utf8))
        #expect(authority.asked.contains("POST /account"))
        authority.answers["POST /order"] = .init(
            repeating: problem(400, "accountDoesNotExist"), count: 5)
        authority.begin()
        #expect(try authority.fault().type == "accountDoesNotExist")
    }

    @Test func `an order of an account that is gone is not gone on with`() throws {
        var authority = try ScriptedAuthority()
        authority.session.account = "https://ca/account/0"
        authority.answers["POST /finalize"] = [
            problem(400, "accountDoesNotExist"), .init(200, order(status: "valid")),
        ]
        #expect(try authority.run() == Array("CHAIN".utf8))
        #expect(authority.asked.count { $0 == "POST /order" } == 2)
    }

    /// The answers of Let's Encrypt, ZeroSSL and Pebble for an account that was deactivated.
    static let closings: [(order: ScriptedAuthority.Answer, account: ScriptedAuthority.Answer)] = [
        (problem(403, "unauthorized"), problem(403, "unauthorized")),
        (problem(401, "unauthorized"), problem(401, "unauthorized")),
        (problem(401, "unauthorized"), .init(200, #"{"status":"deactivated"}"#)),
        (problem(403, "unauthorized"), .init(200, #"{"status":"revoked"}"#)),
    ]

    @Test("an account that is closed is no fault of the order", arguments: closings.indices)
    func closedAccounts(_ index: Int) throws {
        var authority = try ScriptedAuthority()
        authority.session.account = "https://ca/account/1"
        authority.answers["POST /order"] = [Self.closings[index].order]
        authority.answers["POST /account"] = [Self.closings[index].account]
        let fault = try authority.fault()
        #expect(fault.isAccountClosed && fault.step == .account && fault.kind == .input)
        #expect(fault.detail.contains("the account https://ca/account/1 is closed: "))
        #expect(fault.saying("x").isAccountClosed)
        // No account is made for it.
        #expect(authority.asked.count { $0 == "POST /account" } == 1)
        #expect(authority.payloads.last?.contains(#""onlyReturnExisting": true"#) == true)
        // The same where its URL is not known.
        authority.session.account = nil
        authority.answers["POST /account"]?[0] = .init(
            Self.closings[index].account.status, Self.closings[index].account.text,
            ["location": "https://ca/account/1"])
        authority.begin()
        #expect(try authority.fault().isAccountClosed)
    }

    @Test func `a refusal of an account that is open counts as it is`() throws {
        let open = [
            ScriptedAuthority.Answer(200, #"{"status":"valid"}"#), .init(200, "{}"),
            problem(500, "serverInternal"),
        ]
        for answer in open {
            var authority = try ScriptedAuthority()
            authority.session.account = "https://ca/account/1"
            authority.answers["POST /order"] = [problem(403, "unauthorized")]
            authority.answers["POST /account"] = [answer]
            let fault = try authority.fault()
            #expect(!fault.isAccountClosed && fault.step == .order && fault.type == "unauthorized")
        }
        // An account that was refused does not exist, as with a wrong external account.
        var authority = try ScriptedAuthority()
        authority.answers["POST /account"] = [
            problem(403, "unauthorized"), problem(400, "accountDoesNotExist"),
        ]
        let fault = try authority.fault()
        #expect(!fault.isAccountClosed && fault.step == .account && fault.type == "unauthorized")
        // One that is gone is made anew, whatever the first refusal was.
        authority = try ScriptedAuthority()
        authority.session.account = "https://ca/account/0"
        authority.answers["POST /order"] = [
            problem(401, "unauthorized"),
            .init(201, order(status: "pending"), ["location": "https://ca/order/1"]),
        ]
        authority.answers["POST /account"] = [
            problem(400, "accountDoesNotExist"),
            .init(201, "{}", ["location": "https://ca/account/1"]),
        ]
        #expect(try authority.run() == Array("CHAIN".utf8))
        #expect(authority.session.account == "https://ca/account/1")
    }

    @Test func `what an authority asks for and does not have is said before an order`() throws {
        var authority = try ScriptedAuthority()
        authority.directory = directory(meta: #""externalAccountRequired":true"#)
        let account = try authority.fault()
        #expect(account.type == "externalAccountRequired" && account.step == .account)
        authority.directory = directory(meta: #""profiles":{"classic":"x","shortlived":"y"}"#)
        authority.begin(wish: .init(profile: "short"))
        let fault = try authority.fault()
        #expect(
            fault.detail == "the authority has no profile \"short\"; it has classic, shortlived")
        authority.begin(wish: .init(profile: "shortlived"))
        _ = try authority.run()
        #expect(authority.payloads.contains { $0.member("profile") == "shortlived" })
    }

    @Test func `an account outside ACME is bound with its key`() throws {
        var authority = try ScriptedAuthority(
            AccountSettings(
                email: "ops@example.com",
                external: ExternalAccount(id: "kid-1", key: Array("secret".utf8))))
        authority.directory = directory(meta: #""externalAccountRequired":true"#)
        _ = try authority.run()
        let account = authority.payloads[0]
        #expect(account.contains("mailto:ops@example.com"))
        #expect(account.contains("externalAccountBinding"))
    }

    @Test(arguments: ["a/b", "<script>", "", "a b", "é", String(repeating: "a", count: 129)])
    func `a token that is none is not answered`(token: String) throws {
        var authority = try ScriptedAuthority()
        authority.answers["POST /authz"] = [
            .init(200, authorization(status: "pending", token: token))
        ]
        #expect(try authority.fault().step == .challenge)
        #expect(authority.presented.isEmpty)
    }

    @Test func `an authority without our challenge is said with those that it has`() throws {
        var authority = try ScriptedAuthority()
        authority.answers["POST /authz"] = [
            .init(200, authorization(status: "pending", type: "dns-01"))
        ]
        #expect(
            try authority.fault().detail
                == "the authority offers no http-01, only dns-01")
        // It is there, and lacks what it is answered with.
        authority = try ScriptedAuthority()
        let answer = authorization(status: "pending", type: "http-01")
        authority.answers["POST /authz"] = [
            .init(200, answer.replacing("\"token\"", with: "\"other\""))
        ]
        let fault = try authority.fault()
        #expect(
            fault.detail
                == "the authority offers http-01 without a `url` or without a `token`")
        #expect(fault.kind == .temporary)
    }

    @Test(arguments: [
        (#"{"type":null,"detail":17}"#, ""), (#"{"type":"x:y"}"#, "x:y"), ("[]", ""), ("no", ""),
    ])
    func `a refusal without a reason says so`(body: String, type: String) throws {
        var authority = try ScriptedAuthority()
        authority.answers["POST /order"] = [.init(400, body)]
        let fault = try authority.fault()
        #expect(fault.detail.hasSuffix("answers with status 400 and gives no reason"))
        #expect(fault.type == type)
    }

    @Test(arguments: ["not JSON", "[]", "{}", ""])
    func `an answer that is no directory is said`(text: String) throws {
        var authority = try ScriptedAuthority()
        authority.directory = text
        let fault = try authority.fault()
        #expect(fault.step == .directory && fault.detail == "this is no directory of ACME")
    }

    // MARK: Renewal information

    @Test func `a window is read with and without fractions of seconds`() throws {
        let text = """
            {"suggestedWindow":{"start":"2025-01-02T04:00:00Z","end":"2025-01-03T04:00:00.123456789Z"},
            "explanationURL":"https://ca/why"}
            """
        let response = ACMEResponse(
            head: ResponseHead(status: 200, fields: [("retry-after", "21600")]),
            content: Array(text.utf8))
        let info = try #require(RenewalInfo(response, now: 1_000))
        #expect(info.window?.start == 1_735_790_400 && info.window?.end == 1_735_876_800)
        #expect(info.explanation == "https://ca/why" && info.retryTime == 22_600)
    }

    @Test func `an explanation is as long as others' texts at most`() throws {
        func explanation(_ length: Int) throws -> String? {
            let url = "https://ca/" + String(repeating: "y", count: length - 11)
            let text = """
                {"suggestedWindow":{"start":"2025-01-02T04:00:00Z","end":"2025-01-03T04:00:00Z"},
                "explanationURL":"\(url)"}
                """
            let response = ACMEResponse(
                head: ResponseHead(status: 200), content: Array(text.utf8))
            return try #require(RenewalInfo(response, now: 0)).explanation
        }
        #expect(try explanation(500)?.utf8.count == 500)
        #expect(try explanation(501)?.hasSuffix("y…") == true)
        #expect(try explanation(50_125)?.unicodeScalars.count == 500)
    }

    @Test(arguments: [
        "{}", #"{"suggestedWindow":{"start":"x","end":"y"}}"#, "[]", "no JSON",
        #"{"suggestedWindow":{"start":"2025-01-02T04:00:00Z"}}"#,
    ])
    func `what is no window is none`(text: String) {
        let response = ACMEResponse(
            head: ResponseHead(status: 200), content: Array(text.utf8))
        #expect(RenewalInfo(response, now: 0) == nil)
    }
}
