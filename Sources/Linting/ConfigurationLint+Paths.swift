import Associations
import Diagnostics
import SiteConfiguration

// What systems before iOS 13 are not told by `paths`, or told otherwise.

extension ConfigurationLint {
    mutating func lintPaths(_ environment: Environment) {
        let form = environment.associations.form
        guard form != .modern else { return }
        for publication in environment.publications where publication.app.ios != nil {
            lintPaths(publication, form)
        }
    }

    private mutating func lintPaths(_ publication: Publication, _ form: AssociationForm) {
        let systems = form == .legacy ? "" : "on systems before iOS 13 "
        let stated = publication.links.flatMap { Array(zip($0.components, $0.positions)) }
        let rules = stated.compactMap { component, position in
            component.pathRule.map { (rule: $0, component: component, position: position) }
        }
        var reach = RuleReach(rules.map(\.rule))
        for (component, position) in stated {
            guard let unknown = component.unknownToPaths else { continue }
            report(
                "this rule uses \(unknown), for which `paths` have no word: \(systems)"
                    + (component.exclude ? "it excludes its whole path" : "it opens nothing"),
                position, form)
        }
        for (number, rule) in rules.enumerated()
        where !rule.component.exclude && rule.component.unknownToPaths == nil {
            // Excludes that take more there than they say.
            let exclude = (0..<number).first { earlier in
                rules[earlier].component.exclude && rules[earlier].component.unknownToPaths != nil
                    && reach.takesAll(earlier, of: number)
            }
            guard let exclude else { continue }
            report(
                "\(systems)this rule opens nothing: the exclude in line "
                    + "\(rules[exclude].position.whole.line) takes its whole path there",
                rule.position, form)
        }
    }

    private mutating func report(
        _ message: String, _ position: ComponentPosition, _ form: AssociationForm
    ) {
        add(
            Diagnostic(
                .warning, .pathsDisagree, at: position.whole, message,
                advice: form == .legacy
                    ? "write `association-form: compatible`, or rules of a path alone"
                    : "write `modern` if those systems do not matter, or rules of a path alone"))
    }
}

extension Component {
    /// The rule as `paths` have it; nil where they have no word for it.
    fileprivate var pathRule: RuleText? {
        legacyPattern.map { RuleText(path: $0, exclude: exclude) }
    }
}
