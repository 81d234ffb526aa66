internal import Diagnostics
internal import Markup

/// A page's `<head>` as the model has it, in one order: what people and search engines read first,
/// then the app, then previews, then structured data.
package struct HeadMarkup: Sendable {
    private(set) var elements = [HeadElement]()

    /// URLs that are none, or of a scheme that the place does not allow, are left out.
    package init(_ model: PageModel) {
        writeDescription(model)
        writeApp(model)
        writeIcons(model.icons)
        writeOpenGraph(model)
        writeTwitter(model)
        writeAppLinks(model)
        let graph = StructuredData(model).graph
        if !graph.isEmpty { elements.append(.structuredData(graph)) }
    }

    /// The elements in UTF-8, a line each.
    package var bytes: [UInt8] { elements.flatMap(\.markup.bytes) }

    /// The head of a generated page: its encoding within the first bytes, and all elements.
    var opening: MarkupWriter {
        var writer = MarkupWriter()
        writer.raw("<meta charset=\"utf-8\">\n")
        writer.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        for element in elements { writer.append(element.markup) }
        return writer
    }

    /// A `meta` element with a name; nothing for nothing.
    mutating func meta(_ name: StaticString, _ content: String?) {
        meta("name", name, content)
    }

    /// A `meta` element with a property; nothing for nothing.
    mutating func property(_ name: StaticString, _ content: String?) {
        meta("property", name, content)
    }

    private mutating func meta(
        _ attribute: StaticString, _ name: StaticString, _ content: String?
    ) {
        guard let content, !content.isEmpty else { return }
        var writer = MarkupWriter()
        writer.meta(attribute, name, content)
        elements.append(HeadElement(content: .meta(name), markup: writer))
    }

    /// A `link` element; nothing for nothing.
    mutating func link(_ relation: StaticString, _ url: PageURL?, language: String? = nil) {
        guard let url else { return }
        var writer = MarkupWriter()
        writer.raw("<link rel=\"")
        writer.raw(relation)
        writer.raw("\"")
        if let language { writer.attribute("hreflang", language) }
        writer.attribute("href", url.description)
        writer.raw(">\n")
        elements.append(
            HeadElement(content: .link(relation, language: language), markup: writer))
    }

    private mutating func writeDescription(_ model: PageModel) {
        var title = MarkupWriter()
        title.element("title", model.title)
        elements.append(HeadElement(content: .title, markup: title))
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

/// An element of a head; its markup ends with a line end.
struct HeadElement: Sendable {
    enum Content {
        case title
        case meta(StaticString)
        case link(StaticString, language: String?)
        /// The nodes of the graph.
        case structuredData([JSONText])
    }

    let content: Content
    let markup: MarkupWriter

    static func structuredData(_ graph: [JSONText]) -> HeadElement {
        var writer = MarkupWriter()
        writer.raw("<script type=\"application/ld+json\">")
        JSONText.object([
            ("@context", .string("https://schema.org")), ("@graph", .array(graph)),
        ]).write(to: &writer)
        writer.raw("</script>\n")
        return HeadElement(content: .structuredData(graph), markup: writer)
    }
}
