/// An absolute `http` or `https` URL without credentials. It has only characters that RFC 3986
/// allows, so it can be sent in a `Location` field unchanged.
public struct WebURL: Hashable, Sendable, CustomStringConvertible {
    public let description: String
    public let isSecure: Bool
    public let host: HostName
    /// The port in the text; nil if there is none.
    public let port: UInt16?
    /// The number of bytes of scheme, host and port in `description`.
    public let originBytes: Int

    /// - Throws: `WebURLError`, with a message for people.
    public init(_ text: String) throws(WebURLError) {
        let bytes = Array(text.utf8)
        guard let scheme = Self.schemes.first(where: { hasPrefix(bytes, $0.prefix) }) else {
            throw .scheme(text)
        }
        let start = scheme.prefix.utf8.count
        let end = bytes[start...].firstIndex(where: \.endsAuthority) ?? bytes.count
        let authority = bytes[start..<end]
        if let bad = bytes.firstIndex(where: { !$0.isURLCharacter }) {
            // A host has no escapes, but a form in ASCII.
            guard bad >= end || bytes[bad] < 0x80 else {
                throw .host(String(decoding: authority, as: UTF8.self))
            }
            throw .character(text, offset: bad)
        }
        guard !authority.contains(UInt8(ascii: "@")) else { throw .credentials }
        let colon = authority.firstIndex(of: UInt8(ascii: ":"))
        let host = String(decoding: authority[..<(colon ?? end)], as: UTF8.self)
        do throws(HostNameError) { self.host = try HostName(host) } catch { throw .host(host) }
        port = try colon.map { colon throws(WebURLError) in
            try Self.port(String(decoding: authority[(colon + 1)...], as: UTF8.self))
        }
        description = text
        isSecure = scheme.isSecure
        originBytes = end
    }

    /// Whether it leads to the default port of its scheme, which it may also name (RFC 9110 §4.2).
    package var hasDefaultPort: Bool { port == nil || port == (isSecure ? 443 : 80) }

    /// The same without a port that its scheme has anyway, so that a URL has one form.
    package var withoutDefaultPort: WebURL {
        guard port != nil, hasDefaultPort else { return self }
        let bytes = Array(description.utf8)
        guard let colon = bytes[..<originBytes].lastIndex(of: UInt8(ascii: ":")) else {
            return self
        }
        let text = String(decoding: bytes[..<colon] + bytes[originBytes...], as: UTF8.self)
        return (try? WebURL(text)) ?? self
    }

    /// The path of a request for the URL, without the query: it begins with a slash, or is empty.
    public var path: Substring {
        let rest = description.utf8.dropFirst(originBytes)
        return Substring(rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
    }

    /// The path of `resolvedTarget`.
    package var resolvedPath: String {
        String(Substring(resolvedTarget.utf8.prefix { $0 != UInt8(ascii: "?") }))
    }

    /// The request target after a browser has resolved the path's dot segments (RFC 3986 §5.2.4),
    /// which it does before it sends the request.
    package var resolvedTarget: String {
        let target = Array(requestTarget.utf8)
        let end = target.firstIndex(of: UInt8(ascii: "?")) ?? target.count
        guard let path = PathDecoding.resolvingDotSegments(Array(target[..<end])) else {
            return requestTarget
        }
        return String(decoding: path + target[end...], as: UTF8.self)
    }

    /// The target of a client's request for the URL (RFC 9112 §3.2.1): the path, which is at least
    /// a slash, and the query. A fragment is never sent (RFC 9110 §7.1).
    public var requestTarget: String {
        let rest = description.utf8.dropFirst(originBytes).prefix { $0 != UInt8(ascii: "#") }
        return (rest.first == UInt8(ascii: "/") ? "" : "/") + String(Substring(rest))
    }

    /// The URL of a text that people can read, as programs send it: the host in punycode after
    /// `xn--`, other characters beyond RFC 3986 as their UTF-8 bytes. Nil if that is no URL.
    public static func escaped(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard let scheme = schemes.first(where: { hasPrefix(bytes, $0.prefix) }) else { return nil }
        let start = scheme.prefix.utf8.count
        let end = bytes[start...].firstIndex(where: \.endsAuthority) ?? bytes.count
        let authority = bytes[start..<end]
        let colon = authority.firstIndex(of: UInt8(ascii: ":")) ?? end
        let written = String(decoding: authority[..<colon], as: UTF8.self)
        guard let host = HostName(anyScript: written) else { return nil }
        var result = Array(scheme.prefix.utf8) + host.description.utf8 + authority[colon...]
        for index in bytes.indices[end...] {
            let byte = bytes[index]
            let isEscape =
                byte == UInt8(ascii: "%") && index + 2 < bytes.count
                && bytes[index + 1].hexDigitValue != nil && bytes[index + 2].hexDigitValue != nil
            if isEscape || byte.isURLCharacter && byte != UInt8(ascii: "%") {
                result.append(byte)
            } else {
                result.append(percentEncoded: byte)
            }
        }
        let url = String(decoding: result, as: UTF8.self)
        return (try? WebURL(url)) == nil ? nil : url
    }

    private static let schemes: [(prefix: String, isSecure: Bool)] = [
        ("https://", true), ("http://", false),
    ]

    private static func port(_ text: String) throws(WebURLError) -> UInt16 {
        guard text.utf8.allSatisfy(\.isDigit), let port = UInt16(text), port > 0 else {
            throw .port(text)
        }
        return port
    }
}

/// The reason why a text is not a URL that a visitor can be sent to.
public enum WebURLError: Error, Hashable, Sendable, CustomStringConvertible {
    case scheme(String)
    case credentials
    case host(String)
    case port(String)
    /// The byte at this offset is not allowed in a URL.
    case character(String, offset: Int)

    public var description: String {
        switch self {
        case .scheme: "a URL must begin with https:// or http://"
        case .credentials: "a URL cannot contain a user name or a password"
        case .host(let text) where text.isEmpty: "the URL has no host"
        case .host(let text) where !text.utf8.allSatisfy({ $0 < 0x80 }):
            "the URL's host is not in ASCII"
        case .host: "the URL's host is not a host name"
        case .port: "the URL's port must be 1 to 65535"
        case .character(_, let offset):
            "the URL's character at byte \(offset + 1) must be percent-encoded"
        }
    }
}

private func hasPrefix(_ bytes: [UInt8], _ prefix: String) -> Bool {
    bytes.count >= prefix.utf8.count
        && zip(bytes, prefix.utf8).allSatisfy { $0 == $1 || ($0.isLetter && $0 | 0x20 == $1) }
}
