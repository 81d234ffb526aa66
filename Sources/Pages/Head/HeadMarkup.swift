internal import Diagnostics
internal import Markup

/// A page's `<head>` from the model, in a fixed order: what people and search engines read first,
/// then the app, then previews, then structured data.
package struct HeadMarkup: Sendable {
    private(set) var elements = [HeadElement]()
    private var writer = MarkupWriter(capacity: 8192)

    /// Invalid URLs, and URLs with a scheme that is not allowed at their position, are left out.
    package init(_ model: PageModel) {
        writeDescription(model)
        writeApp(model)
        writeIcons(model.icons)
        let addresses = HeadAddresses(model)
        writeOpenGraph(model, addresses)
        writeTwitter(model, addresses)
        writeAppLinks(model, addresses)
        let graph = StructuredData(model).graph
        if !graph.isEmpty { add(.structuredData(graph)) { $0.structuredData(graph) } }
    }

    /// The elements in UTF-8, one on each line.
    package var bytes: [UInt8] { writer.bytes }

    /// The head of a generated page: its encoding within the first bytes, then all elements.
    var opening: MarkupWriter {
        var writer = MarkupWriter(capacity: 32_768)
        writer.raw("<meta charset=\"utf-8\">\n")
        writer.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        writer.append(self.writer)
        return writer
    }

    /// A `meta` element with a name; nothing if there is no content.
    mutating func meta(_ name: MarkupLiteral, _ content: String?) { meta("name", name, content) }

    /// A `meta` element with a property; nothing if there is no content.
    mutating func property(_ name: MarkupLiteral, _ content: String?) {
        meta("property", name, content)
    }

    private mutating func meta(
        _ attribute: MarkupLiteral, _ name: MarkupLiteral, _ content: String?
    ) {
        guard let content, !content.isEmpty else { return }
        add(.meta(name)) { $0.meta(attribute, name, content) }
    }

    /// A `link` element; nothing if there is no URL.
    mutating func link(_ relation: MarkupLiteral, _ url: PageURL?, language: String? = nil) {
        guard let url else { return }
        add(.link(relation, language: language)) { writer in
            writer.raw("<link rel=\"")
            writer.raw(relation)
            writer.raw("\"")
            if let language { writer.attribute("hreflang", language) }
            writer.attribute("href", url.description)
            writer.raw(">\n")
        }
    }

    private mutating func add(
        _ content: HeadElement.Content, _ write: (inout MarkupWriter) -> Void
    ) {
        let start = writer.bytes.count
        write(&writer)
        elements.append(HeadElement(content: content, range: start..<writer.bytes.count))
    }

    private mutating func writeDescription(_ model: PageModel) {
        add(.title) { $0.element("title", model.title) }
        meta("description", model.description)
        link("canonical", PageURL(model.url))
        for alternate in model.alternates {
            link("alternate", PageURL(alternate.url), language: alternate.language)
        }
        if !model.isIndexed { meta("robots", "noindex") }
    }

    private mutating func writeIcons(_ icons: PageModel.Icons) {
        link("icon", icons.icon.flatMap { PageURL($0, allowsPath: true) })
        link("apple-touch-icon", icons.touchIcon.flatMap { PageURL($0, allowsPath: true) })
        link("manifest", icons.manifest.flatMap { PageURL($0, allowsPath: true) })
    }
}

/// An element of a head.
struct HeadElement: Sendable {
    enum Content {
        case title
        case meta(MarkupLiteral)
        case link(MarkupLiteral, language: String?)
        /// The nodes of the graph.
        case structuredData([JSONText])
    }

    let content: Content
    /// The range of its markup in the head's, in bytes; it ends with a line end.
    let range: Range<Int>
}

extension MarkupWriter {
    /// One graph of nodes as JSON-LD.
    mutating func structuredData(_ graph: [JSONText]) {
        raw("<script type=\"application/ld+json\">")
        JSONText.object([
            ("@context", .string("https://schema.org")), ("@graph", .array(graph)),
        ]).write(to: &self)
        raw("</script>\n")
    }
}
