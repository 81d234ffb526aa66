package import Diagnostics
package import URISyntax

/// A generated file below `/.well-known/` that is not an association file. Its raw value is its name
/// there.
package enum WellKnownFile: String, CaseIterable, Sendable {
    /// The origins that may use the passkeys of a host (WebAuthn Level 3, "Validating Related
    /// Origins").
    case webauthn
    /// The pages on which passkeys are created and managed (W3C, "A Well-Known URL for Relying Party
    /// Passkey Endpoints").
    case passkeyEndpoints = "passkey-endpoints"
    /// The apps of HarmonyOS that open links (Huawei, "App Linking").
    case appLinking = "applinking.json"

    /// Its URL path.
    package var path: String { "/.well-known/\(rawValue)" }
}

/// The content of a site's files for passkeys, passwords and HarmonyOS.
package struct WellKnownFiles: Hashable, Sendable {
    /// In their order, each once; empty for no file.
    package let relatedOrigins: [RelatedOrigin]
    /// Nil for no file.
    package let passkeyEndpoints: PasskeyEndpoints?
    /// The page on which people change their passwords (W3C, "A Well-Known URL for Changing
    /// Passwords"); nil for no redirect.
    package let changePassword: WebURL?
    /// The identifiers of the published HarmonyOS apps, each once; empty for no file.
    package let harmonyApps: [String]

    package init(
        relatedOrigins: [RelatedOrigin] = [], passkeyEndpoints: PasskeyEndpoints? = nil,
        changePassword: WebURL? = nil, harmonyApps: [String] = []
    ) {
        self.relatedOrigins = relatedOrigins
        self.passkeyEndpoints = passkeyEndpoints
        self.changePassword = changePassword
        self.harmonyApps = harmonyApps
    }

    /// The path that redirects to `changePassword`.
    package static let changePasswordPath = "/.well-known/change-password"

    /// The bytes of a file; nil if the site does not have it.
    package func bytes(of file: WellKnownFile) -> [UInt8]? {
        json(of: file).map { Array(($0.indented + "\n").utf8) }
    }

    private func json(of file: WellKnownFile) -> JSONText? {
        switch file {
        case .webauthn:
            guard !relatedOrigins.isEmpty else { return nil }
            return .object([("origins", .strings(relatedOrigins.map(\.text)))])
        case .passkeyEndpoints: return passkeyEndpoints?.json
        case .appLinking:
            guard !harmonyApps.isEmpty else { return nil }
            let apps = harmonyApps.map { JSONText.object([("appIdentifier", .string($0))]) }
            return .object([("applinking", .object([("apps", .array(apps))]))])
        }
    }
}

/// An origin that may use the passkeys of a site's hosts.
package struct RelatedOrigin: Hashable, Sendable {
    /// As browsers compare it: the host in lower case, without the default port (RFC 6454 §6.2).
    package let text: String
    package let host: HostName
    package let position: SourcePosition

    package init(_ url: WebURL, at position: SourcePosition) {
        let port = url.port.flatMap { $0 == 443 ? nil : ":\($0)" } ?? ""
        (text, host, self.position) = ("https://\(url.host)\(port)", url.host, position)
    }
}

/// The pages that password managers open for passkeys. Each may be missing.
package struct PasskeyEndpoints: Hashable, Sendable {
    package let enroll: WebURL?
    package let manage: WebURL?
    package let prfUsageDetails: WebURL?

    fileprivate var json: JSONText {
        let all = [("enroll", enroll), ("manage", manage), ("prfUsageDetails", prfUsageDetails)]
        return .object(all.compactMap { key, url in url.map { (key, .string($0.description)) } })
    }
}
