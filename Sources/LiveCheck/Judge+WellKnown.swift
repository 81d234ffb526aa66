import Diagnostics
import HTTPClient
import HTTPMessages
import SiteConfiguration
import URISyntax

// The files for passkeys, passwords and HarmonyOS. Links open apps without them, so nothing that is
// wrong with them is an error here.

extension WellKnownFiles {
    /// The targets of the requests to a host that has these files.
    var targets: [String] {
        let files = WellKnownFile.allCases.filter { bytes(of: $0) != nil }.map(\.path)
        return changePassword == nil ? files : files + [Self.changePasswordPath, Self.noPath]
    }

    /// The name that password managers request to see whether a server answers 404 at all (W3C, "Detecting
    /// the Reliability of HTTP Status Codes").
    static let noPath =
        "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200"
}

extension Judge {
    func wellKnownFinding(_ exchange: ClientExchange) -> LiveFinding? {
        let path = exchange.request.target
        guard let response = exchange.response else {
            return exchange.failure.map { failure in
                let found = failureFinding(failure, path)
                return LiveFinding(.warning, found.rule, found.message, evidence: found.evidence)
            }
        }
        let line = "HTTP/1.1 \(response.status) \(response.head.reason)"
        switch path {
        case WellKnownFiles.noPath:
            guard 200..<300 ~= response.status else { return nil }
            return LiveFinding(
                .warning, .softNotFound,
                "a well-known name that does not exist is answered with \(response.status)",
                evidence: "\(path): \(line)")
        case WellKnownFiles.changePasswordPath: return passwordFinding(response, line)
        default: return fileFinding(path, response, line)
        }
    }

    private func passwordFinding(_ response: FetchResponse, _ line: String) -> LiveFinding? {
        let path = WellKnownFiles.changePasswordPath
        let page = expected?.wellKnown.changePassword?.description ?? ""
        guard response.head.isRedirect else {
            return LiveFinding(
                .warning, response.status == 404 ? .fileMissing : .badStatus,
                "\(path) is not a redirect", evidence: line, advice: "redirect to \(page) with 302")
        }
        let target = response.head.redirectTarget ?? ""
        guard target != page else { return nil }
        return LiveFinding(
            .warning, .liveDiffers, "\(path) is not the configuration's redirect",
            evidence: "\(response.status) to \(target), not to \(page)")
    }

    private func fileFinding(
        _ path: String, _ response: FetchResponse, _ line: String
    ) -> LiveFinding? {
        guard response.status == 200 else {
            let rule: LiveRule =
                response.status == 404
                ? .fileMissing : response.head.isRedirect ? .redirect : .badStatus
            return LiveFinding(
                .warning, rule, "\(path) is answered with \(response.status)", evidence: line,
                advice: "answer 200 with the file")
        }
        let type = response.head.value("content-type") ?? ""
        let essence = type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
        guard String(Substring(essence)).lowercased() == "application/json" else {
            return LiveFinding(
                .warning, .contentType, "\(path) is not served as application/json",
                evidence: type.isEmpty ? "there is no Content-Type" : "Content-Type: \(type)")
        }
        let file = WellKnownFile.allCases.first { $0.path == path }
        guard let wanted = file.flatMap({ expected?.wellKnown.bytes(of: $0) }) else { return nil }
        if case .whole(let found) = response.content, equalJSON(found, wanted) { return nil }
        return LiveFinding(
            .warning, .liveDiffers, "\(path) is not the configuration's",
            evidence: "\(response.bytes.count) bytes, not \(wanted.count)")
    }
}
