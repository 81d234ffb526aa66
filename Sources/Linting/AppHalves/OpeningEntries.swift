import Associations

/// The entries of one `apple-app-site-association`, and which of them open no link: a list of rules can exclude them all.
struct OpeningEntries: Sendable {
    /// The effect of a list of rules.
    enum Answer: Sendable, Equatable {
        /// A link opens the app, or it is in no entry.
        case opens
        /// No link does, with the reason, a clause of its own.
        case closed(String)
        /// Too many lists were searched before.
        case notSearched
    }

    private let rules: LinkRuleSet
    /// The numbers of the apps by their identifiers.
    private let numbers: [[UInt8]: Int]
    /// The answers so far, because a file can have thousands of apps, of which few are asked for.
    private var known = [Int: Answer]()
    private var searchesLeft = OpeningEntries.searchesMax

    init(_ rules: LinkRuleSet) {
        self.rules = rules
        numbers = Dictionary(
            rules.apps.enumerated().map { (Array($1.appID.utf8), $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The answer for an app that has one of several identifiers: it is closed if the entries of all are.
    mutating func answer(forOneOf identifiers: [String]) -> Answer {
        var whole: Answer?
        for identifier in identifiers {
            let answer = answer(for: identifier)
            if answer == .opens { return .opens }
            if whole == nil || answer == .notSearched { whole = answer }
        }
        return whole ?? .opens
    }

    private mutating func answer(for identifier: String) -> Answer {
        guard let number = numbers[Array(identifier.utf8)] else { return .opens }
        let app = rules.apps[number]
        // The apps of an entry have the same rules.
        let key = app.entry ?? -1 - number
        if let answer = known[key] { return answer }
        let answer = search(app.rules)
        known[key] = answer
        return answer
    }

    /// - Parameter list: nil if every link opens the app.
    private mutating func search(_ list: [RuleText]?) -> Answer {
        guard let list else { return .opens }
        guard !list.isEmpty else { return .closed("its list of rules is empty") }
        guard list.contains(where: { !$0.exclude }) else { return .closed("every rule excludes") }
        // Most lists open the links of their first rule that does not exclude.
        guard list[0].exclude else { return .opens }
        guard searchesLeft > 0 else { return .notSearched }
        searchesLeft -= 1
        var reach = RuleReach(list, variables: rules.variables)
        let isOpen = list.indices.contains { number in
            !list[number].exclude && reach.deciders(of: number).isEmpty
        }
        return isOpen
            ? .opens : .closed("its rules exclude all that they open, before they open it")
    }

    /// The lists of rules of one site that are searched for the apps of one run.
    static let searchesMax = 256
}
