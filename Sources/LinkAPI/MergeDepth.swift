/// The depth to which a line of an import is merged with the link before it replaces. A value that replaces may
/// have nulls: there they are values, and remove nothing.
struct MergeDepth: Sendable {
    /// Whether the value replaces that before.
    var replaces = false
    /// Whether members that are not in `members` replace those before.
    var replacesOthers = false
    /// Whether an object within the value stays, empty, when it has lost its last member (RFC 7396 §2).
    var keepsEmpty = false
    var members = [String: MergeDepth]()

    /// For a change: what is in these members is not ours.
    static let change = MergeDepth(members: [
        "app": MergeDepth(members: ["data": MergeDepth(keepsEmpty: true)]),
        "page": MergeDepth(members: ["schema": MergeDepth(keepsEmpty: true)]),
    ])

    static let replacing = MergeDepth(replaces: true)

    /// For a line of JSON: what the values of these members mean, only the app and search engines know.
    static let line = MergeDepth(members: [
        "app": MergeDepth(members: ["data": .replacing]),
        "page": MergeDepth(members: ["schema": .replacing]),
    ])

    func below(_ key: String) -> MergeDepth {
        members[key] ?? (replacesOthers ? .replacing : MergeDepth(keepsEmpty: keepsEmpty))
    }
}
