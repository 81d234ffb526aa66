package import HTTPClient
import Sockets

/// Everything that was seen of a host, before anything is concluded from it.
package struct HostSurvey: Sendable {
    package let host: String
    package let port: UInt16
    package var addresses: HostAddresses
    /// The answers of each address, in the order in which they were asked.
    package var answers = [AddressAnswers]()
    /// At the first address that works.
    package var rootPath: ClientExchange?
    package var asAppleBot: ClientExchange?
    package var withTLS12: ClientExchange?
    package var plainHTTP: ClientExchange?
    /// Requests for other well-known names, if the host is expected to have them.
    package var wellKnown = [ClientExchange]()
    /// Whether the resolver has an answer for another name; nil if that was not asked.
    package var resolvesOthers: Bool?
    /// Nil if the service was not asked.
    package var cdn: ClientExchange?
    package var google: ClientExchange?

    package init(host: String, port: UInt16, addresses: HostAddresses) {
        self.host = host
        self.port = port
        self.addresses = addresses
    }

    /// The answers of one address for the two association files.
    package struct AddressAnswers: Sendable {
        package let apple: ClientExchange
        /// Nil if the address was given up after the first request.
        package let android: ClientExchange?

        package init(apple: ClientExchange, android: ClientExchange?) {
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
    package var apple: ServiceAddress? = .init(host: "app-site-association.cdn-apple.com")
    package var google: ServiceAddress? = .init(host: "digitalassetlinks.googleapis.com")

    package init() {}
}

/// The address of a service.
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

extension ServiceAddress {
    var isPublic: Bool { port == 443 }
}

extension NameResolution {
    /// Whether the resolver had no answer.
    var isFailed: Bool {
        if case .failed = self { true } else { false }
    }
}
