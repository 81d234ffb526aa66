/// The origin of a website: scheme, host and port in a canonical form (RFC 6454 §4). The input can
/// have a scheme in any letter case, a host with a trailing full stop, and the scheme's default
/// port.
public struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
    public let isSecure: Bool
    public let host: HostName
    /// Nil for the scheme's default port.
    public let port: UInt16?

    /// - Throws: `WebOriginError`, with a message for people.
    public init(_ text: String) throws(WebOriginError) {
        guard let end = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            text.utf8[end...].starts(with: "://".utf8)
        else { throw .noScheme }
        let scheme = text[..<end].lowercased()
        guard scheme == "https" || scheme == "http" else { throw .otherScheme }
        let rest = text[text.utf8.index(end, offsetBy: 3)...].utf8
        let authority = rest.prefix { !"/?#".utf8.contains($0) }
        guard !authority.contains(UInt8(ascii: "@")) else { throw .credentials }
        guard authority.endIndex == rest.endIndex else { throw .more }
        let name = authority.prefix { $0 != UInt8(ascii: ":") }
        isSecure = scheme == "https"
        port = try Self.port(authority[name.endIndex...].dropFirst(), isSecure: isSecure)
        let host = name.last == UInt8(ascii: ".") ? name.dropLast() : name
        do throws(HostNameError) {
            self.host = try HostName(String(Substring(host)))
        } catch {
            throw .host
        }
    }

    /// `https://example.com`, with a port if it is not the scheme's default.
    public var description: String {
        "\(isSecure ? "https" : "http")://\(host)" + (port.map { ":\($0)" } ?? "")
    }

    private static func port(
        _ digits: Substring.UTF8View, isSecure: Bool
    ) throws(WebOriginError) -> UInt16? {
        guard !digits.isEmpty else { return nil }
        guard digits.allSatisfy(\.isDigit), let port = UInt16(Substring(digits)), port > 0 else {
            throw .port
        }
        return port == (isSecure ? 443 : 80) ? nil : port
    }
}

/// The reason why a text is not the origin of a website.
public enum WebOriginError: Error, Hashable, Sendable, CustomStringConvertible {
    case noScheme
    case otherScheme
    case credentials
    case host
    case port
    /// A path (even a single slash), a query or a fragment.
    case more

    public var description: String {
        switch self {
        case .noScheme: "it has no scheme, must begin with https:// or http://"
        case .otherScheme: "its scheme is not https or http"
        case .credentials: "it contains a user name or a password"
        case .host: "its host is not a host name"
        case .port: "its port is not a number from 1 to 65535"
        case .more: "it has a path, a query or a fragment, must end with the host or the port"
        }
    }
}
