import Diagnostics
import HTTPMessages
import Memory
import Metrics

/// What the admin listener says, written when it is asked for.
struct AdminPage: Sendable {
    let status: Status
    let type: String
    let body: [UInt8]

    /// To a request for a host that the admin listener is not asked for (RFC 9110 §15.5.20).
    static let misdirected = AdminPage(
        status: .misdirectedRequest, type: "text/plain; charset=utf-8",
        body: Array(
            """
            the admin listener answers requests for an IP address, for localhost, and for names \
            that serve was given with --admin-host

            """.utf8))
}

extension LoopContext {
    /// Whether a request to the admin listener is for a host that may be asked for there.
    mutating func isForAdmin(_ head: RequestHead) -> Bool {
        host.copyLowercased(input.storage, head.host, to: 0)
        return adminHosts.contain(host[..<head.host.count])
    }

    /// Answers a request to the admin listener; its path, decoded, is the first bytes of `path`.
    func adminAnswer(_ count: Int, _ head: RequestHead) -> AdminPage? {
        switch String(decoding: path[..<count], as: UTF8.self) {
        case "/livez": HealthReport("livez", [HealthCheck("ping", true)], query(head)).page
        case "/readyz": HealthReport("readyz", readiness, query(head)).page
        case "/healthz": HealthReport("healthz", readiness, query(head)).page
        case "/metrics": metrics()
        default: nil
        }
    }

    /// Whether requests should come here. That the loops listen and a configuration is loaded is
    /// so whenever anybody can ask.
    private var readiness: [HealthCheck] {
        [
            HealthCheck("listening", true), HealthCheck("configuration", true),
            HealthCheck(
                "certificates", snapshot.canShakeHands(now: unixSeconds),
                details: snapshot.certificates.hosts.filter { !$0.isUsable(at: unixSeconds) }.map {
                    "\($0.name): no certificate that can be used"
                }),
            HealthCheck("not-stopping", health.isReady),
        ]
    }

    private func metrics() -> AdminPage? {
        guard let telemetry else { return nil }
        let accept = reader.fields.first(.accept).map { input.storage[$0] } ?? []
        let format = ExpositionFormat(accept: accept)
        let body = telemetry.expose(
            format, snapshot, isReady: readiness.allSatisfy(\.isGood),
            addressMax: limits.connectionsPerAddressMax)
        return AdminPage(status: .ok, type: format.contentType, body: body)
    }

    /// What follows the question mark, split at `&`.
    private func query(_ head: RequestHead) -> [String] {
        let start = min(head.path.upperBound + 1, head.target.upperBound)
        return input.storage[start..<head.target.upperBound]
            .split(separator: UInt8(ascii: "&")).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// Something that was looked at, and what came of it.
private struct HealthCheck {
    let name: String
    let isGood: Bool
    /// Lines for whoever wants to know more; they decide nothing.
    let details: [String]

    init(_ name: String, _ isGood: Bool, details: [String] = []) {
        (self.name, self.isGood, self.details) = (name, isGood, details)
    }

    var lines: String {
        let first = isGood ? "[+]\(name) ok\n" : "[-]\(name) failed\n"
        return first + details.map { "    \($0)\n" }.joined()
    }
}

/// Checks and their outcome, as Kubernetes writes them: the status says it all, `verbose` names
/// each, `exclude=` leaves one out. A name that is none is refused: passed over, it would show
/// only when the check that was meant fails.
private struct HealthReport {
    let name: String
    let checks: [HealthCheck]
    let isVerbose: Bool
    /// What was to be left out, and is none of the checks.
    private let unknown: String?
    private let known: String

    init(_ name: String, _ checks: [HealthCheck], _ query: [String]) {
        self.name = name
        let excluded = query.filter { $0.hasPrefix("exclude=") }.map { String($0.dropFirst(8)) }
        self.checks = checks.filter { !excluded.contains($0.name) }
        unknown = excluded.first { name in !checks.contains { $0.name == name } }
        known = checks.map(\.name).joined(separator: ", ")
        isVerbose = query.contains { $0 == "verbose" || $0.hasPrefix("verbose=") }
    }

    var page: AdminPage {
        if let unknown {
            return page(
                .badRequest,
                "\(name) has no check \(quoted(unknown)) to exclude; its checks are \(known)")
        }
        let isGood = checks.allSatisfy(\.isGood)
        var text = isGood ? "ok" : "failed"
        if isVerbose || !isGood {
            let verdict = isGood ? "passed" : "failed"
            text = checks.map(\.lines).joined() + "\(name) check \(verdict)"
        }
        return page(isGood ? .ok : .serviceUnavailable, text)
    }

    private func page(_ status: Status, _ text: String) -> AdminPage {
        AdminPage(
            status: status, type: "text/plain; charset=utf-8", body: Array("\(text)\n".utf8))
    }
}
