public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Asks the host of a link what the link says: the system opens an app with the URL, and with nothing
/// else. Make one for the life of the app; it keeps nothing of a link.
@available(iOS 15, macOS 12, tvOS 15, watchOS 8, visionOS 1, *)
public struct SmartLinks: Sendable {
    /// Sends a request, and gives the answer with its content.
    public typealias Transport = @Sendable (URLRequest) async throws -> (Data, URLResponse)

    private let hosts: Set<String>
    private let seconds: Double
    private let send: Transport

    /// - Parameters:
    ///   - hosts: the hosts of your links, as in the app's entitlements. No other host is asked,
    ///     whatever URL the app is opened with.
    ///   - seconds: how long `resolve` may take; then it gives `offline`.
    ///   - transport: sends the request; without it, a session that keeps neither cookies nor a
    ///     cache does.
    public init(hosts: [String], seconds: Double = 3, transport: Transport? = nil) {
        self.hosts = Set(hosts.map { $0.lowercased() })
        self.seconds = seconds
        if let transport {
            send = transport
        } else {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.timeoutIntervalForRequest = seconds
            configuration.httpCookieStorage = nil
            let session = URLSession(configuration: configuration)
            send = { try await session.data(for: $0) }
        }
    }

    /// Asks the host of a link what it says. The call never throws and always returns in time, so that
    /// the app can go on.
    /// - Parameter url: as the app got it.
    public func resolve(_ url: URL) async -> Resolution {
        guard let request = request(for: url) else { return .unknown }
        let (send, nanoseconds) = (send, UInt64(max(0, seconds) * 1_000_000_000))
        return await withTaskGroup(of: Resolution.self) { group in
            group.addTask {
                guard let (data, response) = try? await send(request) else { return .offline }
                return Self.read(data, response)
            }
            group.addTask {
                try? await Task.sleep(nanoseconds: nanoseconds)
                return .offline
            }
            defer { group.cancelAll() }
            return await group.next() ?? .offline
        }
    }

    /// Reports that a link has opened the app, to be counted beside the visits of browsers. It says
    /// which link, when, and whether the app was opened for the first time, and nothing of the
    /// person or the device. Call it only if your privacy notice says so.
    /// - Returns: whether it was taken; what is not is not tried again.
    @discardableResult
    public func reportOpen(_ url: URL, isFirst: Bool = false) async -> Bool {
        guard let asked = asked("/_/opens", for: url),
            let content = try? JSONEncoder().encode([
                Opening(
                    url: url.absoluteString, at: ISO8601DateFormatter().string(from: Date()),
                    first: isFirst)
            ])
        else { return false }
        var request = URLRequest(url: asked)
        (request.httpMethod, request.httpBody) = ("POST", content)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        guard let (_, response) = try? await send(request) else { return false }
        return (response as? HTTPURLResponse)?.statusCode == 204
    }

    private struct Opening: Encodable {
        let url: String
        let at: String
        let first: Bool
    }

    /// Nil for a URL that is no link of these hosts.
    func request(for url: URL) -> URLRequest? {
        guard let asked = asked("/_/resolve", for: url),
            var parts = URLComponents(url: asked, resolvingAgainstBaseURL: false)
        else { return nil }
        var unreserved = CharacterSet(charactersIn: "-._~")
        unreserved.insert(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        let escaped = url.absoluteString.addingPercentEncoding(withAllowedCharacters: unreserved)
        parts.percentEncodedQuery = "url=\(escaped ?? "")"
        return parts.url.map { URLRequest(url: $0) }
    }

    private func asked(_ path: String, for url: URL) -> URL? {
        guard url.scheme?.lowercased() == "https", let host = url.host?.lowercased(),
            hosts.contains(host)
        else { return nil }
        var asked = URLComponents()
        (asked.scheme, asked.host, asked.port, asked.path) = ("https", host, url.port, path)
        return asked.url
    }

    static func read(_ data: Data, _ response: URLResponse) -> Resolution {
        switch (response as? HTTPURLResponse)?.statusCode {
        case 200:
            guard let link = try? JSONDecoder().decode(SmartLink.self, from: data) else {
                return .offline
            }
            return .link(link)
        case 404: return .unknown
        default: return .offline
        }
    }
}

/// The result of asking for a link.
public enum Resolution: Sendable, Equatable {
    case link(SmartLink)
    /// The URL is no link: say so, and show the home screen.
    case unknown
    /// There was no answer in time: show what the URL's path says, or the home screen.
    case offline
}

/// The content of a link.
public struct SmartLink: Decodable, Sendable, Equatable {
    /// The URL that was asked for.
    public let url: URL
    /// The URL that all URLs of this link stand for.
    public let canonical: URL
    public let state: State
    /// The content for the app; nil for a link that was made for browsers.
    public let app: AppContent?
    /// UTM parameters by their names without `utm_`: `source`, `medium`, `campaign`.
    public let campaign: [String: String]?
    public let page: Page?
    /// The URL to which browsers are led.
    public let web: URL?

    public enum State: String, Decodable, Sendable {
        case active
        /// After its end, or deleted. What it says is what it said.
        case expired
    }

    /// The texts and the image that previews of the link show.
    public struct Page: Decodable, Sendable, Equatable {
        public let title: String?
        public let description: String?
        public let image: String?
    }
}

/// The part of a link that is for the app.
public struct AppContent: Decodable, Sendable, Equatable {
    /// The app's own path.
    public let path: String?
    /// Everybody who has the link can read it.
    public let data: JSON?
    /// The first version of the app that knows the path.
    public let minVersion: String?
}
