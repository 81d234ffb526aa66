import Diagnostics
private import URISyntax

extension Shape {
    /// The place where people of a link team work.
    static let console = Shape(
        "console",
        [
            Key(
                "host", .text(.host), required: true,
                "The host of the console; never a host of links, nor one of the API."),
            Key(
                "identity-header", .text(.identityField),
                "The request header field in which a trusted proxy names the person who has "
                    + "signed in there, such as X-Forwarded-User."),
            Key(
                "openid", .object(openID),
                "The provider of OpenID Connect at which people sign in."),
        ])

    /// A provider of OpenID Connect.
    static let openID = Shape(
        "openid",
        [
            Key(
                "issuer", .text(.issuer), required: true,
                "The URL of the provider, as it writes it in its configuration."),
            Key(
                "client-id", .text(.text), required: true,
                "The identifier that the provider has given the console."),
            Key(
                "client-secret", .text(.path), required: true,
                "A file with the secret that the provider has given the console."),
            Key(
                "name", .text(.text),
                "The name of the provider on the button; by default the host of the issuer."),
            Key(
                "scopes", .list(of: .text(.scope)), areUnique: true,
                "The scopes to ask for besides openid; by default profile, email and groups, as far "
                    + "as the provider knows them."),
            Key(
                "groups-claim", .text(.text),
                "The claim that has a person's groups; groups by default."),
            Key(
                "roles",
                .names(.group, of: .either([.text(role), .object(groupRole)])), required: true,
                "The roles of groups; of a person's groups, the first that is here decides."),
            Key(
                "authorities", .text(.path),
                "The certificates that the provider's own one is checked with, a PEM file; the "
                    + "system's by default."),
        ])

    private static let role = Format.choice("viewer", "editor", "admin")

    /// The role of a group, for some collections.
    static let groupRole = Shape(
        "groupRole",
        [
            Key("role", .text(role), required: true, "What its people may do."),
            Key(
                "collections", .oneOrMore(.text(.name)), areUnique: true,
                "The collections that the role is for; by default all."),
        ])
}

extension Format {
    static let group = Format("the name of a group", pattern: SchemaPattern.line)

    /// RFC 6749 §3.3.
    static let scope = Format(
        "a scope", pattern: "^\(SchemaPattern.noVariable)[!#-\\[\\]-~]+$",
        alsoKnownAs: ["number", "boolean"]
    ) { text in
        guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != 0x22 && $0 != 0x5C }) else {
            return Fault(
                rule: .wrongValue, message: "\(quoted(text)) is no scope",
                advice: "write a word such as groups")
        }
        return nil
    }

    /// An issuer (OpenID Connect Discovery 1.0 §3), which is compared byte for byte. Of this machine, it may be without TLS,
    /// for a first look.
    static let issuer = Format(
        "an issuer's URL", pattern: "^\(SchemaPattern.issuer)$"
    ) { text throws(Fault) in
        let url = try readURL(text, as: text)
        guard !text.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") })
        else {
            throw Fault(
                rule: .url,
                message: "\(quoted(text)): an issuer has neither a query nor a fragment",
                advice: "write it as the provider does, such as https://id.example.com")
        }
        let isHere = ["localhost", "127.0.0.1"].contains { url.host.description == $0 }
        guard
            text.utf8.starts(with: "https://".utf8)
                || isHere && text.utf8.starts(with: "http://\(url.host)".utf8)
        else {
            throw Fault(
                rule: .url, message: "\(quoted(text)): a provider is only asked over https",
                advice: "write https:// in front of it, in small letters")
        }
        return .url(url)
    }
}
