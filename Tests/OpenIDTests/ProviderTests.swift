import TLS
import Testing
import URISyntax

@testable import OpenID

@Suite("What a provider publishes and answers")
struct ProviderTests {
    private static let issuer = TestProvider.issuer
    private static let usual = [
        ("issuer", "\"\(issuer)\""), ("authorization_endpoint", "\"\(issuer)/authorize\""),
        ("token_endpoint", "\"\(issuer)/token\""), ("jwks_uri", "\"\(issuer)/keys\""),
    ]

    private static func metadata(
        _ change: (String, String?)..., issuer: String = issuer
    ) throws(OpenIDFault) -> ProviderMetadata {
        var members = usual
        for (name, value) in change { TestProvider.set(name, value, in: &members) }
        return try ProviderMetadata(Array(TestProvider.json(members).utf8), of: issuer)
    }

    @Test func `its configuration is at a URL of its issuer`() {
        for (issuer, url) in [
            ("https://a.example", "https://a.example/.well-known/openid-configuration"),
            ("https://a.example/", "https://a.example/.well-known/openid-configuration"),
            (
                "https://a.example/realms/x",
                "https://a.example/realms/x/.well-known/openid-configuration"
            ),
        ] { #expect(ProviderMetadata.location(of: issuer) == url) }
    }

    @Test func `its configuration is taken`() throws {
        let metadata = try Self.metadata()
        #expect(metadata.token.description == "https://id.example.com/token")
        #expect(metadata.takesBasic && !metadata.namesItself && metadata.userInfo == nil)
        #expect(
            try !Self.metadata(
                ("token_endpoint_auth_methods_supported", "[\"client_secret_post\"]")
            ).takesBasic)
        #expect(
            try Self.metadata(("authorization_response_iss_parameter_supported", "true"))
                .namesItself)
        // Endpoints may be on other hosts (Google's are).
        #expect(
            try Self.metadata(("token_endpoint", "\"https://oauth.example.net/t\"")).token.host
                .description == "oauth.example.net")
    }

    private static let refusedRows: [(String, String?, OpenIDFault)] = [
        ("issuer", "\"https://id.example.com/\"", .otherIssuer(.metadata)),
        ("issuer", "\"https://evil.example\"", .otherIssuer(.metadata)),
        ("issuer", nil, .missing("issuer", .metadata)),
        ("jwks_uri", nil, .missing("jwks_uri", .metadata)),
        ("token_endpoint", nil, .missing("token_endpoint", .metadata)),
        ("token_endpoint", "7", .missing("token_endpoint", .metadata)),
        ("authorization_endpoint", nil, .missing("authorization_endpoint", .metadata)),
        ("token_endpoint", "\"http://id.example.com/token\"", .insecure("token_endpoint")),
        ("jwks_uri", "\"http://127.0.0.1/keys\"", .insecure("jwks_uri")),
        ("jwks_uri", "\"file:///etc/passwd\"", .insecure("jwks_uri")),
        ("userinfo_endpoint", "\"http://id.example.com/me\"", .insecure("userinfo_endpoint")),
        ("authorization_endpoint", "\"javascript:alert(1)\"", .insecure("authorization_endpoint")),
        (
            "authorization_endpoint", "\"https://id.example.com/a#b\"",
            .insecure("authorization_endpoint")
        ),
        ("token_endpoint", "\"https://a:b@id.example.com/\"", .insecure("token_endpoint")),
        ("token_endpoint_auth_methods_supported", "[\"private_key_jwt\"]", .noAuthentication),
        ("x", "\"\(String(repeating: "x", count: 140_000))\"", .malformed(.metadata)),
    ]

    @Test("its configuration is refused", arguments: refusedRows.indices)
    func refusals(_ index: Int) {
        let (name, value, fault) = Self.refusedRows[index]
        #expect(throws: fault) { try Self.metadata((name, value)) }
    }

    @Test func `without TLS, its endpoints are on its host`() throws {
        let issuer = "http://127.0.0.1:9000"
        func metadata(_ token: String) throws -> ProviderMetadata {
            try Self.metadata(
                ("issuer", "\"\(issuer)\""), ("authorization_endpoint", "\"\(issuer)/a\""),
                ("jwks_uri", "\"\(issuer)/k\""), ("token_endpoint", "\"\(token)\""), issuer: issuer)
        }
        #expect(try metadata("http://127.0.0.1:9001/t").token.port == 9001)
        #expect(throws: OpenIDFault.insecure("token_endpoint")) {
            try metadata("http://id.example.com/t")
        }
    }

    // MARK: The browser's way

    @Test func `an attempt is of one secret, provider, client and page`() throws {
        let secret = String(repeating: "A", count: 43)
        let client = TestProvider.client
        let others = [
            SignInAttempt(String(repeating: "B", count: 43), of: client),
            SignInAttempt(
                secret,
                of: ProviderClient(
                    issuer: "https://b.example", id: client.id, redirect: client.redirect)),
            SignInAttempt(
                secret,
                of: ProviderClient(issuer: client.issuer, id: "b", redirect: client.redirect)),
            SignInAttempt(
                secret,
                of: ProviderClient(
                    issuer: client.issuer, id: client.id, redirect: "https://b.example/")),
        ]
        let all = ([TestProvider.attempt] + others).flatMap {
            [$0.state, $0.nonce, $0.verifier, base64URL($0.hash)]
        }
        #expect(Set(all).count == 20)
        // RFC 7636 §4.1: 43 to 128 characters.
        #expect(all.allSatisfy { $0.utf8.count == 43 && !$0.contains(secret) })
    }

    @Test func `the way to the provider says everything once`() throws {
        let attempt = TestProvider.attempt
        let url = try WebURL(attempt.location(try Self.metadata(), scopes: nil))
        let items = queryItems(String(url.requestTarget.drop { $0 != "?" }.dropFirst()))
        let found = Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value) })
        #expect(
            found == [
                "response_type": "code", "client_id": "waymark", "scope": "openid profile email",
                "redirect_uri": "https://links.example.com/console/openid",
                "state": attempt.state, "nonce": attempt.nonce, "code_challenge_method": "S256",
                "code_challenge": base64URL(sha256(Array(attempt.verifier.utf8))),
            ])
        let known = try Self.metadata(
            ("scopes_supported", "[\"openid\",\"groups\"]"),
            ("authorization_endpoint", "\"https://id.example.com/a?b=c\""))
        #expect(
            attempt.location(known, scopes: nil)
                .hasPrefix("https://id.example.com/a?b=c&response_type=code&"))
        #expect(attempt.location(known, scopes: nil).contains("scope=openid%20groups&"))
        #expect(
            attempt.location(known, scopes: ["openid", "roles"]).contains("scope=openid%20roles&"))
    }

    private static let answerRows: [(String, Bool, OpenIDFault?)] = [
        ("code=c", false, nil), ("code=c&iss=https%3A%2F%2Fid.example.com", false, nil),
        ("code=c&iss=https%3A%2F%2Fid.example.com", true, nil), ("code=c", true, .noIssuer),
        ("code=c&iss=https%3A%2F%2Fevil.example", false, .otherIssuer(.answer)),
        ("code=c&iss=", false, .otherIssuer(.answer)),
        ("error=access_denied&iss=https%3A%2F%2Fevil.example", false, .otherIssuer(.answer)),
        ("error=access_denied", false, .refused("access_denied")),
        ("error=%3Cb%3E", false, .refused("another error")),
        ("code=c&error=x", false, .refused("x")),
        ("", false, .missing("code", .answer)), ("code=", false, .missing("code", .answer)),
        ("code=c&code=d", false, .malformed(.answer)),
        ("code=\(String(repeating: "c", count: 4_096))", false, nil),
        ("code=\(String(repeating: "c", count: 4_097))", false, .malformed(.answer)),
    ]

    @Test("answers that a browser brings", arguments: answerRows.indices)
    func answers(_ index: Int) throws {
        let (query, namesItself, fault) = Self.answerRows[index]
        let metadata = try Self.metadata(
            ("authorization_response_iss_parameter_supported", "\(namesItself)"))
        func code() throws(OpenIDFault) -> String {
            try AuthorizationAnswer(queryItems(query)).code(metadata)
        }
        if let fault {
            #expect(throws: fault) { try code() }
        } else {
            #expect(try code().hasPrefix("c"))
        }
    }

    @Test func `an answer is to one attempt`() throws {
        let attempt = TestProvider.attempt
        func isAnswer(_ query: String) throws -> Bool {
            try AuthorizationAnswer(queryItems(query)).isAnswer(to: attempt)
        }
        #expect(try isAnswer("state=\(attempt.state)"))
        for query in ["", "state=", "state=\(attempt.nonce)", "state=\(attempt.state)x"] {
            #expect(try !isAnswer(query))
        }
        #expect(throws: OpenIDFault.malformed(.answer)) {
            try isAnswer("state=\(attempt.state)&state=\(attempt.state)")
        }
    }

    // MARK: Tokens

    @Test func `the secret goes where the provider takes it`() throws {
        let client = ProviderClient(
            issuer: Self.issuer, id: "a:b", redirect: TestProvider.client.redirect)
        let basic = client.tokenRequest(
            try Self.metadata(), code: "c", verifier: "v", secret: "ü 1")
        #expect(basic.fields.contains("Authorization: Basic YSUzQWI6JUMzJUJDJTIwMQ=="))
        let content = String(decoding: basic.content, as: UTF8.self)
        #expect(!content.contains("client") && content.contains("&code=c&"))
        let post = client.tokenRequest(
            try Self.metadata(("token_endpoint_auth_methods_supported", "\"client_secret_post\"")),
            code: "c&d", verifier: "v", secret: "s=1")
        #expect(post.fields.allSatisfy { !$0.hasPrefix("Authorization") })
        let posted = String(decoding: post.content, as: UTF8.self)
        #expect(
            posted.contains("code=c%26d&")
                && posted.hasSuffix("client_id=a%3Ab&client_secret=s%3D1"))
    }

    @Test func `an answer with tokens has an ID token`() throws {
        func answer(_ text: String, status: Int = 200) throws(OpenIDFault) -> TokenAnswer {
            try TokenAnswer(Array(text.utf8), status: status)
        }
        let whole = try answer(#"{"id_token":"a.b.c","token_type":"Bearer","access_token":"x"}"#)
        #expect(whole.idToken == "a.b.c" && whole.accessToken == "x")
        #expect(try answer(#"{"id_token":"a.b.c","access_token":"x"}"#).accessToken == nil)
        #expect(
            try answer(#"{"id_token":"a","token_type":"bearer","access_token":"x\r\ny"}"#)
                .accessToken == nil)
        for (text, status, fault) in [
            ("{}", 200, .missing("id_token", .tokens)), ("", 200, .malformed(.tokens)),
            (#"{"error":"invalid_grant"}"#, 400, .refused("invalid_grant")),
            ("<html>", 302, .refused("the status 302")), ("{}", 500, .refused("the status 500")),
            (#"{"id_token":"a","id_token":"b"}"#, 200, .malformed(.tokens)),
        ] as [(String, Int, OpenIDFault)] {
            #expect(throws: fault, "\(text)") { try answer(text, status: status) }
        }
    }

    // MARK: The person

    private static func person(
        _ claims: (String, String)..., issuer: String = issuer
    ) throws -> ProviderPerson {
        var provider = try TestProvider()
        for (name, value) in claims { TestProvider.set(name, value, in: &provider.claims) }
        return ProviderPerson(try provider.check(), issuer: issuer)
    }

    @Test func `groups are texts of a claim`() throws {
        func groups(_ value: String, _ claim: String = "groups") throws -> [String]? {
            try Self.person((claim, value)).groups(claim)
        }
        #expect(try groups("[\"a\",\"b\"]") == ["a", "b"])
        #expect(try groups("\"example.com\"", "hd") == ["example.com"])
        #expect(try groups("[]") == [])
        #expect(try groups("[\"a\",7,null,\"b\",[\"c\"]]") == ["a", "b"])
        for value in ["{}", "7", "null", "true", "[7]"] { #expect(try groups(value) == []) }
        #expect(try Self.person().groups("groups") == nil)
        #expect(try Self.person(("email", "\"a@b.example\"")).groups("email") == [])
        for (flag, isVerified) in [
            ("true", true), ("\"true\"", true), ("false", false), ("1", false),
        ] {
            let person = try Self.person(("email", "\"a@b.example\""), ("email_verified", flag))
            #expect(person.groups("email") == (isVerified ? ["a@b.example"] : []))
        }
    }

    @Test func `further claims are of the same person`() throws {
        func groups(_ info: String) throws -> [String]? {
            var person = try Self.person()
            try person.add(userInfo: Array(info.utf8))
            return person.groups("groups")
        }
        #expect(try groups(#"{"sub":"248289761001","groups":["a"]}"#) == ["a"])
        for info in [#"{"sub":"248289761002","groups":["a"]}"#, #"{"groups":["a"]}"#] {
            #expect(throws: OpenIDFault.otherSubject) { try groups(info) }
        }
        #expect(throws: OpenIDFault.malformed(.userInfo)) { try groups("eyJ.eyJ.x") }
    }

    @Test func `a name says who, and its end is of nobody else`() throws {
        let anna = try Self.person(("preferred_username", "\"Anna\""))
        #expect(anna.name.hasPrefix("anna+") && anna.name.hasSuffix(anna.ending))
        #expect(anna.ending.utf8.count == 17)
        // What can change does not change the end; issuer and identifier do.
        #expect(try Self.person(("email", "\"anna@example.com\"")).ending == anna.ending)
        #expect(try Self.person(("sub", "\"248289761002\"")).ending != anna.ending)
        #expect(try Self.person(issuer: "https://b.example").ending != anna.ending)
        for (said, name) in [
            ("Anna Müller", "anna-mueller"), ("Ångström Łukasz", "aangstroem-lukasz"),
            ("Mu\u{308}ller", "muller"), ("Ωmega", "mega"), ("İbrahim", "ibrahim"),
            ("+admin", "admin"),
            ("a/../b", "a-..-b"),
            ("\u{212A}im", "kim"),
            ("", "person"), ("🙂", "person"), ("x+abcdefghijklmnop", "x-abcdefghijklmnop"),
            (String(repeating: "x", count: 1_000), String(repeating: "x", count: 40)),
        ] {
            let person = try Self.person(("preferred_username", "\"\(said)\""))
            #expect(person.name == name + person.ending)
            #expect(person.name.utf8.count <= 64)
        }
    }
}
