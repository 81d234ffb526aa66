private import Associations

package import JSONSyntax

/// The tags of a page, for programs that compare them.
package struct FoundMarkup: Sendable {
    package let title: String?
    package let description: String?
    package let canonical: String?
    package let banner: String?
    /// `property`, or else `name`, and the content, in the order of the page.
    package let openGraph: [(key: String, content: String)]
    package let appLinks: [(key: String, content: String)]
    package let twitter: [(key: String, content: String)]
    /// The values of the blocks that are JSON.
    package let jsonLD: [JSONValue]

    init(_ examination: PageExamination) {
        let page = examination.page
        func tags(_ prefix: String) -> [(key: String, content: String)] {
            page.metas.filter { $0.key.utf8.starts(with: prefix.utf8) }
                .map { ($0.key, $0.content) }
        }
        title = page.title?.text
        description = page.meta("description")?.content
        canonical = examination.canonical?.description
        banner = page.meta("apple-itunes-app")?.content
        openGraph = tags("og:")
        appLinks = tags("al:")
        twitter = tags("twitter:")
        jsonLD = examination.data.blocks.filter(\.document.isValid).compactMap(\.document.root)
    }
}
