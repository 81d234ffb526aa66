package import Associations
import Diagnostics
import Markup
private import URISyntax

/// An HTML page as programs read it that look for tags and run no scripts.
package struct PageReading: Sendable {
    /// The name that the page goes by: its file or its address.
    package let file: String
    let byteCount: Int
    /// The offset of the head's end, in bytes.
    var headBytes = 0
    /// The element that ends the head but does not belong there; nil if its end tag or the body
    /// ends it.
    var headEnd: HeadEnd?
    var html: PageTag?
    var base: PageTag?
    var titles = [PageText]()
    var metas = [MetaTag]()
    var links = [PageTag]()
    var images = [PageTag]()
    /// Scripts and frames with an address.
    var sources = [PageTag]()
    /// Contents of `script` elements whose type is JSON-LD.
    var dataBlocks = [PageText]()
    var headings = [PageHeading]()
    /// Addresses of links and forms that run code.
    var unsafeAddresses = [PageText]()
    var hasMicrodata = false
    /// The encoding of a tag, in lower case, and the offset of the tag's end.
    var charset: (name: String, end: Int)?
    /// Bytes of visible text, white space left out.
    var textBytes = 0
    let isUTF8: Bool
    /// By key, so that a page of many tags is searched once.
    private var metasByKey = [String: [Int]]()

    /// Reads any bytes, in time linear in their number.
    /// - Parameter file: the name that the page goes by.
    package init(_ bytes: [UInt8], file: String) {
        self.file = file
        byteCount = bytes.count
        isUTF8 = String(validating: bytes, as: UTF8.self) != nil
        headBytes = bytes.count
        var reader = PageReader(bytes)
        for token in HTMLTokenizer(bytes) { reader.read(token, into: &self) }
        for (index, meta) in metas.enumerated() { metasByKey[meta.key, default: []].append(index) }
    }

    package static let bytesMax = 4 * 1_048_576

    /// The tags of this name or property, in their order.
    func metas(_ key: String) -> [MetaTag] { (metasByKey[key] ?? []).map { metas[$0] } }

    /// The content of the first such tag that has any.
    func meta(_ key: String) -> MetaTag? { metas(key).first { !$0.content.isEmpty } }

    /// The page's own title: the first.
    var title: PageText? { titles.first }

    /// The first tag for previews and search engines that differs on another page.
    func difference(from other: PageReading) -> String? {
        if title?.text != other.title?.text { return "title" }
        if links("canonical").first?["href"] != other.links("canonical").first?["href"] {
            return "canonical address"
        }
        let shared = Set((metas + other.metas).map(\.key)).sorted().filter { key in
            ["description", "apple-itunes-app"].contains(key)
                || ["og:", "al:", "twitter:"].contains { key.utf8.starts(with: $0.utf8) }
        }
        return shared.first { metas($0).map(\.content) != other.metas($0).map(\.content) }
            .map { quoted($0) }
    }

    /// Links that have the relation.
    func links(_ relation: String) -> [PageTag] {
        links.filter { $0.words("rel").contains(relation) }
    }
}

/// Text, and the line that it begins in, counted from 1.
struct PageText: Hashable, Sendable {
    let text: String
    let line: Int
}

/// A `meta` element with a name.
struct MetaTag: Hashable, Sendable {
    /// In lower case.
    let key: String
    /// The attribute that names it.
    let kind: Kind
    /// White space around it left out.
    let content: String
    let line: Int
    /// Whether it is in the head, as programs divide the page.
    let isInHead: Bool

    enum Kind: String, Sendable {
        case name, property
        case equivalent = "http-equiv"
    }
}

/// A start tag.
struct PageTag: Hashable, Sendable {
    let tag: HTMLTag
    let line: Int

    /// The attribute's value without white space around it; nil without the attribute.
    subscript(_ attribute: String) -> String? { tag[attribute].map(trimmed) }

    /// The attribute's words in lower case.
    func words(_ attribute: String) -> [String] { tag.words(attribute) }
}

struct PageHeading: Hashable, Sendable {
    let level: Int
    let line: Int
}

/// The element or text that ends a head too early.
struct HeadEnd: Hashable, Sendable {
    /// An element's name, or nil for text.
    let element: String?
    let line: Int
    /// Whether it is in a `noscript`, where only programs without scripts see it.
    let isInNoScript: Bool
}

/// The text without white space around it.
func trimmed(_ text: String) -> String {
    String(decoding: text.utf8.trimmed(of: \.isHTMLSpace), as: UTF8.self)
}

extension PageReading {
    /// The URLs of the page's files on its own host, which a report can examine.
    package func resources(at url: LinkURL?) -> [LinkURL] {
        guard let url else { return [] }
        let base = base?["href"].flatMap { resolve($0, against: url) } ?? url
        let named =
            [(meta("og:image") ?? meta("og:image:url"))?.content].compactMap(\.self)
            + (links("apple-touch-icon") + links("apple-touch-icon-precomposed") + links("icon"))
            .prefix(4).compactMap { $0["href"] }
            + ["/apple-touch-icon.png", "/favicon.ico"]
        return named.compactMap { resolve($0, against: base) }.filter { $0.isSameHost(as: url) }
    }
}

/// The address that `ReportInput.resources` knows a file by.
package func resourceKey(_ url: LinkURL) -> String { url.pageAddress }
