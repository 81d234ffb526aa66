private import Diagnostics

import HTTPClient
import HTTPMessages
private import URISyntax

// What the answer of port 80 means.

extension Judge {
    /// Fetchers of association files ask only https, so nothing here breaks them. A person who types
    /// the host's name can arrive at port 80, and gets the links only where it leads to https.
    func plainFindings(_ exchange: ClientExchange) -> [LiveFinding] {
        switch exchange.result {
        case .success(let response): plainFinding(response.head).map { [$0] } ?? []
        case .failure(let failure): plainFinding(failure).map { [$0] } ?? []
        }
    }

    private func plainFinding(_ failure: FetchFailure) -> LiveFinding? {
        switch failure.kind {
        // They say something of this machine, or were said of the address.
        case .unreachable, .privateAddress: nil
        case .timeout:
            LiveFinding(
                .note, .plainHTTPHangs, "port 80 neither answers nor refuses connections",
                evidence: failure.text)
        case .refused:
            LiveFinding(
                .note, .plainHTTPRefused, "port 80 refuses connections", evidence: failure.text)
        default:
            LiveFinding(
                .warning, .plainHTTPStays,
                failure.kind == .malformed
                    ? "port 80 does not answer with HTTP"
                    : "port 80 takes a connection, and does not answer", evidence: failure.text)
        }
    }

    private func plainFinding(_ head: ResponseHead) -> LiveFinding? {
        let target = head.redirectTarget
        guard target?.utf8.prefix(8).map(\.foldedToLowerCase).elementsEqual("https://".utf8) != true
        else { return nil }
        return LiveFinding(
            .warning, .plainHTTPStays,
            target == nil
                ? "port 80 answers with \(head.status), and does not lead to https"
                : "port 80 redirects, and not to https",
            evidence: target.map { "\(head.status) to \($0)" }
                ?? "HTTP/1.1 \(head.status) \(head.reason)")
    }
}

extension ResponseHead {
    /// The URL reference that a redirect leads to (RFC 9110 §15.4); nil if the response is no
    /// redirect or names none.
    var redirectTarget: String? {
        guard isRedirect, let target = value("location"), !target.isEmpty else { return nil }
        return target
    }

    /// Whether the status is that of a redirect. 304 and 300 lead nowhere by themselves.
    var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }
}
