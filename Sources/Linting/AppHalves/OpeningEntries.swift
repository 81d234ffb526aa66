import Associations
private import Synchronization

/// The apps of `apple-app-site-association` that no link opens: a list of rules can exclude them all.
final class OpeningEntries: Sendable {
    /// What a list of rules does.
    enum Answer: Sendable, Equatable {
        /// A link opens the app, or it is in no entry.
        case opens
        /// No link does, with the reason, a clause of its own.
        case closed(String)
        /// Too many lists were searched before.
        case notSearched
    }

    /// The answers so far, because a file can have thousands of apps, of which few are asked for.
    private struct State {
        var known = [Int: Answer]()
        var searchesLeft = OpeningEntries.searchesMax
    }

    private let rules: LinkRuleSet
    /// The numbers of the apps by their identifiers.
    private let numbers: [[UInt8]: Int]
    private let state = Mutex(State())

    init(_ rules: LinkRuleSet) {
        self.rules = rules
        numbers = Dictionary(
            rules.apps.enumerated().map { (Array($1.appID.utf8), $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Whether a link opens an app.
    func answer(for identifier: String) -> Answer {
        guard let number = numbers[Array(identifier.utf8)] else { return .opens }
        let app = rules.apps[number]
        // The apps of an entry have the same rules.
        let key = app.entry ?? -1 - number
        return state.withLock { state in
            if let known = state.known[key] { return known }
            let answer = Self.answer(app.rules, rules.variables, &state.searchesLeft)
            state.known[key] = answer
            return answer
        }
    }

    /// - Parameter rules: nil if every link opens the app.
    private static func answer(
        _ rules: [RuleText]?, _ variables: [SubstitutionVariable], _ searchesLeft: inout Int
    ) -> Answer {
        guard let rules else { return .opens }
        guard !rules.isEmpty else { return .closed("its list of rules is empty") }
        guard rules.contains(where: { !$0.exclude }) else { return .closed("every rule excludes") }
        // Most lists open the links of their first rule that does not exclude.
        guard rules[0].exclude else { return .opens }
        guard searchesLeft > 0 else { return .notSearched }
        searchesLeft -= 1
        var reach = RuleReach(rules, variables: variables)
        let isOpen = rules.indices.contains { number in
            !rules[number].exclude && reach.deciders(of: number).isEmpty
        }
        return isOpen
            ? .opens : .closed("its rules exclude all that they open, before they open it")
    }

    /// The entries whose rules are searched for the apps of one run.
    static let searchesMax = 256
}
