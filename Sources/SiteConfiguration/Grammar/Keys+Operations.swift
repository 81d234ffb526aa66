// What an environment says to those who run it.

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
                "The field in which they tell whom they ask for; none by default."),
            Key(
                "protocol", .text(.choice("proxy", "none")),
                "Whether every connection begins with a header of the PROXY protocol (proxy), or "
                    + "none does (the default)."),
        ])

    static let log = Shape(
        "log",
        [
            Key(
                "access", .text(.choice("json", "combined", "off")),
                "The form of its lines, or that there are none; json by default, and combined "
                    + "on a terminal."),
            Key("to", .text(.path), "The file it goes to, or stdout (the default)."),
            Key(
                "anonymize", .text(.flag),
                "Whether addresses of visitors are cut to their networks, /24 and /48."),
        ])
}
