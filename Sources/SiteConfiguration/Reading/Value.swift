import Associations
import ClientAddress
import Diagnostics
import URISyntax

/// A value of a configuration with its position: a text, a list or a mapping, which has no meaning
/// until `ShapeCheck` has parsed it. A scalar is its text, so `no`, `12:30` and `0123` stay as
/// written.
struct Value {
    var content: Content
    let position: SourcePosition
    /// Whether a text was written without quotes.
    var isPlain = false

    enum Content {
        case text(String, Parsed = .text)
        /// A key with `null`, `~` or nothing as its value.
        case unset
        /// A value that was reported when the tree was made, so it gets no other finding.
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
    /// The entry's value; nil if there is none, or if this is not a mapping.
    subscript(key: String) -> Value? { entry(key)?.value }

    func entry(_ key: String) -> Entry? { entries.first { $0.key == key } }

    var entries: [Entry] { if case .mapping(let entries) = content { entries } else { [] } }

    /// Takes the mapping of a key away; nil, and nothing is taken, if its value is none.
    mutating func removeMapping(_ key: String) -> Value? {
        guard let found = self[key], found.isMapping else { return nil }
        let others = entries.filter { $0.key != key }
        content = .mapping(others)
        return found
    }

    var text: String? { if case .text(let text, _) = content { text } else { nil } }

    var isEmptyList: Bool { if case .list(let items) = content { items.isEmpty } else { false } }

    /// Takes the items of a list, which have to be put back after a change. If two places kept
    /// them, they would be copied.
    mutating func takeItems() -> [Value] {
        guard case .list(let items) = content else { return [] }
        content = .unset
        return items
    }

    /// The same for a mapping's entries.
    mutating func takeEntries() -> [Entry] {
        guard case .mapping(let entries) = content else { return [] }
        content = .unset
        return entries
    }

    /// A list's items. If one value or a list may be written, a single value is a list of one.
    var items: [Value] { if case .list(let items) = content { items } else { [self] } }

    var isMapping: Bool { if case .mapping = content { true } else { false } }
}

/// The parsed value of a text; nil if it is not a text, or not valid.
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
    var hostPattern: HostPattern? {
        if case .hostPattern(let host) = parsed { host } else { nil }
    }
    var host: HostName? { if case .host(let host) = parsed { host } else { nil } }
    var url: WebURL? { if case .url(let url) = parsed { url } else { nil } }
    var template: URLTemplate? {
        switch parsed {
        case .template(let template), .redirect(let template, _): template
        default: nil
        }
    }
    var redirectStatus: RedirectStatus? {
        if case .redirect(_, let status) = parsed { status } else { nil }
    }
    var addressBlocks: [AddressBlock] {
        if case .addressBlocks(let blocks) = parsed { blocks } else { [] }
    }
    var language: String? { if case .language(let tag) = parsed { tag } else { nil } }
    var outcome: Expectation.Outcome? { if case .outcome(let out) = parsed { out } else { nil } }
    var time: Timestamp? { if case .time(let time) = parsed { time } else { nil } }

    var destination: DestinationRule? {
        if case .destination(let rule) = parsed { rule } else { nil }
    }

    /// The `true` or `false` of a key; nil if the key is missing.
    func flag(_ key: String) -> Bool? { self[key]?.flag }
}
