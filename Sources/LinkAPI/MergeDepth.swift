/// The depth to which a line of an import is merged with the link before it replaces. A value that replaces may
/// have nulls: there they are values, and remove nothing.
struct MergeDepth: Sendable {
    /// Whether the value replaces that before.
    var replaces = false
    /// Whether members that are not in `members` replace those before.
    var replacesOthers = false
    /// Whether an object within the value stays, empty, when it has lost its last member (RFC 7396 §2).
    var keepsEmpty = false
    /// By the bytes of their names.
    private var members = [[UInt8]: MergeDepth]()

    /// For a change: what is in these members is not ours.
    static let change = objects(MergeDepth(keepsEmpty: true))

    static let replacing = MergeDepth(replaces: true)

    /// For a line of JSON: what the values of these members mean, only the app and search engines know.
    static let line = objects(.replacing)

    init(replaces: Bool = false, keepsEmpty: Bool = false) {
        (self.replaces, self.keepsEmpty) = (replaces, keepsEmpty)
    }

    /// - Parameter depth: of the objects that only the app and search engines know.
    private static func objects(_ depth: MergeDepth) -> MergeDepth {
        var (app, page, all) = (MergeDepth(), MergeDepth(), MergeDepth())
        app.set(depth, at: "data")
        page.set(depth, at: "schema")
        all.set(app, at: "app")
        all.set(page, at: "page")
        return all
    }

    mutating func set(_ depth: MergeDepth, at key: String) { members[Array(key.utf8)] = depth }

    func below(_ key: String) -> MergeDepth {
        members[Array(key.utf8)]
            ?? (replacesOthers ? .replacing : MergeDepth(keepsEmpty: keepsEmpty))
    }
}
