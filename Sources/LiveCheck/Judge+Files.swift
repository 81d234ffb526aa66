import Associations
import Diagnostics
import HTTPClient
import HTTPMessages
import JSONSyntax
import Linting
import URISyntax

// What the answers to requests for association files mean.

extension Judge {
    func fileFindings(_ exchange: ClientExchange, _ hop: Hop) -> [LiveFinding] {
        let path = exchange.request.target
        guard let response = exchange.response else {
            guard let failure = exchange.failure else { return [] }
            // A fault of the first connection is reported at its handshake.
            if case .tls = failure.kind, let finding = handshakeFinding(failure, exchange) {
                return hop == .apple ? [] : [finding]
            }
            return [failureFinding(failure, path)]
        }
        let head = response.head
        let line = "HTTP/1.1 \(head.status) \(head.reason)"
        if let filter = filterFinding(head, path) { return [filter] }
        switch head.status {
        case 200: return contentFindings(exchange, response, hop) + timeFindings(exchange)
        case _ where head.isRedirect: return [redirectFinding(exchange, head)]
        case 404, 410: return [missingFinding(path, hop, line)]
        case 403 where response.isOfBucket:
            return [missingFinding(path, hop, line + ", <Code>AccessDenied</Code>", inBucket: true)]
        case 401, 403, 405, 407, 429, 451:
            let server = head.value("server")
            let isAkamai = server?.hasPrefix("AkamaiGHost") == true
            return [
                LiveFinding(
                    .error, .requestFiltered,
                    "\(isAkamai ? "Akamai refuses \(path)" : "\(path) is refused")",
                    evidence: line + (server.map { ", Server: \($0)" } ?? ""))
            ]
        default:
            return [
                LiveFinding(
                    .error, .badStatus, "\(path) is answered with \(head.status)", evidence: line)
            ]
        }
    }

    /// The finding about a redirect of an association file, whose target mostly shows the reason.
    private func redirectFinding(_ exchange: ClientExchange, _ head: ResponseHead) -> LiveFinding {
        let path = exchange.request.target
        guard let target = head.redirectTarget else {
            return LiveFinding(
                .error, .redirect, "\(path) is redirected nowhere",
                evidence: "\(head.status) "
                    + (head.value("location") == nil
                        ? "without Location" : "with an empty Location"))
        }
        var evidence = "\(head.status) to \(target)"
        if exchange.request.target == Surveyor.applePath, survey.cdn?.response?.status == 200 {
            evidence += "; Apple's CDN has a file all the same, so it tolerates that today"
        }
        return LiveFinding(
            .error, .redirect, "\(path) is redirected\(kind(of: target, from: exchange.request))",
            evidence: evidence)
    }

    private func kind(of target: String, from request: FetchRequest) -> String {
        let path: String
        if target.utf8.first == UInt8(ascii: "/"), !target.utf8.starts(with: "//".utf8) {
            path = String(Substring(target.utf8.prefix { $0 != UInt8(ascii: "#") }))
        } else if let url = try? WebURL(target) {
            if !url.isSecure { return " to http" }
            guard url.host.description == request.host else {
                return " to another host, \(url.host)"
            }
            guard (url.port ?? 443) == request.port else {
                return " to another port, \(url.port ?? 443)"
            }
            path = url.requestTarget
        } else {
            return ""
        }
        if path == request.target { return " to itself" }
        if path == request.target + "/" { return " to a path with a slash at its end" }
        let first = path.utf8.dropFirst().prefix { ![0x2F, 0x3F, 0x23].contains($0) }
        let words = String(Substring(first)).lowercased()
        if ["login", "signin", "sign-in", "auth", "sso", "oauth", "account"].contains(words) {
            return " to a login page"
        }
        let isLanguage =
            first.count == 2 || first.count == 5 && [0x2D, 0x5F].contains(first.dropFirst(2).first)
        return isLanguage ? " to a page for a language" : ""
    }

    /// A file that somebody has is missing elsewhere; otherwise there may be no app for the platform.
    /// - Parameter inBucket: whether it is a bucket that answers, which may also keep it for itself.
    private func missingFinding(
        _ path: String, _ hop: Hop, _ line: String, inBucket: Bool = false
    ) -> LiveFinding {
        let isApple = hop == .apple
        func finding(
            _ severity: Severity, _ rule: LiveRule, _ message: String, advice: String? = nil
        ) -> LiveFinding {
            let ofBucket =
                "\(rule.advice). A bucket answers 403 for what is not there, unless everybody may "
                + "list it (s3:ListBucket), and for what not everybody may read"
            return LiveFinding(
                severity, rule, message, evidence: line,
                advice: advice ?? (inBucket ? ofBucket : nil))
        }
        if isExpected(hop) == false { return finding(.note, .noFile, "there is no \(path)") }
        if isApple, survey.cdn?.response?.status == 200 {
            return finding(
                .error, .fileMissing,
                "there is no \(path) any more; Apple's CDN still has one, and devices lose it when "
                    + "it asks again")
        }
        if isApple, isAtRoot {
            return finding(.error, .fileMissing, "there is no \(path), only \(Surveyor.rootPath)")
        }
        let there = survey.answers.first {
            (isApple ? $0.apple : $0.android)?.response?.status == 200
        }
        if let there {
            let place = there.apple.address.map { ", as at \($0)" } ?? ""
            return finding(
                .error, .fileMissing, "there is no \(path) at one of the addresses",
                advice: "serve the file at every address\(place)")
        }
        let others = survey.answers.map { isApple ? $0.android : $0.apple }
        if isExpected(hop) == nil, others.contains(where: { $0?.response?.status == 200 }) {
            return finding(
                .warning, .noFile,
                "there is no \(path), so no link opens an app on "
                    + (isApple ? "iPhones, iPads and Macs" : "Android"),
                advice: "serve the file; or say that there is no app for this platform: "
                    + (isApple ? "--android alone" : "--ios alone") + ", or --config")
        }
        return finding(.error, .fileMissing, "there is no \(path)")
    }

    /// Whether Apple's devices have a file, or can get one, that is not at the right path.
    var isKnownToApple: Bool { survey.cdn?.response?.status == 200 || isAtRoot }

    private var isAtRoot: Bool {
        guard let root = survey.rootPath?.response, root.status == 200 else { return false }
        return JSONDocument(associations: unsigned(root.bytes), file: "").root != nil
    }

    private func sizeEvidence(_ response: FetchResponse) -> String {
        let length = response.head.value("content-length").map { "Content-Length: \($0)" }
        let coding = response.head.value("content-encoding").map { "Content-Encoding: \($0)" }
        let parts = [length, coding].compactMap(\.self)
        return parts.isEmpty ? "the rest was not read" : parts.joined(separator: ", ")
    }

    /// An encoding that was not accepted (RFC 9110 §12.5.3).
    func codingFindings(_ exchange: ClientExchange) -> [LiveFinding] {
        guard exchange.request.fields.contains("Accept-Encoding: identity"),
            let coding = exchange.response?.head.value("content-encoding"), coding != "identity"
        else { return [] }
        return [
            LiveFinding(
                .warning, .contentCoding,
                "\(exchange.request.target) is encoded also for who does not accept it",
                evidence: "Content-Encoding: \(coding), to Accept-Encoding: identity")
        ]
    }

    func failureFinding(_ failure: FetchFailure, _ path: String) -> LiveFinding {
        switch failure.kind {
        case .timeout where failure.phase == .receive:
            LiveFinding(
                .error, .slowAnswer, "\(path) comes too slowly: it is not whole in time",
                evidence: failure.text)
        case .timeout:
            LiveFinding(
                .error, .slowAnswer, "\(path) is not answered in time", evidence: failure.text)
        case .malformed:
            LiveFinding(
                .error, .malformedAnswer, "the answer for \(path) breaks HTTP/1.1",
                evidence: failure.text)
        case .tls:
            LiveFinding(
                .error, .connectionLost,
                "the connection breaks TLS after its handshake, while \(path) is asked for",
                evidence: failure.text)
        default:
            LiveFinding(
                .error, .connectionLost, "the connection ends while \(path) is asked for",
                evidence: failure.text)
        }
    }

    /// A challenge is certain by the fields that its maker documents.
    private func filterFinding(_ head: ResponseHead, _ path: String) -> LiveFinding? {
        let signs = [
            ("cf-mitigated", "challenge", "Cloudflare"),
            ("x-amzn-waf-action", nil, "AWS WAF"),
        ]
        for (name, wanted, maker) in signs {
            guard let value = head.value(name), wanted == nil || value == wanted else { continue }
            return LiveFinding(
                .error, .requestFiltered, "\(maker) answers \(path) with a challenge",
                evidence: "\(head.status), \(name): \(value)")
        }
        return nil
    }

    private func contentFindings(
        _ exchange: ClientExchange, _ response: FetchResponse, _ hop: Hop
    ) -> [LiveFinding] {
        let path = exchange.request.target
        let bytes: [UInt8]
        switch response.content {
        case .undecodable(let coding):
            return [
                LiveFinding(
                    .error, .contentCoding, "the content of \(path) cannot be decoded",
                    evidence: "Content-Encoding: \(coding)")
            ]
        case .tooLarge:
            return [
                LiveFinding(
                    .error, .fileTooLarge,
                    "\(path) has more than 131,072 bytes"
                        + (response.head.value("content-encoding") == nil ? "" : ", decoded"),
                    evidence: sizeEvidence(response))
            ]
        case .whole(let content): bytes = hop == .apple ? unsigned(content) : content
        }
        let isSigned = bytes != response.bytes
        let type = response.head.value("content-type") ?? ""
        let first = bytes.first { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }
        guard let first else {
            return [
                LiveFinding(
                    .error, .emptyFile, "\(path) is empty",
                    evidence:
                        "HTTP/1.1 200 \(response.head.reason), \(bytes.count) bytes of content")
            ]
        }
        if first == UInt8(ascii: "<") {
            return [
                LiveFinding(
                    .error, .pageInsteadOfFile, "\(path) is answered with a page instead of JSON",
                    evidence: "Content-Type: \(type)")
            ]
        }
        if bytes.starts(with: [0x1F, 0x8B]) {
            return [
                LiveFinding(
                    .error, .contentCoding,
                    "the content of \(path) is gzip, which Content-Encoding does not say",
                    evidence: "it begins with 1F 8B, as gzip does")
            ]
        }
        return codingFindings(exchange) + ruleFindings(bytes, exchange.request, hop)
            + typeFindings(type, path, hop, isSigned: isSigned)
            + cacheFindings(response, path, hop)
    }

    /// The first error of the file stands for all.
    func lintFindings(_ bytes: [UInt8], _ request: FetchRequest, _ hop: Hop) -> [LiveFinding] {
        let found =
            hop == .apple
            ? Linter.lint(AssociationReading(bytes, file: request.url))
            : Linter.lint(AssetLinksReading(bytes, file: request.url))
        let errors = found.filter { $0.severity == .error }
        guard let first = errors.first else {
            let refused = JSONDocument(associations: bytes, file: request.url).diagnostics.first
            return refused.map { fault in
                [
                    LiveFinding(
                        .warning, .invalidFile,
                        "strict parsers may refuse \(request.target): \(fault.message)",
                        evidence: fault.position.map { "\($0) [\(fault.rule)]" })
                ]
            } ?? []
        }
        let rest = errors.count - 1
        let more = rest > 0 ? " (and \(counted(rest, "more error")))" : ""
        return [
            LiveFinding(
                .error, .invalidFile, "\(request.target) is invalid: \(first.message)\(more)",
                evidence: first.position.map { "\($0) [\(first.rule)]" },
                advice: SignedPayload.isText(bytes) ? first.advice : nil)
        ]
    }

    private func typeFindings(
        _ type: String, _ path: String, _ hop: Hop, isSigned: Bool
    ) -> [LiveFinding] {
        let written = type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
        let essence = String(Substring(written)).lowercased()
        let isRight =
            essence == "application/json" || isSigned && essence == "application/pkcs7-mime"
        guard !isRight else { return [] }
        return [
            LiveFinding(
                hop == .android ? .error : .note, .contentType,
                "\(path) is not served as application/json",
                evidence: type.isEmpty ? "there is no Content-Type" : "Content-Type: \(type)")
        ]
    }

    /// Google appears to keep a file as long as its origin says.
    private func cacheFindings(
        _ response: FetchResponse, _ path: String, _ hop: Hop
    ) -> [LiveFinding] {
        guard hop == .android, let seconds = response.head.maxAge, seconds > 86_400 else {
            return []
        }
        return [
            LiveFinding(
                .warning, .longCacheTime, "\(path) may be kept for \(duration(seconds))",
                evidence: "Cache-Control: \(response.head.value("cache-control") ?? "")")
        ]
    }

    private func timeFindings(_ exchange: ClientExchange) -> [LiveFinding] {
        guard exchange.milliseconds.wait > Self.slowMilliseconds else { return [] }
        return [
            LiveFinding(
                .warning, .slowAnswer,
                "the first byte of \(exchange.request.target) comes late; Apple's CDN gives up after "
                    + "about 5 s",
                evidence: "it came after \(exchange.milliseconds.wait) ms")
        ]
    }

    private static let slowMilliseconds = 2_000
}
