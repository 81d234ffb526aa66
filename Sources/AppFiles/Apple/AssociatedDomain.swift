private import Diagnostics
private import URISyntax

/// An entry of `com.apple.developer.associated-domains` (Apple, "Associated Domains Entitlement"):
/// `SERVICE:HOST[?mode=MODE]`.
package struct AssociatedDomain: Hashable, Sendable {
    /// The services that association files have.
    package static let services = [
        "applinks", "webcredentials", "activitycontinuation", "appclips",
    ]

    package let service: String
    /// In lower case, and without the `*.` of a wildcard.
    package let host: String
    /// Whether it is for every subdomain of the host, and not for the host itself.
    package let isWildcard: Bool
    /// Whether only devices in developer mode use it.
    package let isForDevelopers: Bool
    /// Whether only devices that an organization manages use it.
    package let isManaged: Bool
    /// Whether it has a port, which Apple does not document.
    package let hasPort: Bool

    /// The form for people.
    package var pattern: String { isWildcard ? "*.\(host)" : host }

    /// Whether links to a host, or credentials for it, are covered.
    package func covers(_ name: String) -> Bool {
        isWildcard
            ? name.utf8.suffix(host.utf8.count + 1).elementsEqual(".\(host)".utf8)
            : name.isScalarwise(host)
    }

    /// - Throws: what is wrong with it.
    package init(_ text: String) throws(Fault) {
        guard !isBuildVariable(text) else { throw .variable }
        let parts = text.utf8.split(
            separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        let first = String(Substring(parts[0]))
        guard parts.count == 2, let service = Self.services.first(where: first.isScalarwise) else {
            throw .service(first, hasColon: parts.count == 2)
        }
        self.service = service
        var rest = Substring(parts[1])
        guard
            !["http://", "https://"].contains(where: {
                rest.lowercased().utf8.starts(with: $0.utf8)
            })
        else { throw .scheme(isCut: false) }
        // The rest of a URL is a comment in a file of build settings.
        guard !["http:", "https:"].contains(where: rest.lowercased().isScalarwise) else {
            throw .scheme(isCut: true)
        }
        var mode: Substring?
        if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
            mode = rest[rest.utf8.index(after: mark)...]
            rest = rest[..<mark]
        }
        guard !rest.utf8.contains(UInt8(ascii: "/")) else { throw .path }
        let modes = ["mode=developer", "mode=managed", "mode=developer+managed"]
        if let mode, !modes.contains(where: String(mode).isScalarwise) {
            throw .form("\(quoted(mode)) is no mode")
        }
        isForDevelopers = mode.map { $0.utf8.starts(with: "mode=developer".utf8) } ?? false
        isManaged = mode?.utf8.elementsEqual("mode=managed".utf8) == true
        var hasPort = false
        if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")) {
            let port = rest.utf8[colon...].dropFirst()
            guard !port.isEmpty, port.allSatisfy(\.isDigit) else {
                throw .form("its port is no number")
            }
            (hasPort, rest) = (true, rest[..<colon])
        }
        self.hasPort = hasPort
        isWildcard = rest.utf8.starts(with: "*.".utf8)
        if isWildcard { rest = Substring(rest.utf8.dropFirst(2)) }
        guard !rest.utf8.contains(UInt8(ascii: "*")) else {
            throw .form("a star may stand only before a full stop at the beginning")
        }
        guard rest.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw .form("the host must be written in punycode")
        }
        guard let host = try? HostName(String(rest)) else {
            throw .form("\(quoted(rest)) is no host name")
        }
        self.host = host.description
    }

    /// The reason why an entry opens nothing.
    package enum Fault: Error, Hashable, Sendable {
        /// Xcode replaces a part of it, so that its value is not known here.
        case variable
        /// The text before the first colon is no service, or there is no colon.
        case service(String, hasColon: Bool)
        /// - Parameter isCut: whether it has nothing behind the scheme.
        case scheme(isCut: Bool)
        case path
        case form(String)
    }
}

/// Whether Xcode replaces a part of a text when it builds.
package func isBuildVariable(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.indices.dropLast().contains {
        bytes[$0] == UInt8(ascii: "$") && beginsVariable(bytes[$0 + 1])
    }
}

/// Whether a byte behind a dollar sign begins a variable: Xcode replaces `$(A)`, `${A}`, `$[A]` and `$A`.
func beginsVariable(_ byte: UInt8) -> Bool {
    "({[_".utf8.contains(byte) || (0x61...0x7A).contains(byte | 0x20)
}
