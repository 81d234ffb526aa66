import Diagnostics
import LinkIndex
import URISyntax

// The keys of stored links: in a configuration, and in a request that makes one.

extension Shape {
    static let stored = Shape(
        "stored",
        [
            Key(
                "destinations", .oneOrMore(.text(.destination)), required: true,
                "The hosts to which these links may lead: www.example.com, *.example.com, with "
                    + "the beginning of a path, or store for the app stores."),
            Key(
                "case", .text(.choice("fold", "exact")),
                "Whether letter case distinguishes slugs: fold, it does not (the default), or "
                    + "exact."),
            Key("alphabet", .text(.alphabet), "The characters of generated slugs."),
            Key("length", .text(.slugLength), "The length of generated slugs; 10 by default."),
            Key(
                "firebase", .oneOrMore(.text(.choice("long-links", "debug", "api"))),
                "The parts of Firebase Dynamic Links that go on: long-links, debug, api."),
        ])

    /// The keys of a stored link's details.
    static let storedDetails = Shape(
        "storedDetails", canBeEmpty: true,
        [
            Key("page", .object(page), "The content of the link's page."),
            Key(
                "web", .either([.text(.webAction), .object(platforms)]),
                "What a browser gets: one action, or one for each platform."),
            Key("campaign", .object(campaign), "Campaign parameters."),
            Key(
                "after", .either([.text(.webAction), .object(platforms)]),
                "What a browser gets after `until`."),
            Key("app", .object(storedApp), "What the app gets for the link."),
        ])

    static let storedApp = Shape(
        "appData", canBeEmpty: true,
        [
            Key("path", .text(.text), "The app's own path."),
            Key("data", .json, "Data for the app, which whoever has the link can read."),
            Key("minVersion", .text(.text), "The first version of the app that knows the path."),
        ])

    /// A link as a request describes it.
    static let storedLink = Shape(
        "newLink", canBeEmpty: true,
        storedDetails.keys + [
            Key("collection", .text(.name), "The collection of the link."),
            Key("slug", .text(.slug), "What the collection's star stands for."),
            Key("destination", .text(.storedURL), "Where browsers are led."),
            Key("tags", .list(of: .text(.tag), canBeEmpty: true), "Words to find the link by."),
            Key("note", .text(.prose), "A remark for colleagues."),
            Key("from", .text(.time), "When browsers get the link for the first time."),
            Key("until", .text(.time), "When the link ends."),
            Key("state", .text(.choice("active", "disabled")), "Whether it is answered."),
            Key("archived", .text(.flag), "Whether lists leave it out."),
            Key("externalId", .text(.externalID), "Another system's name for the link."),
        ])

    /// Another slug of a link.
    static let storedAlias = Shape(
        "newAlias",
        [Key("slug", .text(.slug), required: true, "What the collection's star stands for, too.")])

    /// A token as a request describes it.
    /// - Parameter scopes: what tokens can be for.
    static func storedToken(scopes: [String]) -> Shape {
        let scope = Format(inWords(scopes.map { "`\($0)`" }), choices: scopes)
        return Shape(
            "newToken",
            [
                Key(
                    "name", .text(.tokenName), required: true,
                    "A name by which the audit and lists show it."),
                Key("scopes", .list(of: .text(scope)), required: true, "What it allows."),
                Key(
                    "collections", .list(of: .text(.name)),
                    "The collections that it is for; by default all."),
                Key("expires", .text(.time), "When it expires; by default never."),
            ])
    }

    /// A person as a request describes them.
    /// - Parameter roles: what people can be.
    static func storedPerson(roles: [String]) -> Shape {
        let role = Format(inWords(roles.map { "`\($0)`" }), choices: roles)
        return Shape(
            "newPerson",
            [
                Key(
                    "name", .text(.personName), required: true,
                    "The name by which the audit and the console show them; letter case does not "
                        + "matter."),
                Key(
                    "role", .text(role),
                    "What they may do; by default what they may already, or viewer for somebody new."
                ),
                Key(
                    "collections", .list(of: .text(.name)),
                    "The collections that the role is for; by default those that it is for already, "
                        + "or all."),
                Key(
                    "expires", .text(.time),
                    "When the link expires, at most three days ahead; by default in ten minutes."),
            ])
    }
}

extension Format {
    /// A slug: what a URL needs no escapes for, and nobody mistakes for a file.
    static let slug = Format(
        "a slug", pattern: "^[A-Za-z0-9_~-]([A-Za-z0-9._~-]{0,62}[A-Za-z0-9_~-])?$",
        alsoKnownAs: ["number", "boolean"]
    ) { text in
        let bytes = text.utf8
        guard bytes.count <= Collection.slugBytesMax else {
            return Fault(
                rule: .slugForm,
                message: "the slug has \(bytes.count) bytes, may have \(Collection.slugBytesMax)",
                advice: "choose a shorter one")
        }
        guard Collection.isSlug(Array(bytes)) else {
            return Fault(
                rule: .slugForm, message: "\(quoted(text)) is not a slug",
                advice: "write letters A-Z, digits, -, _ and ~; a full stop only within")
        }
        return nil
    }

    static let tag = limitedText("a tag", bytesMax: 64)
    static let tokenName = limitedText("a name", bytesMax: 64)

    /// A name that is a segment of a path, and that nobody mistakes for another one.
    static let personName = Format(
        "a name", pattern: "^(?![Ll][Oo][Cc][Aa][Ll]$)[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$",
        alsoKnownAs: ["integer"]
    ) { text in
        let bytes = Array(text.utf8)
        let isPlain = bytes.allSatisfy { $0.isLetter || $0.isDigit || "._@+-".utf8.contains($0) }
        let begins = bytes.first.map { $0.isLetter || $0.isDigit } ?? false
        guard isPlain, begins, bytes.count <= 64 else {
            return Fault(
                rule: .wrongValue, message: "\(quoted(text)) is no name of a person",
                advice:
                    "write at most 64 letters A-Z, digits, and ., _, @, + and - within, such as "
                    + "anna or anna@example.com")
        }
        guard text.lowercased() != "local" else {
            return Fault(
                rule: .wrongValue,
                message: "the audit has \"local\" for whoever runs the origin",
                advice: "choose another name")
        }
        return nil
    }

    static let externalID = limitedText(
        "an identifier", bytesMax: LinkDescription.externalIDBytesMax)

    private static func limitedText(_ name: String, bytesMax: Int) -> Format {
        Format(name, alsoKnownAs: ["number", "boolean"]) { text in
            let count = text.utf8.count
            return count <= bytesMax
                ? nil
                : Fault(
                    rule: .wrongValue,
                    message: "\(name) has at most \(bytesMax) bytes, this one \(count)",
                    advice: "choose a shorter one")
        }
    }

    /// A URL to which a stored link leads; it has no placeholders.
    static let storedURL = Format(
        "a URL", pattern: "^\(SchemaPattern.url())$"
    ) { text throws(Fault) in
        guard text.utf8.count <= storedURLBytesMax else {
            throw Fault(
                rule: .destinationForm,
                message: "the URL has \(text.utf8.count) bytes, may have \(storedURLBytesMax)",
                advice: "lead to a shorter one, which your site redirects")
        }
        do throws(Fault) {
            return .url(try readURL(text, as: text))
        } catch {
            throw Fault(
                rule: .destinationForm, message: error.message,
                advice: error.advice
                    ?? (text.contains("://")
                        ? "write it as a browser's address bar copies it"
                        : "write the whole URL: https://www.example.com/spring"))
        }
    }

    private static let storedURLBytesMax = LinkRecord.destinationBytesMax

    /// A rule of `destinations`.
    static let destination = Format(
        "a host, or store",
        pattern: #"^(\*|store|(\#(SchemaPattern.addressV4)(?=/|$)|(\*\.)?"#
            + #"(?!([^/]*\.)?([0-9]+|0[Xx][0-9A-Fa-f]*)(/|$))"# + SchemaPattern.host
            + #")(?!.*/\.+(/|$))(/[!$-)+-;=@-\[\]_a-z~]*)?)$"#
    ) { text throws(Fault) in .destination(try DestinationRule(text)) }

    static let alphabet = Format(
        "characters", pattern: #"^(?!.*(.).*\1)[A-Za-z0-9_-]{10,64}$"#, alsoKnownAs: ["integer"]
    ) { text in
        let bytes = Array(text.utf8)
        let isPlain = bytes.allSatisfy { $0.isLetter || $0.isDigit || "-_".utf8.contains($0) }
        guard isPlain, (10...64).contains(bytes.count), Set(bytes).count == bytes.count else {
            return Fault(
                rule: .wrongValue, message: "\(quoted(text)) is no alphabet of slugs",
                advice: "write 10 to 64 different letters, digits, - and _")
        }
        return nil
    }

    static let slugLength = Format(
        "a length", pattern: "^\(SchemaPattern.numbers(4...64))$", alsoKnownAs: ["integer"],
        integers: 4...64
    ) { text throws(Fault) in
        guard let number = wholeNumber(text, 4...64) else {
            throw Fault(
                rule: .wrongValue,
                message: "\(quoted(text)) is no length of slugs, which is 4 to 64")
        }
        return .number(number)
    }
}

extension DestinationRule {
    /// The path is compared as it is written with the beginning of a URL's, so it must be one that a
    /// URL can have.
    private static func pathFault(_ path: Substring, of text: String) -> Fault? {
        let advice: String
        if let star = path.utf8.firstIndex(of: UInt8(ascii: "*")) {
            advice = "write what the path begins with: \(quoted(String(text[..<star])))"
        } else if mayHaveDotSegment(path.utf8) {
            advice =
                "write the path as a browser's address bar copies it, without . and .. segments"
        } else if path.utf8.contains(where: isInNoPath) {
            advice = "write only the beginning of a path, as a browser's address bar copies it"
        } else {
            return nil
        }
        return Fault(
            rule: .wrongValue, message: "no URL's path begins with \(quoted(String(path)))",
            advice: advice)
    }

    init(_ text: String) throws(Fault) {
        switch text {
        case "store": self = .stores
        case "*": self = .everything
        default:
            if text.contains("://") {
                throw Fault(
                    rule: .hostName, message: "\(quoted(text)) has a scheme",
                    advice: "write only the host, and if you like the beginning of the path")
            }
            let slash = text.utf8.firstIndex(of: UInt8(ascii: "/")) ?? text.endIndex
            let isWildcard = text.hasPrefix("*.")
            let written = String(text[..<slash])
            if let fault = Self.pathFault(text[slash...], of: text) { throw fault }
            let host: HostName
            do throws(HostNameError) {
                host = try HostName(String(written.dropFirst(isWildcard ? 2 : 0)))
            } catch {
                throw Format.fault(
                    error, of: written, port: "links lead only to the default port of a host")
            }
            if let fault = Format.numberFault(host) { throw fault }
            guard !isWildcard || !host.isAddress else {
                throw Fault(
                    rule: .hostName, message: "\(quoted(written)): no host is below an IP address",
                    advice: "write the address alone, or a domain behind `*.`")
            }
            self = .host(host, isWildcard: isWildcard, path: String(text[slash...]))
        }
    }
}

/// Whether no path of a URL has the byte, because browsers escape it or end the path there.
private func isInNoPath(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte >= 0x7F || "?#\\\"<>^`{|}".utf8.contains(byte)
}
