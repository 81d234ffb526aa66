import Diagnostics

extension CatalogueRule {
    /// The text that `--explain` prints.
    package var explanation: String {
        let head = [code, "\(severity)"].compactMap(\.self).joined(separator: ", ")
        return """
            \(name) (\(head)): \(title)

            \(wrong)

            Effect: \(shows)
            Fix:    \(fix)
            Source: \(source) (\(evidence.rawValue))

            """
    }

    /// The text that SARIF viewers show, and the second half of the documentation's paragraph.
    package var help: String { "Effect: \(shows) Fix: \(fix)" }
}

extension Catalogue {
    /// The content of `docs/lint-rules.md`.
    package static var document: String {
        let sections = groups.map { group in
            "## \(group.title)\n\n" + group.rules.map(\.section).joined(separator: "\n")
        }
        return preamble + sections.joined(separator: "\n")
    }

    private static let preamble = """
        # Rules of lint

        *Reference, generated: `Tests/LintingTests` writes it from the table in `Sources/Linting/Catalogue`.*

        What `waymark lint` finds, rule by rule; `waymark lint --explain RULE` prints the same. The rules of an app's
        half are those of [`waymark app`](app.md).

        An *error* cannot work, or opens more links than it states. A *warning* is legal but almost
        certainly not intended. A *note* may need attention. Some findings are less severe than
        their rule. A rule that is *reported once* is known from one person's observation of Apple's
        systems.

        Up to three findings with the same cause are shown. Further ones are combined into one
        finding with their number and lines.


        """
}

extension CatalogueRule {
    fileprivate var section: String {
        let facts = [code, "\(severity)", evidence.word].compactMap(\.self)
            .joined(separator: " · ")
        return """
            ### `\(name)`

            *\(facts)*. **\(title).** \(wrong)

            - Effect: \(shows)
            - Fix: \(fix)
            - Source: \(source)

            """
    }
}
