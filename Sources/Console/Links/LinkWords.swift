internal import JSONSyntax
private import Markup
private import URISyntax

/// A link in words, of its JSON.
struct LinkWords {
    let link: JSONValue
    /// Seconds since 1970.
    let now: String

    init(_ link: JSONValue, now: Int) {
        self.link = link
        self.now = Timestamp(seconds: now).description
    }

    var id: String { link["id"]?.text ?? "" }
    var slug: String { link["slug"]?.text ?? "" }
    /// Nil for none, and for one whose characters are all invisible.
    var title: String? { link["page"]?["title"]?.text.flatMap { Self.isSeen($0) ? $0 : nil } }
    /// The name by which people know it.
    var name: String { title ?? slug }
    /// The name in a list, which shows two lines of it.
    var listedName: String { name.shortened(to: 120) }
    var url: String { link["url"]?.text ?? slug }
    var destination: String? { link["destination"]?.text }
    var tags: [String] { (link["tags"]?.elements ?? []).compactMap(\.text) }
    var isArchived: Bool { link["archived"]?.boolean == true }
    var isDisabled: Bool { link["state"]?.text == "disabled" }

    /// Whether a text has a character with a shape.
    private static func isSeen(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            let own = scalar.properties
            guard !own.isWhitespace, !own.isDefaultIgnorableCodePoint else { return false }
            switch own.generalCategory {
            case .control, .format, .surrogate, .unassigned, .nonspacingMark, .enclosingMark:
                return false
            // The blank pattern of Braille.
            default: return scalar.value != 0x2800
            }
        }
    }

    /// The URL without its scheme, as people say it.
    var shortURL: String {
        url.utf8.starts(with: "https://".utf8)
            ? String(decoding: url.utf8.dropFirst(8), as: UTF8.self) : url
    }

    /// The URL at a port of its host; nil if it has no host.
    func url(port: Int) -> String? {
        let scheme = "https://"
        guard url.utf8.starts(with: scheme.utf8) else { return nil }
        let rest = url.utf8.dropFirst(scheme.utf8.count)
        let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        return "\(scheme)\(Substring(rest[..<end])):\(port)\(Substring(rest[end...]))"
    }

    /// Times of the API have one form, so their order is that of their texts.
    var state: State {
        if link["deleted"] != nil { return .deleted }
        // The API gives no URL to what no collection of the configuration has.
        if link["url"]?.text == nil { return .unserved }
        if isDisabled { return isArchived ? .binned : .disabled }
        if let until = link["until"]?.text, until.utf8.lexicographicallyPrecedes(now.utf8) {
            return .ended
        }
        if let from = link["from"]?.text, now.utf8.lexicographicallyPrecedes(from.utf8) {
            return .waiting
        }
        return isArchived ? .archived : .active
    }

    /// Whether it is still what a deed has made of it. Not every deed is seen in it.
    func isStill(_ deed: String) -> Bool {
        let isThere = link["deleted"] == nil
        return switch deed {
        case "changed", "alias": isThere
        case "enabled": isThere && !isDisabled
        case "disabled": isThere && isDisabled
        case "deleted": isThere && isDisabled && isArchived
        case "restored": isThere && !(isDisabled && isArchived)
        case "erased": !isThere
        default: true
        }
    }

    enum State: CaseIterable {
        case active, waiting, ended, disabled, archived, binned, deleted, unserved

        var text: ConsoleText {
            switch self {
            case .active: .active
            case .waiting: .waiting
            case .ended: .ended
            case .disabled: .disabled
            case .archived: .archived
            case .binned: .binned
            case .deleted: .deleted
            case .unserved: .unserved
            }
        }

        /// Whether it is answered with what it says.
        var isLive: Bool { self == .active || self == .archived }
    }
}

extension PageWriter {
    mutating func badge(_ state: LinkWords.State) {
        raw(state.isLive ? "<span class=\"state live\">" : "<span class=\"state\">")
        write("\(state.text)</span>")
    }
}
