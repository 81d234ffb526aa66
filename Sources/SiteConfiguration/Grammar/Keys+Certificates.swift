import Diagnostics
private import URISyntax

extension Shape {
    /// An entry of `tls`.
    static let tls = Shape(
        "tls", needs: [.anyOf(["certificate", "key"], ["automatic"])],
        [
            Key("certificate", .text(.path), "The chain, a PEM file."),
            Key("key", .text(.path), "Its private key, a PEM file."),
            Key(
                "automatic", .object(automatic),
                "Certificates that Waymark requests and renews by itself, from an authority that "
                    + "speaks ACME."),
        ])

    static let automatic = Shape(
        "automatic",
        account + [
            Key(
                "directory", .text(.authority),
                "The URL of the authority's directory; Let's Encrypt's by default, and staging for "
                    + "its test authority, which no client trusts."),
            Key(
                "otherwise", .oneOrMore(.object(otherwise)), countMax: AutomaticReader.othersMax,
                "The authorities that are asked when this one goes on failing, the preferred one first."
            ),
            Key(
                "hosts", .oneOrMore(.text(.hostPattern)),
                "The hosts that get such certificates; by default all that no other certificate of "
                    + "the site is for. With `dns`, also a wildcard that covers hosts of the site."),
            Key(
                "dns", .either([.text(.choice("persistent")), .object(dns)]),
                "How hosts are proven by records in DNS, which wildcards need: a program that sets "
                    + "and clears them, or persistent for one record that stays."),
        ])

    static let otherwise = Shape(
        "otherwise",
        account + [
            Key(
                "directory", .text(.otherAuthority), required: true,
                "The URL of the authority's directory.")
        ])

    /// The keys of an account with an authority.
    private static let account: [Key] = [
        Key(
            "terms", .text(.choice("agreed")), required: true,
            "That you agree to the authority's terms of service: agreed."),
        Key("email", .text(.email), "Where the authority can reach you."),
        Key(
            "staging", .text(.testAuthority),
            "The URL of the directory of the authority's test authority, with which is rehearsed "
                + "what has failed twice; Let's Encrypt's is known, and off for none."),
        Key(
            "authorities", .text(.path),
            "The certificates that the authority's own one is checked with, a PEM file; the "
                + "system's by default."),
        Key(
            "profile", .text(.text),
            "The profile of the certificates, if the authority has several: shortlived."),
        Key(
            "external-account", .object(externalAccount),
            "An account with the authority outside ACME, which it has given you an identifier "
                + "and a key of."),
    ]

    static let dns = Shape(
        "dns",
        [
            Key(
                "program", .text(.path), required: true,
                "A program that is run as PROGRAM set NAME VALUE, and then as PROGRAM clear NAME "
                    + "VALUE.")
        ])

    static let externalAccount = Shape(
        "externalAccount",
        [
            Key("id", .text(.text), required: true, "Its identifier."),
            Key("key", .text(.path), required: true, "A file with its key, in Base64."),
        ])
}

extension Format {
    static let email = Format(
        "an e-mail address",
        pattern: "^\(SchemaPattern.noVariable)\(SchemaPattern.character(except: "@, "))+"
            + "@\(SchemaPattern.character(except: "@, "))+$"
    ) { text in
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ",") }
        guard parts.count == 2, !parts.contains(where: \.isEmpty), isPlain else {
            return Fault(
                rule: .wrongValue,
                message: "\(quoted(text)) is no e-mail address",
                advice: "write one such as ops@example.com")
        }
        return nil
    }

    private static let secure = SchemaPattern.url(scheme: "[Hh][Tt][Tt][Pp][Ss]")

    static let authority = Format("a directory's URL", pattern: "^(staging|\(secure))$") {
        text throws(Fault) in
        text == "staging" ? .text : try secureURL(text, or: "staging")
    }

    static let otherAuthority = Format("a directory's URL", pattern: "^\(secure)$") {
        text throws(Fault) in try secureURL(text)
    }

    static let testAuthority = Format("a directory's URL", pattern: "^(off|\(secure))$") {
        text throws(Fault) in
        text == "off" ? .text : try secureURL(text, or: "off")
    }

    /// - Parameter word: what can stand there instead of a URL.
    private static func secureURL(_ text: String, or word: String? = nil) throws(Fault) -> Parsed {
        let url: WebURL
        do throws(Fault) {
            url = try readURL(text, as: text)
        } catch {
            var fault = error
            if let word, !text.utf8.contains(UInt8(ascii: ":")), !startsWithHost(text) {
                fault.advice =
                    nearestName(to: text, among: [word]).map(didYouMean)
                    ?? "write the URL of a directory, such as https://acme.example.com/directory, or \(word)"
            }
            throw fault
        }
        guard url.isSecure else {
            throw Fault(
                rule: .url, message: "\(quoted(text)): an authority is only asked over https",
                advice: "write https:// in front of it")
        }
        return .text
    }
}
