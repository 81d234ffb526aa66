package import Associations
package import Diagnostics

/// The result for one app, in words.
package struct AppAnswer {
    package let app: String
    package let outcome: LinkOutcome
    package let rule: RulePosition?
    package let reason: String
    package let earlier: [RuleStep]
    /// Whether the manifest of an Android app decides, which is not known here.
    package internal(set) var isManifest = false

    /// Whether it is known that the link opens the app.
    package var opens: Bool { outcome == .open && !isManifest }
}

extension AppAnswer {
    /// The result if an app's own browser follows the link.
    package func kept(byBrowserOf browser: String) -> AppAnswer {
        guard outcome == .open else { return self }
        let elsewhere = isManifest ? "it depends on the app's manifest" : "the link opens the app"
        return AppAnswer(
            app: app, outcome: .none, rule: rule,
            reason: "\(browser)'s own browser does not open apps; elsewhere \(elsewhere) because "
                + reason, earlier: earlier)
    }

    /// Scripts rely on this shape: members can be added, but are never renamed.
    package func json(isVerbose: Bool) -> JSONText {
        var members: [(key: String, value: JSONText)] = [
            ("id", .string(app)), ("verdict", .string(isManifest ? "manifest" : outcome.rawValue)),
            ("rule", .orNull(rule?.pointer)),
            ("line", .orNull(rule?.line)), ("reason", .string(reason)),
        ]
        if isVerbose {
            members.append(
                (
                    "earlier",
                    .array(
                        earlier.map { step in
                            .object([
                                ("rule", .string(step.position.pointer)),
                                ("line", .number(step.position.line)),
                                ("reason", .string(step.description)),
                            ])
                        })
                ))
        }
        return .object(members)
    }

    /// The result as a line for people.
    package var sentence: String {
        isManifest
            ? "depends on the manifest of \(app): \(reason)"
            : outcome == .open
                ? "opens \(app) because \(reason)" : "stays in the browser for \(app): \(reason)"
    }
}
