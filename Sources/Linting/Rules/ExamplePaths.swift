import Associations

// Rules are compared by paths that people would write for them, without query and fragment.

extension RuleMatcher {
    /// The lists whose rules open the app for the path.
    func opens(path: String) -> [Int] {
        (try? LinkURL("https://example.com" + path)).map(opening) ?? []
    }
}

extension RuleReading {
    /// The path that a person would write for the rule; nil for a rule that compares more than the
    /// path.
    var examplePath: String? { query == nil && fragment == nil ? RuleText(self).examplePath : nil }
}
