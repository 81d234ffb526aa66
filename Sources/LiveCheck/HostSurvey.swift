package import HTTPClient
import Sockets
import TLS

/// Everything that was seen of a host, before anything is concluded from it.
package struct HostSurvey: Sendable {
    package let host: String
    package let port: UInt16
    package var addresses: HostAddresses
    /// What each address answers, in the order in which they were asked.
    package var answers = [AddressAnswers]()
    /// At the first address that works.
    package var rootPath: Exchange?
    package var asAppleBot: Exchange?
    package var withTLS12: Exchange?
    package var plainHTTP: Exchange?
    /// Whether the resolver has an answer for another name; nil if that was not asked.
    package var resolvesOthers: Bool?
    /// Nil if the service was not asked.
    package var cdn: Exchange?
    package var google: Exchange?

    package init(host: String, port: UInt16, addresses: HostAddresses) {
        self.host = host
        self.port = port
        self.addresses = addresses
    }

    /// What one address answers for the two association files.
    package struct AddressAnswers: Sendable {
        package let apple: Exchange
        /// Nil if the address was given up after the first request.
        package let android: Exchange?

        package init(apple: Exchange, android: Exchange?) {
            self.apple = apple
            self.android = android
        }
    }

    /// In how many seconds Apple's CDN may have another copy; nil if it does not say.
    package var secondsToNextCopy: Int? { cdn?.response?.head.freshSeconds }

    /// The answers of the first address that completes a handshake.
    var working: AddressAnswers? { answers.first { $0.android != nil } }
}

/// The services that keep copies of association files.
package struct LiveServices: Sendable {
    /// Apple's CDN and Google's Digital Asset Links service: URLs without a slash at the end. Nil
    /// leaves one out.
    package var apple: ServiceAddress?
    package var google: ServiceAddress?

    package init(
        apple: ServiceAddress? = .init(host: "app-site-association.cdn-apple.com"),
        google: ServiceAddress? = .init(host: "digitalassetlinks.googleapis.com")
    ) {
        self.apple = apple
        self.google = google
    }
}

/// Where a service is.
package struct ServiceAddress: Sendable {
    package let isSecure: Bool
    package let host: String
    package let port: UInt16

    package init(isSecure: Bool = true, host: String, port: UInt16? = nil) {
        self.isSecure = isSecure
        self.host = host
        self.port = port ?? (isSecure ? 443 : 80)
    }
}

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
    ///   - now: seconds since 1970.
    package func survey(
        _ host: String, port: UInt16 = 443, _ copies: inout ServiceCopies, now: Int
    ) -> HostSurvey {
        var survey = HostSurvey(
            host: host, port: port, addresses: client.resolve(host, port: port))
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
    private func plainHTTP(_ host: String, _ address: SocketAddress) -> Exchange? {
        let own = client.overrides.first { $0.host == host && $0.port == 80 }?.address
        guard address.port == 443 || own != nil else { return nil }
        let request = FetchRequest(
            isSecure: false, host: host, target: "/", fields: ["User-Agent: \(agent)"])
        return client.fetch(request, at: own ?? address.withPort(80))
    }

    private func askApple(_ host: String, _ port: UInt16) -> Exchange? {
        guard let service = services.apple else { return nil }
        let name = port == 443 ? host : "\(host):\(port)"
        return client.fetch(
            FetchRequest(
                isSecure: service.isSecure, host: service.host, port: service.port,
                target: "/a/v1/\(name)",
                fields: ["User-Agent: \(agent)", "Accept-Encoding: gzip"]))
    }

    private func askGoogle(_ host: String, _ port: UInt16) -> Exchange? {
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

extension ServiceAddress {
    fileprivate var isPublic: Bool { port == 443 }
}

extension NameResolution {
    /// Whether the resolver had no answer.
    var isFailed: Bool {
        if case .failed = self { true } else { false }
    }
}
