/// How far a line of an import is merged with the link before it replaces. A value that replaces may
/// have nulls: there they are values, and remove nothing.
struct MergeDepth: Sendable {
    /// Whether the value replaces that before.
    var replaces = false
    /// Whether members that are not in `members` replace those before.
    var replacesOthers = false
    var members = [String: MergeDepth]()

    static let replacing = MergeDepth(replaces: true)

    /// For a line of JSON: what the values of these members mean, only the app and search engines know.
    static let line = MergeDepth(members: [
        "app": MergeDepth(members: ["data": .replacing]),
        "page": MergeDepth(members: ["schema": .replacing]),
    ])

    func below(_ key: String) -> MergeDepth {
        members[key] ?? (replacesOthers ? .replacing : MergeDepth())
    }
}
