private import Markup

/// The pages of a host for search engines (sitemaps.org, "XML tag definitions"): absolute URLs of
/// one host, at most 50,000; further ones are left out.
package struct Sitemap: Sendable {
    package let urls: [String]

    /// - Parameter urls: http and https URLs; others and duplicates are left out.
    package init(_ urls: [String]) {
        var seen = Set<String>()
        self.urls = urls.filter { PageURL($0) != nil && seen.insert($0).inserted }
            .prefix(Self.urlsMax).map(\.self)
    }

    /// The document in UTF-8.
    package var xml: [UInt8] {
        var writer = MarkupWriter()
        writer.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        writer.raw("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n")
        for url in urls {
            writer.raw("  <url><loc>")
            writer.text(url)
            writer.raw("</loc></url>\n")
        }
        writer.raw("</urlset>\n")
        return writer.bytes
    }

    package static let urlsMax = 50_000
}
