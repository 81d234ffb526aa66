private import Diagnostics
private import URISyntax

// What a site has below `/.well-known/` besides association files.

extension Shape {
    static let wellKnownKeys: [Key] = [
        Key(
            "webauthn", .list(of: .text(.origin), canBeEmpty: true), areUnique: true,
            "Origins that may use the passkeys of these hosts, besides the hosts themselves: "
                + "/.well-known/webauthn. An empty list for none."),
        Key(
            "passkey-endpoints", .object(passkeyEndpoints),
            "Where password managers lead people to create and manage passkeys: "
                + "/.well-known/passkey-endpoints."),
        Key(
            "change-password", .text(.secureURL),
            "The page on which people change their passwords, to which "
                + "/.well-known/change-password redirects."),
    ]

    static let passkeyEndpoints = Shape(
        "passkeyEndpoints", canBeEmpty: true,
        [
            Key("enroll", .text(.secureURL), "The page on which people create a passkey."),
            Key("manage", .text(.secureURL), "The page on which people manage their passkeys."),
            Key(
                "prf-usage-details", .text(.secureURL),
                "The page that says what passkeys encrypt here (the extension `prf`)."),
        ])

    static let harmonyApp = Shape(
        "harmonyApp",
        [
            Key(
                "id", .text(.harmonyIdentifier), required: true,
                "The app's App ID in AppGallery Connect.")
        ])
}

extension Format {
    /// A scheme, a host and mostly no port (RFC 6454).
    static let origin = Format(
        "an origin", pattern: "^\(SchemaPattern.origin)$"
    ) { text throws(Fault) in
        let url: WebURL
        do throws(Fault) {
            url = try secure(readURL(text, as: text), text)
        } catch {
            guard startsWithHost(text) else { throw error }
            let host = String(Substring(text.utf8.prefix { !"/?#".utf8.contains($0) }))
            throw Fault(
                rule: error.rule, message: error.message,
                advice: "write \(quoted("https://\(host)"))")
        }
        guard url.originBytes == url.description.utf8.count else {
            let origin = String(Substring(url.description.utf8.prefix(url.originBytes)))
            throw Fault(
                rule: .url, message: "\(quoted(text)) is more than an origin",
                advice: "write \(origin)")
        }
        return .url(url)
    }

    static let secureURL = Format(
        "an https URL", pattern: "^\(SchemaPattern.url(scheme: "[Hh][Tt][Tt][Pp][Ss]"))$"
    ) { text throws(Fault) in .url(try secure(readURL(text, as: text), text)) }

    private static func secure(_ url: WebURL, _ text: String) throws(Fault) -> WebURL {
        guard url.isSecure else {
            throw Fault(
                rule: .url, message: "\(quoted(text)) is not https", advice: "write https://")
        }
        return url
    }

    static let harmonyIdentifier = Format(
        "an App ID of AppGallery Connect", pattern: "^[A-Za-z0-9._-]{1,64}$",
        alsoKnownAs: ["number"]
    ) { text in
        let bytes = text.utf8
        guard (1...64).contains(bytes.count),
            bytes.allSatisfy({ $0.isLetter || $0.isDigit || "._-".utf8.contains($0) })
        else {
            return Fault(
                rule: .wrongValue,
                message: "\(quoted(text)) is not an App ID of AppGallery Connect",
                advice: "copy the App ID from AppGallery Connect › App information")
        }
        return nil
    }
}
