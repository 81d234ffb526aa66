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
        var steps = stepsMax
        // Excludes that take more there than they say.
        var wide = [(pattern: RulePattern, position: SourcePosition)]()
        for link in publication.links {
            for (component, position) in zip(link.components, link.positions) {
                guard let unknown = component.unknownToPaths else {
                    guard !component.exclude, let pattern = component.pathPattern,
                        let exclude = wide.first(where: {
                            $0.pattern.covers(pattern, steps: &steps)
                        })
                    else { continue }
                    report(
                        "\(systems)this rule opens nothing: the exclude in line "
                            + "\(exclude.position.line) takes its whole path there", position, form)
                    continue
                }
                report(
                    "this rule uses \(unknown), for which `paths` have no word: \(systems)"
                        + (component.exclude ? "it excludes its whole path" : "it opens nothing"),
                    position, form)
                if component.exclude, let pattern = component.pathPattern {
                    wide.append((pattern, position.whole))
                }
            }
        }
    }

    private mutating func report(
        _ message: String, _ position: ComponentPosition, _ form: AssociationForm
    ) {
        add(
            Diagnostic(
                .warning, LinkRule.pathsDisagree.rawValue, at: position.whole, message,
                advice: form == .legacy
                    ? "write `association-form: compatible`, or rules of a path alone"
                    : "write `modern` if those systems do not matter, or rules of a path alone"))
    }
}

extension Component {
    /// The rule as `paths` have it.
    fileprivate var pathPattern: RulePattern? {
        legacyPattern.flatMap {
            RulePattern(
                path: $0, query: nil, fragment: nil, exclude: exclude, caseSensitive: true,
                percentEncoded: true)
        }
    }
}
