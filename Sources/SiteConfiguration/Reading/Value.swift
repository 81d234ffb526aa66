import Diagnostics

/// What a configuration says, and where: texts, lists and mappings, of which nothing is
/// understood yet. A scalar is its text, so `no`, `12:30` and `0123` stay what was written.
struct Value {
    let content: Content
    let position: SourcePosition
    /// Of a text: whether it was written without quotes.
    var isPlain = false

    enum Content {
        case text(String)
        /// A key whose value was left out, or is `null` or `~`.
        case unset
        /// What was reported when the tree was made; nobody says more about it.
        case refused
        case list([Value])
        case mapping([Entry])
    }

    struct Entry {
        let key: String
        let position: SourcePosition
        let value: Value
    }
}

extension Value {
    /// The entry's value, or nil where it is missing or this is not a mapping.
    subscript(key: String) -> Value? { entry(key)?.value }

    func entry(_ key: String) -> Entry? { entries.first { $0.key == key } }

    var entries: [Entry] { if case .mapping(let entries) = content { entries } else { [] } }

    var text: String? { if case .text(let text) = content { text } else { nil } }

    var isEmptyList: Bool { if case .list(let items) = content { items.isEmpty } else { false } }

    /// A list's items; what may be written as one or a list of several is a list of one.
    var items: [Value] { if case .list(let items) = content { items } else { [self] } }

    var isMapping: Bool { if case .mapping = content { true } else { false } }
}

extension Value {
    /// A key's `true` or `false`; nil where it is missing.
    func flag(_ key: String) -> Bool? { self[key]?.text.map { $0 == "true" } }
}
