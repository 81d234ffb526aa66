// What an environment says to those who run it.

extension Shape {
    static let log = Shape(
        "log",
        [
            Key(
                "access", .text(.choice("json", "combined", "off")),
                "The form of its lines, or that there are none; json unless said, and combined "
                    + "on a terminal."),
            Key("to", .text(.path), "The file it goes to, or stdout (unless said)."),
            Key(
                "anonymize", .text(.flag),
                "Whether addresses of visitors are cut to their networks, /24 and /48."),
        ])
}
