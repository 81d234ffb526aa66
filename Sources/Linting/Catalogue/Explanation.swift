import Diagnostics

extension CatalogueRule {
    /// What `--explain` prints.
    package var explanation: String {
        let head = [code, "\(severity)"].compactMap(\.self).joined(separator: ", ")
        return """
            \(name) (\(head)): \(title)

            \(wrong)

            How it shows: \(shows)
            The fix:      \(fix)
            Source:       \(source) (\(evidence.rawValue))

            """
    }

    /// What SARIF viewers show, and the second half of the documentation's paragraph.
    package var help: String { "How it shows: \(shows) The fix: \(fix)" }
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

        What `waymark lint` finds, rule by rule; `waymark lint --explain RULE` prints the same.
        `Tests/LintingTests` writes this page from the table in `Sources/Linting/Catalogue`.

        An *error* cannot work, or opens more than it says. A *warning* is legal and almost surely
        not meant. A *note* is worth a look. Some findings of a rule are milder than the rule. What
        is *reported once* rests on one person's observation of Apple's systems.

        Of findings with one cause up to three are shown. More of them become one finding, which
        says how many others there are and in which lines.


        """
}

extension CatalogueRule {
    fileprivate var section: String {
        let facts = [code, "\(severity)", evidence.word].compactMap(\.self)
            .joined(separator: " · ")
        return """
            ### `\(name)`

            *\(facts)*. **\(title).** \(wrong)

            - How it shows: \(shows)
            - The fix: \(fix)
            - Source: \(source)

            """
    }
}
