import Associations
import ClientAddress
import Diagnostics
import URISyntax

/// What a configuration says, and where: texts, lists and mappings, of which nothing is
/// understood until `ShapeCheck` has parsed it. A scalar is its text, so `no`, `12:30` and `0123`
/// stay what was written.
struct Value {
    var content: Content
    let position: SourcePosition
    /// Of a text: whether it was written without quotes.
    var isPlain = false

    enum Content {
        case text(String, Parsed = .text)
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
        var value: Value
    }
}

extension Value {
    /// The entry's value, or nil where it is missing or this is not a mapping.
    subscript(key: String) -> Value? { entry(key)?.value }

    func entry(_ key: String) -> Entry? { entries.first { $0.key == key } }

    var entries: [Entry] { if case .mapping(let entries) = content { entries } else { [] } }

    var text: String? { if case .text(let text, _) = content { text } else { nil } }

    var isEmptyList: Bool { if case .list(let items) = content { items.isEmpty } else { false } }

    /// A list's items, to be put back when they were changed: what is in two places is copied.
    mutating func takeItems() -> [Value] {
        guard case .list(let items) = content else { return [] }
        content = .unset
        return items
    }

    /// The same of a mapping's entries.
    mutating func takeEntries() -> [Entry] {
        guard case .mapping(let entries) = content else { return [] }
        content = .unset
        return entries
    }

    /// A list's items; what may be written as one or a list of several is a list of one.
    var items: [Value] { if case .list(let items) = content { items } else { [self] } }

    var isMapping: Bool { if case .mapping = content { true } else { false } }
}

/// What a text was parsed as; nil where it is none, or is not right.
extension Value {
    private var parsed: Parsed? { if case .text(_, let parsed) = content { parsed } else { nil } }

    var flag: Bool? { if case .flag(let flag) = parsed { flag } else { nil } }
    var number: Int? { if case .number(let number) = parsed { number } else { nil } }
    var appIdentifier: AppIdentifier? {
        if case .appIdentifier(let id) = parsed { id } else { nil }
    }
    var package: AndroidPackage? {
        if case .androidPackage(let name) = parsed { name } else { nil }
    }
    var fingerprint: CertificateFingerprint? {
        if case .fingerprint(let print) = parsed { print } else { nil }
    }
    var host: HostName? { if case .host(let host) = parsed { host } else { nil } }
    var url: WebURL? { if case .url(let url) = parsed { url } else { nil } }
    var template: URLTemplate? {
        if case .template(let template) = parsed { template } else { nil }
    }
    var addressBlocks: [AddressBlock] {
        if case .addressBlocks(let blocks) = parsed { blocks } else { [] }
    }
    var language: String? { if case .language(let tag) = parsed { tag } else { nil } }
    var outcome: Expectation.Outcome? { if case .outcome(let out) = parsed { out } else { nil } }

    /// A key's `true` or `false`; nil where it is missing.
    func flag(_ key: String) -> Bool? { self[key]?.flag }
}
