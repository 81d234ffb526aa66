import Associations
private import Diagnostics
import HTTPClient
import HTTPMessages
import JSONSyntax

// What the copies of Apple's CDN and Google's service mean.

extension Judge {
    func cdnFindings(_ exchange: ClientExchange) -> [LiveFinding] {
        guard let response = exchange.response else {
            return [
                LiveFinding(
                    .note, .appleUnchecked, "Apple's CDN was not reached",
                    evidence: exchange.failure?.words, advice: exchange.adviceForReaching)
            ]
        }
        let head = response.head
        if let reason = head.value("apple-failure-reason") { return [refusal(reason, head)] }
        // Every failure is a 404; one that resolves no name has been seen as 405.
        if response.status == 404 || response.status == 405 { return [silentRefusal(response)] }
        guard response.status == 200, case .whole(let content) = response.content,
            case let document = JSONDocument(associations: unsigned(content), file: ""),
            document.isValid,
            document.root?.members != nil
        else {
            return [
                LiveFinding(
                    .note, .appleUnchecked,
                    "what answers for Apple's CDN sends no association file",
                    evidence: "HTTP/1.1 \(response.status) \(head.reason), "
                        + "Content-Type: \(head.value("content-type") ?? "none")")
            ]
        }
        guard let live = survey.working?.apple.response, live.status == 200,
            case .whole(let bytes) = live.content,
            case .whole(let copy) = response.content, !equalJSON(copy, bytes)
        else { return [] }
        let changes = meanings(from: unsigned(copy), to: unsigned(bytes), .apple)
        return [
            LiveFinding(
                .warning, .appleStale,
                "Apple's CDN has another version of the file\(age(head)), and may ask again "
                    + nextRefresh(head),
                evidence: changes.isEmpty
                    ? "no link opens another app"
                    : "the live file " + changes.joined(separator: "; "))
        ]
    }

    private func silentRefusal(_ response: FetchResponse) -> LiveFinding {
        let head = response.head
        let seen = ["age", "cache-control"].compactMap { name in
            head.value(name).map { ", \(name): \($0)" }
        }
        let evidence = "HTTP/1.1 \(head.status) \(head.reason)" + seen.joined()
        if let age = head.value("age").flatMap({ Int($0) }), age > 0 {
            return remembered(age, head, evidence)
        }
        return LiveFinding(
            .error, .appleFailure, "Apple's CDN has no file for the host, and gives no reason",
            evidence: evidence)
    }

    private func remembered(_ age: Int, _ head: ResponseHead, _ evidence: String) -> LiveFinding {
        LiveFinding(
            .warning, .appleRemembersFailure,
            "Apple's CDN remembers from \(duration(age)) ago that there was no file, and may ask "
                + "again \(nextRefresh(head))", evidence: evidence)
    }

    /// `SWCERR`, five digits, and words that are not documented.
    private func refusal(_ reason: String, _ head: ResponseHead) -> LiveFinding {
        let details = head.value("apple-failure-details")
        let evidence = "Apple-Failure-Reason: \(reason)" + (details.map { "; \($0)" } ?? "")
        let isCoded = reason.utf8.starts(with: "SWCERR".utf8)
        let code = isCoded ? reason.utf8.dropFirst(6).prefix(5) : reason.utf8.prefix(0)
        let text = reason + " " + (details ?? "")
        switch String(Substring(code)) {
        case "00101":
            if text.contains(" 403") || text.contains("\"403") {
                return LiveFinding(
                    .error, .appleFiltered,
                    "the site answers 403 to Apple's CDN, but 200 here: a filter refuses Apple",
                    evidence: evidence)
            }
            if text.contains("404"), let age = head.value("age").flatMap({ Int($0) }), age > 0 {
                return remembered(age, head, evidence)
            }
            return LiveFinding(
                .error, .appleStatus, "the site answers Apple's CDN with another status than 200",
                evidence: evidence)
        case "00202":
            return LiveFinding(
                .error, .applePrivateAddress,
                "the public DNS that Apple's CDN asks has an address that is not public",
                evidence: evidence)
        case "00301":
            return LiveFinding(
                .error, .appleTimeout, "the site is too slow for Apple's CDN, or drops its packets",
                evidence: evidence)
        case "00401":
            return LiveFinding(
                .error, .appleContent, "Apple's CDN does not accept the content of the file",
                evidence: evidence)
        default:
            return LiveFinding(
                .error, .appleFailure, "Apple's CDN has no file for the host", evidence: evidence)
        }
    }

    private func age(_ head: ResponseHead) -> String {
        head.value("age").flatMap { Int($0) }.map { " from \(duration($0)) ago" } ?? ""
    }

    private func nextRefresh(_ head: ResponseHead) -> String {
        guard let seconds = head.freshSeconds else { return "within a day" }
        return seconds > 0 ? "in \(duration(seconds))" : "now"
    }

    // MARK: Google

    func googleFindings(_ exchange: ClientExchange) -> [LiveFinding] {
        guard let response = exchange.response, response.status == 200,
            case .whole(let bytes) = response.content,
            case let document = JSONDocument(associations: bytes, file: ""), document.isValid,
            let answer = document.root, answer.members != nil
        else {
            let status = exchange.response.map {
                "HTTP/1.1 \($0.status) \($0.head.reason), \($0.bytes.count) bytes"
            }
            return [
                LiveFinding(
                    .note, .googleUnchecked,
                    exchange.response == nil
                        ? "Google's service was not reached"
                        : "Google's service does not say what it has",
                    evidence: exchange.failure?.words ?? status,
                    advice: exchange.adviceForReaching)
            ]
        }
        let codes = (answer["errorCode"]?.elements ?? []).compactMap(\.text)
        // Without Android apps, Google is right that there is no file.
        let isNeeded =
            isExpected(.android) ?? (survey.working?.android?.response?.isMissing != true)
        if !codes.isEmpty, !isNeeded { return [] }
        if let code = codes.first {
            let name = code.utf8.starts(with: "ERROR_CODE_".utf8) ? code.dropFirst(11) : code[...]
            return [
                LiveFinding(
                    .error, .googleFailure,
                    "Google cannot use the host's statements: "
                        + (Self.googleWords[String(name)] ?? code),
                    evidence: ([code] + [answer["debugString"]?.text].compactMap(\.self))
                        .joined(separator: ": "))
            ]
        }
        return staleFindings(answer)
    }

    private func staleFindings(_ answer: JSONValue) -> [LiveFinding] {
        guard let response = survey.working?.android?.response, response.status == 200,
            case .whole(let bytes) = response.content
        else { return [] }
        let live = AssetLinksReading(bytes, file: "").keysForLinks
        let wanted = Set(
            live.byPackage.flatMap { package, keys in keys.map { "\(package) \($0)" } })
        let known = Set(
            (answer["statements"]?.elements ?? []).compactMap { statement -> String? in
                let app = statement["target"]?["androidApp"]
                guard let name = app?["packageName"]?.text,
                    let print = app?["certificate"]?["sha256Fingerprint"]?.text
                else { return nil }
                return "\(name) \(print.uppercased())"
            })
        let isIncluding = !live.includes.isEmpty
        if isIncluding, wanted.isEmpty, known.isEmpty {
            return [
                LiveFinding(
                    .warning, .noLinks,
                    "Google knows no app by the files that \(Surveyor.androidPath) includes",
                    evidence: answer["debugString"]?.text)
            ]
        }
        let missing = wanted.subtracting(known).sorted().first
        let foreign = known.subtracting(wanted).sorted()
        // More than the live file says can come from files that it includes.
        if isIncluding, missing == nil {
            return foreign.isEmpty || wanted.isEmpty
                ? [] : [foreignFinding(foreign, by: live.includes)]
        }
        guard missing != nil || !foreign.isEmpty else { return [] }
        let keep = answer["maxAge"]?.text.map { " for up to \($0)" } ?? ""
        return [
            LiveFinding(
                .warning, .googleStale,
                "Google has other statements than the live file, and keeps them\(keep)",
                evidence: missing.map { "Google does not have \($0)" }
                    ?? foreign.first.map { "only Google has \($0)" })
        ]
    }

    /// Statements that Google has, and which may be those of included files or old ones.
    private func foreignFinding(_ foreign: [String], by includes: [String]) -> LiveFinding {
        LiveFinding(
            .note, .includeUnchecked,
            "Google has \(counted(foreign.count, "key")) more than \(Surveyor.androidPath), which can be "
                + "of the files that it includes; they were not asked for, so this is not compared",
            evidence: "only Google has \(foreign[0])"
                + (includes.first.map { "; include \($0)" } ?? ""))
    }

    private static let googleWords = [
        "INVALID_QUERY": "it does not accept the host's name",
        "FETCH_ERROR": "it cannot fetch the file",
        "FAILED_SSL_VALIDATION": "it does not trust the certificate",
        "REDIRECT": "the file is redirected",
        "TOO_LARGE": "the file is too large",
        "MALFORMED_HTTP_RESPONSE": "the answer breaks HTTP",
        "WRONG_CONTENT_TYPE": "the file is not served as application/json",
        "MALFORMED_CONTENT": "the file is not a JSON list of statements",
        "SECURE_ASSET_INCLUDES_INSECURE": "the file includes one over http",
        "FETCH_BUDGET_EXHAUSTED": "the file includes too many others",
    ]
}

extension ClientExchange {
    /// Nil if nothing better is known than a rule's own advice.
    var adviceForReaching: String? {
        failure?.kind == .privateAddress ? "allow the address with --allow-private" : nil
    }
}
