import Diagnostics

/// The stars in every pattern of a link, whose texts placeholders mean.
struct Stars {
    var count = 0
    /// The pattern with the fewest.
    var pattern: String?
    /// That pattern as Waymark writes it, if it is in another program's syntax and has too few.
    var translated: String? {
        pattern.flatMap(translatedPattern).flatMap { Self.number(in: $0) > count ? $0 : nil }
    }

    /// - Parameter paths: of all patterns.
    init(_ paths: [String?]) {
        for path in paths {
            let number = Self.number(in: path ?? "")
            if pattern == nil || number < count { (count, pattern) = (number, path ?? "") }
        }
    }

    private static func number(in path: String) -> Int {
        path.utf8.count { $0 == UInt8(ascii: "*") }
    }

    /// The URL of an action, whose placeholders need as many stars in each pattern.
    func template(_ value: Value, into findings: inout Findings) -> URLTemplate? {
        guard let template = value.template else { return nil }
        if OtherPlaceholder.mayBe(in: template) {
            findings.warn(
                of: OtherPlaceholder(in: template.text, pattern: pattern), at: value.position)
        }
        if template.starsNeeded > count {
            findings.error(
                .placeholder, at: value.position,
                "{\(template.starsNeeded)} needs as many stars in each pattern of `match`, "
                    + "one has \(count)",
                advice: translated.map { "write the pattern as \(quoted($0))" }
                    ?? (count == 0
                        ? "remove the placeholder"
                        : "write {1}\(count > 1 ? " to {\(count)}" : "")")
                    + ", or add a * to the pattern")
        }
        return template
    }
}

extension Findings {
    mutating func warn(of placeholder: OtherPlaceholder?, at position: SourcePosition) {
        guard let placeholder else { return }
        warning(
            .placeholder, at: position, "\(quoted(placeholder.text)) in a URL is ordinary text",
            advice: placeholder.advice)
    }
}
