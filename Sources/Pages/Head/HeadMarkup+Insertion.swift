private import Diagnostics
private import Markup

extension HeadMarkup {
    /// A static page with the missing tags inserted at the end of its head; every byte of the page
    /// stays. Existing tags are kept, by name: the title, each `meta`, each relation of a `link`,
    /// images and videos with their properties, and structured data by type. Only `noindex` is
    /// added beside the page's own tag for robots.
    /// - Returns: nil if there is no end of the head on which readers with and without scripts
    ///   agree.
    package func inserted(into html: [UInt8]) -> [UInt8]? {
        let head = StaticHead(html)
        guard let end = head.end else { return nil }
        let missing = elements.flatMap { $0.missing(in: head, from: bytes) }
        return html[..<end] + missing + html[end...]
    }
}

extension HeadElement {
    /// The element's markup, or the part of it that the page does not have.
    fileprivate func missing(in head: StaticHead, from bytes: [UInt8]) -> ArraySlice<UInt8> {
        var isThere: Bool
        switch content {
        case .title: isThere = head.names.contains("title")
        case .meta(let name) where name.text == "robots": isThere = head.isNotIndexed
        case .meta(let name): isThere = head.names.contains(Self.group(of: name.text))
        case .link(let relation, let language):
            isThere = head.names.contains(Self.linkName(relation.text, language: language))
        case .structuredData(let graph):
            let rest = graph.filter { head.types.isDisjoint(with: $0.types) }
            isThere = rest.isEmpty
            if !isThere, rest.count < graph.count {
                var writer = MarkupWriter()
                writer.structuredData(rest)
                return writer.bytes[...]
            }
        }
        return isThere ? [] : bytes[range]
    }

    /// The name of the group that a tag belongs to: a page that has one tag of an image describes
    /// the whole image, so the width of another is not added.
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
