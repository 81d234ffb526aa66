private import Diagnostics
private import Markup

extension HeadMarkup {
    /// A static page with what its head lacks put at the head's end; every byte of the page stays.
    /// What the page says itself is kept, by name: its title, each `meta`, each relation of a
    /// `link`; pictures and videos with what describes them; structured data by type. Only
    /// `noindex` is put beside a page's own word for robots.
    /// - Returns: nil where no head ends that readers with and without scripts would agree on.
    package func inserted(into html: [UInt8]) -> [UInt8]? {
        let head = StaticHead(html)
        guard let end = head.end else { return nil }
        let missing = elements.compactMap { $0.missing(in: head) }.flatMap(\.markup.bytes)
        return html[..<end] + missing + html[end...]
    }
}

extension HeadElement {
    /// The element, or what is left of it, that the page does not have.
    fileprivate func missing(in head: StaticHead) -> HeadElement? {
        switch content {
        case .title: return head.names.contains("title") ? nil : self
        case .meta(let name) where name.description == "robots":
            return head.isNotIndexed ? nil : self
        case .meta(let name):
            return head.names.contains(Self.group(of: name.description)) ? nil : self
        case .link(let relation, let language):
            let name = Self.linkName(relation.description, language: language)
            return head.names.contains(name) ? nil : self
        case .structuredData(let graph):
            let rest = graph.filter { head.types.isDisjoint(with: $0.types) }
            guard rest.count < graph.count else { return self }
            return rest.isEmpty ? nil : .structuredData(rest)
        }
    }

    /// The name under which a page that says this has said the whole: an image's width says nothing
    /// of another image.
    static func group(of name: String) -> String {
        for group in ["og:image", "og:video", "og:locale", "twitter:image"] {
            if name == group || Array(name.utf8).starts(with: "\(group):".utf8) { return group }
        }
        let parts = name.utf8.split(separator: UInt8(ascii: ":"))
        guard parts.count > 2, Substring(parts[0]) == "al" else { return name }
        return "al:\(Substring(parts[1]))"
    }

    static func linkName(_ relation: String, language: String?) -> String {
        language.map { "link \(relation) \($0.lowercased())" } ?? "link \(relation)"
    }
}

extension JSONText {
    fileprivate var types: [String] {
        let types: [JSONText] =
            switch self["@type"] {
            case .array(let types): types
            case let type: type.map { [$0] } ?? []
            }
        return types.compactMap { if case .string(let type) = $0 { type } else { nil } }
    }
}
