// The keys for operators.

extension Shape {
    static let limits = Shape(
        "limits",
        Limit.allCases.map { limit in
            Key(
                limit.rawValue, .text(.limit(limit)),
                limit.documentation + " \(inDigits(limit.usual)) by default.")
        })

    static let proxies = Shape(
        "proxies",
        [
            Key(
                "trusted", .oneOrMore(.text(.addressBlock)), required: true,
                "The proxies' addresses: single ones, blocks such as 10.0.0.0/8, or private."),
            Key(
                "header", .text(.choice("x-forwarded-for", "forwarded", "none")),
                "The field that holds the client's address; none by default."),
            Key(
                "protocol", .text(.choice("proxy", "none")),
                "Whether every connection begins with a PROXY protocol header (proxy), or none "
                    + "does (the default)."),
        ])

    static let countries = Shape(
        "countries", needs: [.anyOf(["header"], ["file"])],
        [
            Key(
                "header", .text(.countryField),
                "The request header field in which a trusted proxy names the visitor's country, such "
                    + "as CF-IPCountry."),
            Key(
                "file", .text(.path),
                "A file in the format MaxMind DB with the countries of addresses, such as "
                    + "GeoLite2-Country.mmdb."),
            Key(
                "attribution", .text(.attribution),
                "The line that the licence of the countries asks for, which the console shows below them."
            ),
        ])

    static let log = Shape(
        "log",
        [
            Key(
                "access", .text(.choice("json", "combined", "off")),
                "The format of its lines, or off; json by default, and combined on a terminal."),
            Key("to", .text(.path), "The file that it is written to, or stdout (the default)."),
            Key(
                "anonymize", .text(.flag),
                "Whether visitors' addresses are shortened to their networks, /24 and /48."),
            Key(
                "utm",
                .list(
                    of: .text(
                        .choice(
                            "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content",
                            "utm_id"))),
                "The campaign parameters of requests that its lines have; none by default."),
        ])
}
