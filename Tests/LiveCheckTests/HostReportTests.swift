import Compression
import Foundation
import Diagnostics
import HTTPClient
import HTTPMessages
import LiveCheck
import Sockets
import TLS
import TestSupport
import Testing

@Suite("Verdicts about live sites")
struct HostReportTests {
    static let now = 1_795_000_000
    static let aasa =
        #"{"applinks":{"details":[{"appIDs":["ABCDE12345.a.b"],"components":[{"/":"/s/*"}]}]}}"#
    static let moved =
        #"{"applinks":{"details":[{"appIDs":["ABCDE12345.a.b"],"components":[{"/":"/t/*"}]}]}}"#
    static let spaced = aasa.replacing(":", with: " : ")
    static let print = (1...32).map { "\($0 + 20)" }.joined(separator: ":")
    static let links =
        #"[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"#
        + #""android_app","package_name":"a.b","sha256_cert_fingerprints":["\#(print)"]}}]"#
    static let json = "content-type: application/json"

    /// A case: what is different from a healthy site, and the rule of its cause.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let rule: LiveRule?
        let verdict: HostReport.Verdict
        let hop: Hop?
        let survey: HostSurvey
        let change: @Sendable (inout HostSurvey) -> Void

        init(
            _ name: String, _ rule: LiveRule?, _ verdict: HostReport.Verdict, _ hop: Hop?,
            _ change: @escaping @Sendable (inout HostSurvey) -> Void
        ) {
            testDescription = name
            self.change = change
            (self.rule, self.verdict, self.hop) = (rule, verdict, hop)
            survey = HostReportTests.survey(change)
        }
    }

    static func exchange(
        _ path: String, _ status: Int = 200, _ content: String = "", _ fields: String...,
        bytes: [UInt8]? = nil, wait: Int = 5, address: String = "192.0.1.1:443"
    ) -> ClientExchange {
        let head = ResponseHead(
            status: status,
            fields: fields.map { line in
                let colon = line.firstIndex(of: ":") ?? line.endIndex
                return (String(line[..<colon]), String(line[colon...].dropFirst(2)))
            })
        let content = bytes ?? Array(content.utf8)
        var exchange = ClientExchange(
            request: FetchRequest(host: "a.example", target: path), address: SocketAddress(address),
            peer: peer(),
            result: .success(
                FetchResponse(
                    head: head, received: Array(content.prefix(131_072)),
                    isTooLarge: content.count > 131_072, bytesMax: 131_072)))
        exchange.milliseconds.wait = wait
        return exchange
    }

    static func peer(_ faults: [CertificateFault] = [], end: Int = now + 60 * 86_400) -> TLSPeer {
        TLSPeer(
            faults: faults,
            chain: [
                PeerCertificate(
                    subject: "CN = a.example", issuer: "CN = E5", names: ["a.example"],
                    notBefore: end - 90 * 86_400, notAfter: end),
                PeerCertificate(subject: "CN = E5", issuer: "CN = Root", notAfter: end),
            ], parameters: nil)
    }

    static func failed(
        _ phase: FetchFailure.Phase, _ kind: FetchFailure.Kind, _ text: String = "x",
        _ peer: TLSPeer? = nil, address: String = "192.0.1.1:443"
    ) -> ClientExchange {
        ClientExchange(
            request: FetchRequest(host: "a.example", target: applePath),
            address: SocketAddress(address), peer: peer,
            result: .failure(FetchFailure(phase, kind, text)))
    }

    static let applePath = "/.well-known/apple-app-site-association"
    static let androidPath = "/.well-known/assetlinks.json"

    static func survey(_ change: (inout HostSurvey) -> Void) -> HostSurvey {
        var survey = HostSurvey(
            host: "a.example", port: 443,
            addresses: .set([SocketAddress(host: .v4([192, 0, 1, 1]), port: 443)]))
        survey.answers = [
            .init(
                apple: exchange(applePath, 200, aasa, json),
                android: exchange(androidPath, 200, links, json))
        ]
        survey.rootPath = exchange("/apple-app-site-association", 200, aasa, json)
        survey.cdn = exchange("/a/v1/a.example", 200, spaced, json)
        survey.google = exchange("/v1/statements:list", 200, googleAnswer(print), json)
        change(&survey)
        return survey
    }

    static func googleAnswer(_ print: String) -> String {
        #"{"statements":[{"target":{"androidApp":{"packageName":"a.b","certificate":"#
            + #"{"sha256Fingerprint":"\#(print)"}}}}],"maxAge":"599s"}"#
    }

    static func apple(_ exchange: ClientExchange) -> @Sendable (inout HostSurvey) -> Void {
        { $0.answers = [.init(apple: exchange, android: $0.answers[0].android)] }
    }

    static func android(_ exchange: ClientExchange) -> @Sendable (inout HostSurvey) -> Void {
        { $0.answers = [.init(apple: $0.answers[0].apple, android: exchange)] }
    }

    /// OpenSSL's reasons for alerts begin at 1000.
    static func alert(_ number: Int) -> FetchFailure.Kind {
        .tls(TLSClientFailure(reason: 1_000 + number, text: "alert \(number)"))
    }

    static func unreached(_ exchange: ClientExchange) -> @Sendable (inout HostSurvey) -> Void {
        {
            $0.answers = [.init(apple: exchange, android: nil)]
            ($0.cdn, $0.google, $0.rootPath) = (nil, nil, nil)
        }
    }

    static func untrusted(
        _ kind: CertificateFault.Kind, _ depth: Int
    ) -> @Sendable (inout HostSurvey) -> Void {
        unreached(
            failed(.handshake, .untrusted, "x", peer([CertificateFault(kind, depth: depth)])))
    }

    static func refusedByApple(
        _ reason: String, _ more: String...
    ) -> @Sendable (inout HostSurvey) -> Void {
        let details = more.first ?? "x-cache: miss"
        let age = more.count > 1 ? more[1] : "age: 0"
        return {
            $0.cdn = exchange(
                "/a/v1/a.example", 404, "Not Found\n", "apple-failure-reason: \(reason)", details,
                age, "cache-control: max-age=3600,public")
        }
    }

    static let cases: [Case] = names + handshakes + files + copies

    static let names: [Case] = [
        Case("healthy", nil, .healthy, nil) { _ in },
        Case("no such host", .hostNotFound, .broken, .dns) {
            $0.addresses = .resolved(v4: .none, v6: .none)
            $0.answers = []
        },
        Case("no resolver", .resolverFailed, .broken, .dns) {
            $0.addresses = .resolved(v4: .failed("timeout"), v6: .none)
            $0.answers = []
        },
        Case("no resolver here", nil, .unchecked, nil) {
            $0.addresses = .resolved(v4: .failed("timeout"), v6: .failed("timeout"))
            $0.answers = []
            $0.resolvesOthers = false
        },
        Case("no answer for IPv6", .resolverFailed, .warning, .dns) {
            $0.addresses = .resolved(
                v4: .addresses([.v4([192, 0, 1, 1])]), v6: .failed("SERVFAIL"))
        },
        Case("through a proxy", nil, .healthy, nil) { $0.addresses = .byProxy },
        Case("private", .privateAddress, .broken, .dns) {
            $0.addresses = .resolved(v4: .addresses([.v4([10, 0, 0, 1])]), v6: .none)
        },
        Case(
            "refused", .connectionRefused, .broken, .connect,
            unreached(failed(.connect, .refused))),
        Case(
            "dropped", .connectionTimeout, .broken, .connect,
            unreached(failed(.connect, .timeout))),
        Case("a dead IPv6 address", .connectionTimeout, .broken, .connect) {
            $0.answers.insert(
                .init(
                    apple: failed(.connect, .timeout, address: "[2606:4700::1]:443"), android: nil),
                at: 0)
        },
        Case("no IPv6 here", nil, .healthy, nil) {
            $0.answers.append(
                .init(
                    apple: failed(.connect, .unreachable, address: "[2606:4700::1]:443"),
                    android: nil))
        },
        Case("no network here", nil, .unchecked, nil, unreached(failed(.connect, .unreachable))),
    ]

    static let handshakes: [Case] = [
        Case(
            "no intermediate", .missingIntermediate, .broken, .tls, untrusted(.issuerNotFound, 0)),
        Case("unknown root", .unknownAuthority, .broken, .tls, untrusted(.issuerNotFound, 1)),
        Case("private root sent", .unknownAuthority, .broken, .tls, untrusted(.unknownRoot, 2)),
        Case("self-signed", .selfSignedCertificate, .broken, .tls, untrusted(.selfSigned, 0)),
        Case("expired", .certificateExpired, .broken, .tls, untrusted(.expired, 0)),
        Case(
            "not yet valid", .certificateNotYetValid, .broken, .tls, untrusted(.notYetValid, 0)),
        Case("wrong name", .certificateName, .broken, .tls, untrusted(.wrongName, 0)),
        Case(
            "handshake cut", .connectionLost, .broken, .tls,
            unreached(failed(.handshake, .reset, "x", TLSPeer()))),
        Case(
            "handshake not completed", .handshakeFailed, .broken, .tls,
            unreached(failed(.handshake, .timeout, "x", TLSPeer()))),
        Case(
            "no handshake can begin", .handshakeFailed, .broken, .tls,
            unreached(failed(.handshake, .tls(nil)))),
        Case(
            "a client certificate is asked for, and the connection cut",
            .clientCertificateRequired, .broken, .tls,
            unreached(
                failed(.wait, .reset, "x", TLSPeer(isCertificateRequested: true)))),
        Case(
            "the connection is cut after a handshake", .connectionLost, .broken, .apple,
            apple(failed(.wait, .reset, "x", peer(end: now + 60 * 86_400)))),
        Case(
            "an alert comes after a handshake", .connectionLost, .broken, .apple,
            apple(failed(.wait, alert(80), "x", peer(end: now + 60 * 86_400)))),
        Case(
            "an alert comes instead of half the answer", .connectionLost, .broken, .apple,
            apple(failed(.receive, alert(20), "x", peer(end: now + 60 * 86_400)))),
        Case(
            "an alert refuses a client without a certificate", .clientCertificateRequired, .broken,
            .tls, apple(failed(.wait, alert(116), "x", peer(end: now + 60 * 86_400)))),
        Case(
            "an alert comes instead of Google's file", .connectionLost, .broken, .android,
            android(failed(.wait, alert(80), "x", peer(end: now + 60 * 86_400)))),
        Case(
            "the second handshake fails", .handshakeFailed, .broken, .android,
            android(failed(.handshake, alert(40), "x", TLSPeer()))),
        Case("renewal late", .certificateEndsSoon, .warning, .tls) {
            var late = exchange(applePath, 200, aasa, json)
            late.peer = peer(end: now + 18 * 86_400 - 1)
            apple(late)(&$0)
        },
        Case("renewal due", nil, .healthy, nil) {
            var due = exchange(applePath, 200, aasa, json)
            due.peer = peer(end: now + 18 * 86_400 + 1)
            apple(due)(&$0)
        },
        Case("nearly over", .certificateEndsSoon, .broken, .tls) {
            var late = exchange(applePath, 200, aasa, json)
            late.peer = peer(end: now + 8 * 86_400)
            apple(late)(&$0)
        },
    ]

    static let files: [Case] = [
        Case(
            "redirect", .redirect, .broken, .apple,
            apple(exchange(applePath, 308, "", "location: https://www.a.example/"))),
        Case("no file", .fileMissing, .broken, .apple) {
            apple(exchange(applePath, 404))(&$0)
            android(exchange(androidPath, 404))(&$0)
        },
        Case("Android alone", .noFile, .warning, .apple) {
            apple(exchange(applePath, 404))(&$0)
            ($0.cdn, $0.rootPath) = (nil, nil)
        },
        Case("Apple's file at the root alone", .fileMissing, .broken, .apple) {
            apple(exchange(applePath, 404))(&$0)
            $0.cdn = nil
        },
        Case("Apple's file lost", .fileMissing, .broken, .apple) {
            apple(exchange(applePath, 404))(&$0)
            $0.rootPath = nil
        },
        Case("one address without the file", .fileMissing, .broken, .apple) {
            $0.answers.append(
                .init(
                    apple: exchange(applePath, 404, address: "192.0.1.2:443"),
                    android: $0.answers[0].android))
        },
        Case("one address without Google's file", .fileMissing, .broken, .android) {
            $0.answers.append(
                .init(
                    apple: $0.answers[0].apple,
                    android: exchange(androidPath, 404, address: "192.0.1.2:443")))
        },
        Case(
            "Akamai", .requestFiltered, .broken, .apple,
            apple(exchange(applePath, 403, "", "server: AkamaiGHost"))),
        Case("gzip for who does not accept it", .contentCoding, .warning, .apple) {
            $0.asAppleBot = exchange(
                applePath, 200, "", json, "content-encoding: gzip",
                bytes: gzip(Array(aasa.utf8)) ?? [])
            $0.asAppleBot?.request.fields = ["Accept-Encoding: identity"]
        },
        Case("forbidden", .requestFiltered, .broken, .apple, apple(exchange(applePath, 403))),
        Case(
            "Cloudflare", .requestFiltered, .broken, .apple,
            apple(exchange(applePath, 503, "", "cf-mitigated: challenge"))),
        Case(
            "AWS", .requestFiltered, .broken, .apple,
            apple(exchange(applePath, 202, "", "x-amzn-waf-action: challenge"))),
        Case("error", .badStatus, .broken, .apple, apple(exchange(applePath, 500))),
        Case(
            "page", .pageInsteadOfFile, .broken, .apple,
            apple(exchange(applePath, 200, " <!doctype html>", "content-type: text/html"))),
        Case("empty", .emptyFile, .broken, .apple, apple(exchange(applePath, 200, " ", json))),
        Case("largest", nil, .healthy, nil) {
            apple(exchange(applePath, 200, aasa.padded(to: 131_072), json))(&$0)
            $0.rootPath = $0.answers[0].apple
        },
        Case(
            "too large", .fileTooLarge, .broken, .apple,
            apple(exchange(applePath, 200, aasa.padded(to: 131_073), json))),
        Case(
            "bomb", .fileTooLarge, .broken, .apple,
            apple(
                exchange(
                    applePath, 200, json, "content-encoding: gzip",
                    bytes: gzip([UInt8](repeating: 0x20, count: 5_000_000)) ?? []))),
        Case(
            "gzip", nil, .healthy, nil,
            apple(
                exchange(
                    applePath, 200, json, json, "content-encoding: gzip",
                    bytes: gzip(Array(aasa.utf8)) ?? []))),
        Case(
            "gzip unsaid", .contentCoding, .broken, .apple,
            apple(exchange(applePath, 200, "", json, bytes: gzip(Array(aasa.utf8)) ?? []))),
        Case(
            "brotli", .contentCoding, .broken, .apple,
            apple(exchange(applePath, 200, aasa, json, "content-encoding: br"))),
        Case(
            "no JSON", .invalidFile, .broken, .apple, apple(exchange(applePath, 200, "{", json))),
        Case(
            "a byte-order mark", .invalidFile, .warning, .apple,
            apple(exchange(applePath, 200, "\u{FEFF}" + aasa, json))),
        Case(
            "Apple's type", nil, .healthy, nil,
            apple(exchange(applePath, 200, aasa, "content-type: application/octet-stream"))),
        Case(
            "Google's type", .contentType, .broken, .android,
            android(exchange(androidPath, 200, links, "content-type: text/plain"))),
        Case(
            "charset", nil, .healthy, nil,
            android(
                exchange(androidPath, 200, links, "content-type: application/json; charset=utf-8"))),
        Case(
            "kept for days", .longCacheTime, .warning, .android,
            android(exchange(androidPath, 200, links, json, "cache-control: max-age=86401"))),
        Case(
            "slow", .slowAnswer, .warning, .apple,
            apple(exchange(applePath, 200, aasa, json, wait: 2_001))),
        Case(
            "no answer", .slowAnswer, .broken, .apple, apple(failed(.wait, .timeout, "x", peer()))),
        Case(
            "no HTTP", .malformedAnswer, .broken, .apple,
            apple(failed(.receive, .malformed, "x", peer()))),
        Case("two versions", .addressesDiffer, .warning, .apple) {
            $0.answers.append(
                .init(
                    apple: exchange(applePath, 200, moved, json, address: "192.0.1.2:443"),
                    android: $0.answers[0].android))
        },
        Case("Apple's agent is refused", .agentsDiffer, .warning, .apple) {
            $0.asAppleBot = exchange(applePath, 403)
            $0.cdn = nil
        },
        Case("Apple's agent gets another file", .agentsDiffer, .warning, .apple) {
            $0.asAppleBot = exchange(applePath, 200, moved, json)
            $0.cdn = nil
        },
        Case("Apple's agent gets no answer", .agentsDiffer, .warning, .apple) {
            $0.asAppleBot = failed(.wait, .timeout)
            $0.cdn = nil
        },
        Case("Apple's agent gets the file", nil, .healthy, nil) {
            $0.asAppleBot = exchange(applePath, 200, aasa, json)
            $0.cdn = nil
        },
        Case("Apple's agent is refused here, and not at the CDN", nil, .healthy, nil) {
            $0.asAppleBot = exchange(applePath, 403)
        },
        Case("two paths", .pathsDiffer, .warning, .apple) {
            $0.rootPath = exchange("/apple-app-site-association", 200, moved, json)
        },
    ]

    static let copies: [Case] = [
        Case("stale", .appleStale, .warning, .cdn) {
            $0.cdn = exchange(
                "/a/v1/a.example", 200, moved, json, "age: 60", "cache-control: max-age=21600")
        },
        Case(
            "403", .appleFiltered, .broken, .cdn,
            refusedByApple(
                "SWCERR00101 Bad HTTP Response: 403 Forbidden",
                #"apple-failure-details: {"status":"403 Forbidden"}"#)),
        Case(
            "404 remembered", .appleRemembersFailure, .warning, .cdn,
            refusedByApple("SWCERR00101 Bad HTTP Response: 404 Not Found", "a: b", "age: 600")),
        Case(
            "500", .appleStatus, .broken, .cdn,
            refusedByApple("SWCERR00101 Bad HTTP Response: 500 Internal Server Error")),
        Case(
            "private", .applePrivateAddress, .broken, .cdn,
            refusedByApple("SWCERR00202 Connections to private/reserved IP addresses")),
        Case("timeout", .appleTimeout, .broken, .cdn, refusedByApple("SWCERR00301 Timeout")),
        Case(
            "content", .appleContent, .broken, .cdn, refusedByApple("SWCERR00401 Bad JSON content")),
        Case("unknown", .appleFailure, .broken, .cdn, refusedByApple("SWCERR99999 \u{1B}[31m")),
        Case("404 without a reason", .appleFailure, .broken, .cdn) {
            $0.cdn = exchange("/a/v1/a.example", 404, "Not Found\n")
        },
        Case("404 without a reason, remembered", .appleRemembersFailure, .warning, .cdn) {
            $0.cdn = exchange("/a/v1/a.example", 404, "Not Found\n", "age: 1")
        },
        Case("an error of the CDN itself", nil, .healthy, nil) {
            $0.cdn = exchange("/a/v1/a.example", 503)
        },
        Case("a page instead of the CDN", nil, .healthy, nil) {
            $0.cdn = exchange("/a/v1/a.example", 200, "<html>", "content-type: text/html")
        },
        Case("a list instead of the CDN's file", nil, .healthy, nil) {
            $0.cdn = exchange("/a/v1/a.example", 200, "[]", json)
        },
        Case("Google's answer cut off", nil, .healthy, nil) {
            $0.google = exchange("/v1", 200, #"{"maxAge":"#, json)
        },
        Case("no object of Google", nil, .healthy, nil) {
            $0.google = exchange("/v1", 200, "[]", json)
        },
        Case("no CDN here", nil, .healthy, nil) { $0.cdn = failed(.connect, .unreachable) },
        Case("Google's error", .googleFailure, .broken, .google) {
            $0.google = exchange("/v1", 200, #"{"errorCode":["ERROR_CODE_REDIRECT"]}"#, json)
        },
        Case("Google without a file, nor the site", .noFile, .warning, .android) {
            android(exchange(androidPath, 404))(&$0)
            $0.google = exchange("/v1", 200, #"{"errorCode":["ERROR_CODE_FETCH_ERROR"]}"#, json)
        },
        Case("Google's copy", .googleStale, .warning, .google) {
            $0.google = exchange("/v1", 200, googleAnswer("BB"), json)
        },
        Case("no Google here", nil, .healthy, nil) { $0.google = failed(.connect, .timeout) },
    ]

    @Test("each fault has its verdict and its cause", arguments: cases)
    func causes(_ tested: Case) {
        let report = HostReport(tested.survey, now: Self.now)
        #expect(report.verdict == tested.verdict)
        #expect(report.cause?.finding.rule == tested.rule)
        #expect(report.cause?.hop == tested.hop)
        // Each cause has what was seen, a cure, and who cannot use the links.
        if let finding = report.cause?.finding {
            #expect(finding.evidence?.isEmpty == false && !finding.advice.isEmpty)
            #expect(!report.affects.isEmpty && finding.follows == nil)
        } else {
            #expect(report.affects.isEmpty)
        }
        // It is the only one: other errors follow from it.
        for (_, other) in report.findings where other.severity == .error {
            #expect([other.rule, other.follows].contains(tested.rule), "\(other)")
        }
    }

    /// A fault, and what follows from it elsewhere.
    static let consequences: [Case] = [
        Case("both files", .redirect, .broken, .apple) {
            apple(exchange(applePath, 308, "", "location: /login"))(&$0)
            android(exchange(androidPath, 308, "", "location: /login"))(&$0)
            $0.google = exchange("/v1", 200, #"{"errorCode":["ERROR_CODE_REDIRECT"]}"#, json)
        },
        Case("Google's file, and Google", .contentType, .broken, .android) {
            android(exchange(androidPath, 200, links, "content-type: text/plain"))(&$0)
            $0.google = exchange(
                "/v1", 200, #"{"errorCode":["ERROR_CODE_WRONG_CONTENT_TYPE"]}"#, json)
        },
        Case("no intermediate, and both services", .missingIntermediate, .broken, .tls) {
            untrusted(.issuerNotFound, 0)(&$0)
            refusedByApple("SWCERR99999 x")(&$0)
            $0.google = exchange(
                "/v1", 200, #"{"errorCode":["ERROR_CODE_FAILED_SSL_VALIDATION"]}"#, json)
        },
        Case("a filter, everywhere but here", .appleTimeout, .broken, .cdn) {
            refusedByApple("SWCERR00301 Timeout")(&$0)
            $0.google = exchange("/v1", 200, #"{"errorCode":["ERROR_CODE_FETCH_ERROR"]}"#, json)
        },
        Case(
            "a certificate is required, and connections end", .clientCertificateRequired, .broken,
            .tls
        ) {
            var required = failed(.wait, .reset, "x", TLSPeer(isCertificateRequested: true))
            required.milliseconds.wait = 1
            $0.answers = [.init(apple: required, android: failed(.send, .reset, "x", peer()))]
            ($0.cdn, $0.google, $0.rootPath) = (nil, nil, nil)
        },
    ]

    @Test("what follows from a fault is no second cause", arguments: consequences)
    func follows(_ tested: Case) {
        causes(tested)
        let report = HostReport(tested.survey, now: Self.now)
        let others = report.findings.filter { $0.finding.severity == .error }.dropFirst()
        #expect(!others.isEmpty)
        for (_, other) in others { #expect(other.follows == tested.rule) }
    }

    @Test func `two faults of different files are two`() {
        let report = HostReport(
            Self.survey {
                Self.apple(Self.exchange(Self.applePath, 200, "{", Self.json))(&$0)
                Self.android(Self.exchange(Self.androidPath, 500))(&$0)
            }, now: Self.now)
        #expect(
            report.findings.allSatisfy { $0.finding.severity < .error || $0.finding.follows == nil }
        )
        #expect(report.affects == [.apple, .installed])
    }

    @Test func `whoever is hurt by the cause anywhere is named`() {
        func affected(_ change: (inout HostSurvey) -> Void) -> [Affected] {
            HostReport(Self.survey(change), now: Self.now).affects
        }
        #expect(affected { _ in } == [])
        #expect(
            affected(Self.untrusted(.issuerNotFound, 0))
                == [.apple, .installed, .android, .previews])
        #expect(affected(Self.untrusted(.expired, 0)) == Affected.allCases)
        #expect(affected(Self.apple(Self.exchange(Self.applePath, 403))) == [.apple, .installed])
        #expect(affected(Self.consequences[0].change) == [.apple, .installed, .android])
    }

    static let targets: [(to: String, words: String)] = [
        ("https://a.example/.well-known/apple-app-site-association", "to itself"),
        ("/.well-known/apple-app-site-association", "to itself"),
        ("/.well-known/apple-app-site-association/", "a slash at its end"),
        ("/.well-known/apple-app-site-association#x", "to itself"),
        ("https://www.a.example/x", "to another host, www.a.example"),
        ("https://www.a.example:8443/x", "to another host, www.a.example"),
        ("https://a.example:8443/.well-known/apple-app-site-association", "another port, 8443"),
        ("https://a.example:443/.well-known/apple-app-site-association", "to itself"),
        ("http://a.example/.well-known/apple-app-site-association", "to http"),
        ("/login?next=%2F", "to a login page"), ("https://a.example/sso", "to a login page"),
        ("/de/.well-known/apple-app-site-association", "a language"),
        ("/de-AT/", "a language"), ("//b.example/", "is redirected"),
        ("\u{1B}[0m", "is redirected"),
    ]

    @Test("a redirect says where people lead it", arguments: targets)
    func redirects(_ target: String, _ words: String) {
        let answer = Self.exchange(Self.applePath, 302, "", "location: \(target)")
        let report = HostReport(Self.survey(Self.apple(answer)), now: Self.now)
        #expect(report.cause?.finding.message.contains(words) == true)
    }

    @Test func `a report is the same while only times and sizes differ`() {
        func report(_ wait: Int, _ age: Int, _ rule: Int = 200) -> HostReport {
            HostReport(
                Self.survey {
                    Self.apple(
                        Self.exchange(Self.applePath, rule, Self.aasa, Self.json, wait: wait))(&$0)
                    $0.cdn = Self.exchange(
                        "/a/v1/a.example", 200, Self.moved, Self.json, "age: \(age)",
                        "cache-control: max-age=21600")
                }, now: Self.now + age)
        }
        let first = report(2_500, 60)
        #expect(first.findings.count == 2 && first.isSame(as: report(9_000, 5_000)))
        #expect(!first.isSame(as: report(5, 60)))
        #expect(!first.isSame(as: report(2_500, 60, 403)))
    }

    @Test func `the text says who is hurt, and what follows from what`() {
        let lines = HostReport(Self.consequences[0].survey, now: Self.now).lines
        #expect(lines.last?.contains("iPhones") == true && lines.last?.contains("Android") == true)
        #expect(lines.filter { $0.contains("follows from redirect") }.count == 2)
    }

    @Test func `a stale copy says which links mean something else`() {
        let survey = Self.survey {
            $0.cdn = Self.exchange("/a/v1/a.example", 200, Self.moved, Self.json)
        }
        let evidence = HostReport(survey, now: Self.now).cause?.finding.evidence ?? ""
        #expect(evidence.contains("/s/") && evidence.contains("/t/"))
        #expect(evidence.contains("ABCDE12345.a.b"))
    }

    @Test func `the live file is compared with the configuration's`() {
        let survey = Self.survey { _ in }
        func rules(_ file: String) -> [LiveRule] {
            let expected = ExpectedFiles(apple: Array(file.utf8), android: Array(Self.links.utf8))
            let report = HostReport(survey, expected: expected, now: Self.now)
            return report.hops.flatMap(\.findings).filter { $0.severity > .note }.map(\.rule)
        }
        #expect(rules(Self.aasa) == [] && rules(Self.spaced) == [])
        #expect(rules(Self.moved) == [.liveDiffers])
    }

    @Test func `docs/check.md explains every rule and no other`() throws {
        let text = try String(
            contentsOfFile: repository("docs/check.md"), encoding: .utf8)
        let rules = text.split(separator: "## Rules").last?.split(separator: "\n").compactMap {
            $0.split(separator: "`").dropFirst().first.map(String.init)
        }
        #expect(rules == LiveRule.allCases.map(\.rawValue))
    }
}

extension String {
    func padded(to count: Int) -> String {
        self + String(repeating: " ", count: count - utf8.count)
    }
}
