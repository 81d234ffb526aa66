package import HTTPClient
package import SiteConfiguration
import Sockets
private import TLS

/// Asks a host and the services as fetchers do, one request at a time.
package struct Surveyor: Sendable {
    private let client: HTTPClient
    private let services: LiveServices
    private let agent: String
    private let asksAppleAlways: Bool

    /// - Parameters:
    ///   - agent: the product in User-Agent, such as `Waymark/1.0`.
    ///   - asksAppleAlways: whether Apple's CDN is asked also if the file cannot be fetched directly.
    package init(
        _ client: HTTPClient, _ services: LiveServices, agent: String, asksAppleAlways: Bool = false
    ) {
        self.client = client
        self.services = services
        self.agent = agent
        self.asksAppleAlways = asksAppleAlways
    }

    /// Asks everything, and gives up an address that does not complete a handshake. Apple's CDN is
    /// asked only if the file can be fetched directly, because the CDN keeps failures for an hour,
    /// unless it is always asked.
    /// - Parameters:
    ///   - copies: what the services have answered for this host before, which is taken again while
    ///     it is too early to ask.
    ///   - wellKnown: the other files that the host is expected to have.
    ///   - now: seconds since 1970.
    package func survey(
        _ host: String, port: UInt16 = 443, _ copies: inout ServiceCopies,
        expecting wellKnown: WellKnownFiles? = nil, now: Int
    ) -> HostSurvey {
        var survey = HostSurvey(host: host, port: port, addresses: client.resolve(host, port: port))
        for address in survey.addresses.places(port: port, max: HTTPClient.addressesMax) {
            let apple = client.fetch(
                request(host, port, Self.applePath, coding: "gzip"), at: address)
            let isReached = apple.peer?.parameters != nil && apple.peer?.faults.isEmpty == true
            let android =
                isReached ? client.fetch(request(host, port, Self.androidPath), at: address) : nil
            survey.answers.append(.init(apple: apple, android: android))
        }
        // Where there is no answer to the first request, others would only wait as long.
        if let first = survey.working?.apple, first.response != nil {
            let address = first.address
            survey.rootPath = client.fetch(request(host, port, Self.rootPath), at: address)
            survey.asAppleBot = client.fetch(
                request(host, port, Self.applePath, agent: Self.appleBot), at: address)
            survey.withTLS12 = client.fetch(
                request(host, port, Self.applePath), at: address, versions: .tls12)
            survey.plainHTTP = address.flatMap { plainHTTP(host, $0) }
            survey.wellKnown = (wellKnown?.targets ?? []).map {
                client.fetch(request(host, port, $0), at: address)
            }
        }
        if survey.working?.apple.response?.status == 200 || asksAppleAlways {
            survey.cdn = copies.apple.answer(now: now) { askApple(host, port) }
        }
        if case .resolved(let v4, let v6) = survey.addresses, v4.isFailed, v6.isFailed,
            let other = services.apple ?? services.google
        {
            survey.resolvesOthers = client.resolve(other.host, port: other.port).fault == nil
        }
        if survey.addresses.fault == nil {
            survey.google = copies.google.answer(now: now) { askGoogle(host, port) }
        }
        return survey
    }

    /// Port 80 is asked only where HTTPS has its usual port, or where its address was given.
    private func plainHTTP(_ host: String, _ address: SocketAddress) -> ClientExchange? {
        let own = client.overrides.first { $0.host == host && $0.port == 80 }?.address
        guard address.port == 443 || own != nil else { return nil }
        let request = FetchRequest(
            isSecure: false, host: host, target: "/", fields: ["User-Agent: \(agent)"])
        return client.fetch(request, at: own ?? address.withPort(80))
    }

    private func askApple(_ host: String, _ port: UInt16) -> ClientExchange? {
        guard let service = services.apple else { return nil }
        let name = port == 443 ? host : "\(host):\(port)"
        return client.fetch(
            FetchRequest(
                isSecure: service.isSecure, host: service.host, port: service.port,
                target: "/a/v1/\(name)",
                fields: ["User-Agent: \(agent)", "Accept-Encoding: gzip"]))
    }

    private func askGoogle(_ host: String, _ port: UInt16) -> ClientExchange? {
        // Google's verifier asks only the usual port.
        guard let service = services.google, port == 443 || !service.isPublic else { return nil }
        return client.fetch(
            FetchRequest(
                isSecure: service.isSecure, host: service.host, port: service.port,
                target: "/v1/statements:list?source.web.site=https://\(host)"
                    + "&relation=delegate_permission/common.handle_all_urls",
                fields: ["User-Agent: \(agent)", "Accept-Encoding: gzip"]))
    }

    private func request(
        _ host: String, _ port: UInt16, _ path: String, agent: String? = nil,
        coding: String = "identity"
    ) -> FetchRequest {
        FetchRequest(
            host: host, port: port, target: path,
            fields: [
                "User-Agent: \(agent ?? self.agent)", "Accept: */*", "Accept-Encoding: \(coding)",
            ])
    }

    package static let applePath = "/.well-known/apple-app-site-association"
    static let rootPath = "/apple-app-site-association"
    static let androidPath = "/.well-known/assetlinks.json"
    private static let appleBot = "AASA-Bot/1.0.0"
}
