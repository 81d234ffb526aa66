import Answering
import ClientAddress
import Console
import HTTPMessages
import LinkAPI
import Pages
import SiteConfiguration
import Sockets
import URISyntax

/// A request to the console, on its way to its answer.
struct ConsoleTurn: Sendable {
    let request: HandledRequest
    let gate: ConsoleGate
    let api: LinkAPI
    let signIns: ProxySignIns
    let desk: ProviderDesk
    let relay: ConsoleRelay
    /// Whether its content comes while it is answered.
    let isStreamed: Bool
    /// The memory of content that is streamed.
    var claim: WorkMemory.Claim?
    /// The time until which the store is waited for, by a clock that never goes back: that in the queue counts.
    let deadline = Clock.monotonicMilliseconds + Self.answerMilliseconds
    static let answerMilliseconds = 10_000

    init(
        _ request: HandledRequest, _ gate: ConsoleGate, _ api: LinkAPI, _ signIns: ProxySignIns,
        _ desk: ProviderDesk, _ relay: ConsoleRelay, isStreamed: Bool
    ) {
        (self.request, self.gate, self.api) = (request, gate, api)
        (self.signIns, self.desk) = (signIns, desk)
        (self.relay, self.isStreamed) = (relay, isStreamed)
    }

    /// - Returns: false if there is no memory for it.
    mutating func claimMemory(_ memory: WorkMemory) -> Bool {
        guard isStreamed else { return memory.hasRoom }
        let length = head.value(of: "content-length").flatMap { Int($0) } ?? .max
        claim = memory.claim(forContent: min(length, ConsoleForm.importBytesMax))
        return claim != nil
    }

    var head: HandledHead { request.head }
    /// Whether it is on the console's host; else it is on the admin listener.
    var isOnHost: Bool { head.scope != .admin }

    /// The network of the client, whose rates are bounded.
    var network: String {
        IPAddress(request.client)?.network(v6Bits: 64).description ?? request.client
    }

    /// The name of the person whom a trusted proxy has signed in, in lower case; nil if none has, and empty if what it
    /// says names nobody.
    var identity: String? {
        guard isOnHost, request.isByProxy, let field = api.identityField else { return nil }
        let values = head.values(of: field)
        guard let first = values.first else { return nil }
        // Of letters beyond ASCII, some become others: the Kelvin sign is a k.
        let name = String(decoding: first.utf8.map(\.foldedToLowerCase), as: UTF8.self)
        return values.count == 1 ? name : ""
    }

    /// Whether a browser asks for a page. Its scripts do not, and other programs seldom.
    var takesPage: Bool {
        (head.value(of: "accept") ?? "").utf8.split(separator: UInt8(ascii: ","))
            .contains { $0.drop { $0 == 0x20 }.starts(with: "text/html".utf8) }
    }

    /// Whether it is an attempt to sign in.
    var isSignIn: Bool { head.path.utf8.starts(with: "/console/sign-in".utf8) }

    /// Whether a provider has sent the browser back with it.
    var isOfProvider: Bool { head.path.utf8.elementsEqual(OpenIDAnswering.path.utf8) }

    /// The origin of the console's host, as the browser knows it; nil on the admin listener.
    var origin: String? {
        guard isOnHost, let authority = head.value(of: "host") else { return nil }
        let written = String(decoding: authority.utf8.map(\.foldedToLowerCase), as: UTF8.self)
        // Browsers leave out the port of https.
        let own =
            written.utf8.suffix(4).elementsEqual(":443".utf8) ? written.dropLast(4) : written[...]
        return "https://\(own)"
    }

    /// The segments of the path below the console's, decoded; nil for a path that can be understood in two ways, or is
    /// none of the console.
    var segments: [String]? {
        let written = Array(head.path.utf8)
        var path = [UInt8](repeating: 0, count: written.count)
        guard let count = try? PathDecoding.decode(written, 0..<written.count, into: &path),
            path[..<count].starts(with: "/console/".utf8)
        else { return nil }
        let rest = path["/console/".utf8.count..<count]
        guard !rest.isEmpty else { return [] }
        return rest.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self).comparable }
    }

    /// The hash by which the session of its cookie is found; nil without a cookie that can be one.
    var sessionHash: [UInt8]? {
        let secret = cookie(SessionCookie(isSecure: isOnHost).name)
        guard let secret, SignInSecret.isOne(secret) else { return nil }
        return SignInSecret.sessionHash(of: secret, isSecure: isOnHost)
    }

    /// The value of a cookie; nil without one.
    func cookie(_ name: String) -> String? {
        for line in head.values(of: "cookie") {
            for pair in line.utf8.split(separator: UInt8(ascii: ";")) {
                let text = pair.drop { $0 == 0x20 || $0 == 0x09 }
                guard text.starts(with: name.utf8),
                    let equals = text.firstIndex(of: UInt8(ascii: "=")),
                    text.distance(from: text.startIndex, to: equals) == name.utf8.count
                else { continue }
                return String(decoding: text[text.index(after: equals)...], as: UTF8.self)
            }
        }
        return nil
    }

    /// The surroundings of its pages.
    var setting: ConsoleSetting {
        var setting = ConsoleSetting(
            address: head.method == .post
                ? nil : head.path + (head.query.map { "?\($0)" } ?? ""),
            environment: api.environment,
            language: ConsoleLanguage(
                chosen: cookie(ConsoleLanguage.cookie),
                best: LanguageRanges((head.value(of: "accept-language") ?? "").utf8)
                    .best(among: ConsoleLanguage.allCases.map(\.rawValue))), isSecure: isOnHost,
            provider: isOnHost ? api.openID?.name : nil)
        if let (name, rules) = api.zoneOfSites(at: Clock.unixSeconds) {
            setting.clock = SiteClock(name, rules)
        }
        return setting
    }

    // MARK: Answers

    func answer(_ response: ConsoleResponse, cookie: String? = nil) {
        answer(response, cookies: [cookie].compactMap(\.self))
    }

    func answer(_ response: ConsoleResponse, cookies: [String]) {
        let fields = response.fields.map { "\($0.name): \($0.value)" }
        let type = response.content.isEmpty ? [] : ["Content-Type: \(response.type)"]
        request.answer(
            Status(rawValue: response.status) ?? .internalServerError,
            type + fields + cookies.map { "Set-Cookie: \($0)" }, response.content)
    }

    /// Answers with another page of the console.
    func lead(to path: String, cookie: String? = nil) {
        request.answer(
            .seeOther,
            ["Location: \(path)", "Cache-Control: no-store"]
                + (cookie.map { ["Set-Cookie: \($0)"] } ?? []))
    }

    /// Answers with a line of text.
    func refuse(_ status: Status, _ text: String, retryAfter seconds: Int) {
        request.answer(
            status,
            [
                "Content-Type: text/plain; charset=utf-8", "Cache-Control: no-store",
                "X-Content-Type-Options: nosniff", "Retry-After: \(seconds)",
            ], Array("\(text)\n".utf8))
    }
}
