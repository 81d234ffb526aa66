private import Diagnostics
private import URISyntax

// Response header fields (RFC 9110 §5), and those that a configuration cannot set.

extension Format {
    static let fieldName = Format(
        "the name of a response header field",
        pattern: "^(?!(\(SchemaPattern.anyCase(reservedFields.keys.sorted())))$)"
            + "[A-Za-z0-9][A-Za-z0-9-]{0,63}$"
    ) { text in
        if let fault = nameFault(text) { return fault }
        guard let reason = reservedFields[text.lowercased()] else { return nil }
        return Fault(
            rule: .headerField, message: "\(text) cannot be set: \(reason.fact)",
            advice: reason.advice)
    }

    /// A request field that a proxy adds. Those that clients and proxies send for other purposes name nobody.
    static let identityField = requestField("person", such: "X-Forwarded-User")

    /// The same for a country.
    static let countryField = requestField("country", such: "CF-IPCountry")

    private static func requestField(_ subject: String, such example: String) -> Format {
        Format(
            "the name of a request header field",
            pattern: "^(?!(\(SchemaPattern.anyCase(otherFields))|[sS][eE][cC]-.*)$)"
                + "[A-Za-z][A-Za-z0-9-]{0,63}$"
        ) { text in
            if let fault = nameFault(text) { return fault }
            let name = text.lowercased()
            let advice = "write the field that the proxy adds, such as \(example)"
            guard text.utf8.first?.isLetter == true else {
                return Fault(
                    rule: .headerField, message: "\(quoted(text)) does not begin with a letter",
                    advice: advice)
            }
            guard otherFields.contains(name) || name.utf8.starts(with: "sec-".utf8) else {
                return nil
            }
            return Fault(
                rule: .headerField,
                message: "\(text) names no \(subject): it is for something else", advice: advice)
        }
    }

    private static let otherFields = [
        "accept", "accept-encoding", "accept-language", "authorization", "connection",
        "content-length", "content-type", "cookie", "forwarded", "host", "origin", "referer",
        "user-agent", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto",
        "x-request-id",
    ]

    private static func nameFault(_ text: String) -> Fault? {
        let bytes = text.utf8
        guard bytes.count <= ConfigurationLimits.nameBytesMax, !bytes.isEmpty,
            bytes.first != UInt8(ascii: "-"),
            bytes.allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") })
        else {
            return Fault(
                rule: .headerField, message: "\(quoted(text)) is not the name of a header field",
                advice: "a name has letters, digits and hyphens, up to "
                    + "\(ConfigurationLimits.nameBytesMax) of them")
        }
        return nil
    }

    static let fieldValue = Format(
        "the value of a header field",
        pattern: "^\(SchemaPattern.noVariable)[!-~]([ -~]*[!-~])?$",
        alsoKnownAs: ["number", "boolean"]
    ) { text in
        let bytes = text.utf8
        let ends: [UInt8] = [bytes.first, bytes.last].compactMap(\.self)
        guard !ends.contains(0x20), !ends.contains(0x09) else {
            return Fault(
                rule: .headerField,
                message: "\(quoted(text)) begins or ends with white space, which is no part of a "
                    + "field's value (RFC 9110 §5.5)", advice: "remove it")
        }
        guard !bytes.contains(where: { $0 >= 0x80 }) else {
            return Fault(
                rule: .headerField,
                message: "\(quoted(text)) contains letters beyond ASCII, which clients read "
                    + "differently (RFC 9110 §5.5)", advice: "write it in ASCII")
        }
        return nil
    }
}

/// The reason why a field cannot be set, and the advice.
private struct Reservation: Sendable {
    let fact: String
    let advice: String?
}

/// By the names in lower case.
private let reservedFields: [String: Reservation] = {
    let groups: [(names: [String], fact: String, advice: String?)] = [
        (
            [
                "connection", "keep-alive", "proxy-connection", "te", "trailer",
                "transfer-encoding", "upgrade", "content-length",
            ], "it frames the message, so the origin sends it", "remove it"
        ),
        (
            [
                "accept-ranges", "content-encoding", "content-range", "date", "etag",
                "last-modified",
            ],
            "the origin derives it from what it sends", "remove it"
        ),
        (["age"], "only caches send it", "remove it, or set Cache-Control"),
        (
            ["content-type"], "it follows from the file's extension",
            "give the file the extension of its type"
        ),
        (
            ["content-language"], "the origin derives it from the page's language",
            "remove it, or set `site.languages`"
        ),
        (
            ["vary"],
            "the origin knows what a response depends on, and a cache that does not "
                + "would send it to others", "remove it"
        ),
        (
            ["location", "refresh"],
            "it would lead people elsewhere unseen by `explain` and `diff`",
            "write the URL as `web` of a link"
        ),
        (
            ["set-cookie", "set-cookie2"], "shared caches keep responses for everybody",
            "set cookies with a script of the page"
        ),
        (["strict-transport-security"], "it applies to the whole host", "use the key `hsts`"),
        (
            [
                "allow", "authentication-info", "proxy-authenticate", "proxy-authentication-info",
                "retry-after", "www-authenticate",
            ],
            "it belongs to a status that files and pages do not have", "remove it"
        ),
        (["x-content-type-options"], "it is always sent as nosniff", "remove it"),
    ]
    var fields = [String: Reservation]()
    for group in groups {
        for name in group.names {
            fields[name] = Reservation(fact: group.fact, advice: group.advice)
        }
    }
    return fields
}()
