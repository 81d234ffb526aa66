import Answering
import Diagnostics
import HTTPMessages
import LinkStore
import Memory
import Metrics
import Resolution
import Services
import SiteConfiguration
import Snapshots
import URISyntax

/// Answers requests to the admin listener.
struct AdminResponder: Sendable {
    /// Nil where metrics cannot be requested.
    private let telemetry: Telemetry?
    private let health: Health
    private let hosts: AdminHosts
    private let links: LinkService?
    private let checks: HostChecks
    /// The handler of requests that are for nothing here; nil where there is none.
    private let handler: (any RequestHandler)?

    init(
        _ telemetry: Telemetry?, _ health: Health, _ hosts: AdminHosts, _ links: LinkService?,
        _ checks: HostChecks, _ handler: (any RequestHandler)?
    ) {
        (self.telemetry, self.health, self.hosts) = (telemetry, health, hosts)
        (self.links, self.checks, self.handler) = (links, checks, handler)
    }

    func answer(
        _ head: RequestHead, _ input: borrowing RequestInput, _ snapshot: Snapshot,
        _ turn: borrowing Turn
    ) -> Answer {
        let isHead = head.method.isHead
        var host = input.buffer.storage[head.host].map { $0 }
        host.copyLowercased(input.buffer.storage, head.host, to: 0)
        guard hosts.contain(host[...]) else { return .document(Self.misdirected, isHead: isHead) }
        switch head.method {
        case .get, .head: break
        default:
            if let request = handled(head, input) {
                return .later(.handled(request), isHead: false)
            }
            if let document = unopenedStore(input.buffer.storage[head.path], snapshot) {
                return .document(document, isHead: false)
            }
        }
        switch head.method {
        case .get, .head: break
        case .options: return .status(.noContent, isHead: true)
        case .other: return .status(.notImplemented, isHead: false)
        default: return .status(.methodNotAllowed, isHead: false)
        }
        var path = [UInt8](repeating: 0, count: max(1, head.path.count))
        guard
            let count = head.path.isEmpty
                ? 0 : try? PathDecoding.decode(input.buffer.storage, head.path, into: &path)
        else {
            // One path of the API has a whole URL as a segment.
            return handled(head, input).map { .later(.handled($0), isHead: isHead) }
                ?? .status(.badRequest, isHead: isHead)
        }
        let query = Self.query(head, input)
        let document: Document?
        switch String(decoding: path[..<count], as: UTF8.self) {
        case "/livez": document = HealthReport("livez", [HealthCheck("ping", true)], query).page
        case "/readyz":
            document = HealthReport("readyz", readiness(snapshot, turn), query).page
        case "/healthz":
            document = HealthReport("healthz", readiness(snapshot, turn), query).page
        case "/metrics": document = metrics(input, snapshot, turn)
        case "/check": document = checkPage(input, query)
        default:
            if let request = handled(head, input) {
                return .later(.handled(request), isHead: isHead)
            }
            document = unopenedStore(path[..<count], snapshot)
        }
        return document.map { .document($0, isHead: isHead) } ?? .status(.notFound, isHead: isHead)
    }

    private func handled(_ head: RequestHead, _ input: borrowing RequestInput) -> HandledRequest? {
        guard let handler else { return nil }
        return HandledRequest(
            HandledHead(.admin, head, input.buffer.storage, isSecure: false), for: handler)
    }

    /// The answer to a request for links or the console where a reload has added a store: stores are opened at the start.
    private func unopenedStore(_ path: ArraySlice<UInt8>, _ snapshot: Snapshot) -> Document? {
        guard handler == nil, let store = snapshot.environment.store,
            ["/v1/", "/console/"].contains(where: { path.starts(with: $0.utf8) })
                || path.elementsEqual("/console".utf8)
        else { return nil }
        return .admin(
            .serviceUnavailable, type: "text/plain; charset=utf-8",
            Array(
                """
                the store \(quoted(store.path)) was added by a reload, and a store is opened at the start: \
                restart `waymark serve` for links, the API and the console

                """.utf8))
    }

    /// Whether requests should come here. That the loops listen and a configuration is loaded is
    /// so whenever anybody can ask.
    private func readiness(_ snapshot: Snapshot, _ turn: borrowing Turn) -> [HealthCheck] {
        let now = turn.unixSeconds
        var checks = [
            HealthCheck("listening", true),
            // What was served before a reload that was refused is still good.
            HealthCheck("configuration", true, details: telemetry?.refusedReload ?? []),
            HealthCheck(
                "certificates", snapshot.canShakeHands(now: now),
                details: snapshot.certificates.hosts.filter { !$0.isUsable(at: now) }.map {
                    "\($0.name): "
                        + ($0.isPlaceholder
                            ? "its certificate is not issued yet" : "no usable certificate")
                } + [telemetry?.renewals.current.obstacle].compactMap(\.self)),
            HealthCheck("not-stopping", health.isReady),
        ]
        if !snapshot.siteFaults.isEmpty {
            // These are no reason to take the origin from the other sites' visitors.
            checks.append(
                HealthCheck(
                    "sites", true,
                    details: snapshot.siteFaults.map { fault in
                        "\(fault.site): \(fault.isKept ? "served as before" : "not served")"
                    }))
        }
        return checks + [storeCheck(snapshot)].compactMap(\.self)
    }

    /// Whether paths of stored links are answered, and whether the store can be changed. The first is
    /// a reason to send visitors elsewhere, unless the operator says otherwise; the second is none.
    private func storeCheck(_ snapshot: Snapshot) -> HealthCheck? {
        let (served, configured) = (links?.path, snapshot.environment.store?.path)
        let isEssential = snapshot.environment.isStoreEssential
        switch links?.state {
        case .opening:
            return HealthCheck(
                "store", false, isEssential: isEssential, details: ["the links are being read"])
        case .closed(let error):
            return HealthCheck(
                "store", false, isEssential: isEssential, details: [error.words.fact])
        case .failed(let error):
            return HealthCheck(
                "store", false, isEssential: false, remark: "known links are answered",
                details: [
                    error.words.fact,
                    // For small ones there may be room.
                    error == .isFull ? "changes are refused, or large ones" : "changes are refused",
                ])
        case .open where served == configured: return HealthCheck("store", true)
        case nil where configured == nil: return nil
        case .open, nil:
            return HealthCheck(
                "store", false, isEssential: false,
                remark: served == nil ? "not essential" : "known links are answered",
                details: [
                    served.map { "\(quoted($0)) is served until the next start" }
                        ?? "no store is served until the next start",
                    configured.map { "the configuration has \(quoted($0))" }
                        ?? "the configuration has none any more",
                ])
        }
    }

    private func metrics(
        _ input: borrowing RequestInput, _ snapshot: Snapshot, _ turn: borrowing Turn
    ) -> Document? {
        guard let telemetry else { return nil }
        let field = input.reader.fields.first(.accept) ?? 0..<0
        let format = ExpositionFormat(accept: input.buffer.storage[field])
        let body = telemetry.expose(
            format, snapshot, isReady: readiness(snapshot, turn).allSatisfy(\.passes),
            addressMax: turn.settings.limits.connectionsPerAddressMax)
        return .admin(.ok, type: format.contentType, body)
    }

    /// The findings about the checked hosts, or about the one that `host=` names.
    private func checkPage(_ input: borrowing RequestInput, _ query: [String]) -> Document {
        let plain = "text/plain; charset=utf-8"
        guard var entries = checks.current else {
            let reason = "no host is checked: `watch: true` of the environment switches it on\n"
            return .admin(.notFound, type: plain, Array(reason.utf8))
        }
        let all = entries
        let host = query.first { $0.hasPrefix("host=") }?.dropFirst(5)
        if let host {
            entries = entries.filter { $0.host == host }
            guard !entries.isEmpty else {
                let names = all.prefix(5).map(\.host) + (all.count > 5 ? ["…"] : [])
                let reason =
                    "\(quoted(String(host))) is not checked; these are: "
                    + names.joined(separator: ", ") + "\n"
                return .admin(.notFound, type: plain, Array(reason.utf8))
            }
        }
        let accepted = input.buffer.storage[input.reader.fields.first(.accept) ?? 0..<0]
        if accepted.acceptsJSON {
            return .admin(.ok, type: "application/json", Array(entries.json.formatted.utf8))
        }
        let text = host == nil ? entries.text : entries.details
        return .admin(.ok, type: plain, Array(text.utf8))
    }

    /// The query of the target, split at `&`.
    private static func query(_ head: RequestHead, _ input: borrowing RequestInput) -> [String] {
        let start = min(head.path.upperBound + 1, head.target.upperBound)
        return input.buffer.storage[start..<head.target.upperBound]
            .split(separator: UInt8(ascii: "&")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// To a request for a host that the admin listener does not serve (RFC 9110 §15.5.20).
    private static let misdirected = Document.admin(
        .misdirectedRequest, type: "text/plain; charset=utf-8",
        Array(
            """
            the admin listener answers requests for an IP address, for localhost, and for names \
            that serve was given with --admin-host

            """.utf8))
}

extension Document {
    /// Content that caches must not keep.
    fileprivate static func admin(_ status: Status, type: String, _ body: [UInt8]) -> Document {
        Document(
            status: status, type: type, body: body,
            fields: fieldLines(["Cache-Control: no-store", "X-Content-Type-Options: nosniff"]))
    }
}

/// One check of `/readyz` or `/healthz`, and its result.
private struct HealthCheck {
    let name: String
    let isGood: Bool
    /// Whether the origin should get no requests where it is not good.
    let isEssential: Bool
    /// The reason why it is not essential.
    let remark: String
    /// Lines for `?verbose`; they do not change the result.
    let details: [String]

    init(
        _ name: String, _ isGood: Bool, isEssential: Bool = true,
        remark: String = "not essential", details: [String] = []
    ) {
        (self.name, self.isGood, self.details) = (name, isGood, details)
        (self.isEssential, self.remark) = (isEssential, remark)
    }

    var passes: Bool { isGood || !isEssential }

    var lines: String {
        let first =
            isGood
            ? "[+]\(name) ok\n" : "[-]\(name) failed\(isEssential ? "" : ", \(remark)")\n"
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
    /// A name to be left out that is none of the checks.
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

    var page: Document {
        if let unknown {
            return page(
                .badRequest,
                "\(name) has no check \(quoted(unknown)) to exclude; its checks are \(known)")
        }
        let passes = checks.allSatisfy(\.passes)
        var text = passes ? "ok" : "failed"
        if isVerbose || !passes {
            let verdict = passes ? "passed" : "failed"
            text = checks.map(\.lines).joined() + "\(name) check \(verdict)"
        }
        return page(passes ? .ok : .serviceUnavailable, text)
    }

    private func page(_ status: Status, _ text: String) -> Document {
        .admin(status, type: "text/plain; charset=utf-8", Array("\(text)\n".utf8))
    }
}
