private import URISyntax

/// A URL that is allowed in a page: with an allowed scheme, and only characters of RFC 3986. Other
/// characters are percent-encoded, so that all readers see the same URL.
package struct PageURL: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// Scheme, host and port; nil for a path of this host.
    package let origin: String?

    /// - Parameters:
    ///   - scheme: an app's own scheme, allowed besides `https` and `http`.
    ///   - allowsPath: whether a path of this host is allowed: `/` and the rest, but not `//`.
    /// - Returns: nil for any other text. A host can have letters, digits, hyphens, full stops, a
    ///   port, and the brackets of an IPv6 address.
    package init?(_ text: String, orScheme scheme: String? = nil, allowsPath: Bool = false) {
        let bytes = Array(text.utf8)
        var rest = 0
        if let web = ["https://", "http://"].first(where: { Self.begins(bytes, with: $0) }) {
            let end =
                bytes.dropFirst(web.utf8.count).firstIndex(where: \.endsAuthority) ?? bytes.count
            let host = bytes[web.utf8.count..<end]
            guard !host.isEmpty, host.allSatisfy(Self.isHostByte) else { return nil }
            rest = end
            origin = String(decoding: bytes[..<end], as: UTF8.self)
        } else if let scheme, !scheme.isEmpty, Self.begins(bytes, with: scheme + ":") {
            origin = nil
        } else if allowsPath, bytes.first == UInt8(ascii: "/"),
            bytes.count == 1
                || bytes[1] != UInt8(ascii: "/") && bytes[1] != UInt8(ascii: "\\")
        {
            origin = nil
        } else {
            return nil
        }
        guard !bytes[rest...].allSatisfy(\.isURLCharacter) else {
            description = text
            return
        }
        description =
            String(decoding: bytes[..<rest], as: UTF8.self)
            + bytes[rest...].percentEncoded(unless: \.isURLCharacter)
    }

    /// The same for an optional text.
    init?(_ text: String?) {
        guard let text, let url = PageURL(text) else { return nil }
        self = url
    }

    /// The URL as people read it.
    var withoutScheme: String {
        guard origin != nil else { return description }
        return String(Substring(description.utf8.dropFirst(isSecure ? 8 : 7)))
    }

    /// The host and the port; nil for a path of this host.
    var host: String? { origin.map { String(Substring($0.utf8.dropFirst(isSecure ? 8 : 7))) } }

    /// Whether it is https.
    var isSecure: Bool { origin.map { Self.begins(Array($0.utf8), with: "https:") } ?? false }

    /// The text with every byte escaped that is not unreserved, for use within a part of a URL.
    static func escaped(_ text: String) -> String {
        text.utf8.percentEncoded(unless: \.isUnreserved)
    }

    private static func begins(_ bytes: [UInt8], with prefix: String) -> Bool {
        bytes.count >= prefix.utf8.count
            && zip(bytes, prefix.utf8).allSatisfy { $0.foldedToLowerCase == $1 }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "["),
            UInt8(ascii: "]"):
            true
        default: byte.isLetter || byte.isDigit
        }
    }
}
