import Associations
import Diagnostics
import Files
import Pages
package import Resolution
import SiteConfiguration

extension LinkResolver {
    /// Whether a link has an action for a URL, for some visitor, at any time.
    package func hasAction(_ url: String) -> Bool {
        guard let link = (try? LinkURL(url)).flatMap({ claim(of: $0)?.link }) else { return false }
        return link.web != nil && link.times == nil
    }
}

extension SiteBuilder {
    /// Puts the markup of links that ask for it into the public HTML files that they match, and
    /// returns the content of these files by their paths. A file keeps what it says itself; what
    /// changes is no longer of the file's age.
    mutating func insertMarkup(
        _ found: FoundFiles, _ presenter: LinkPresenter, _ resolver: LinkResolver
    ) -> [[UInt8]: [UInt8]] {
        var insertions = [[UInt8]: [UInt8]]()
        guard site.webLinks.contains(where: { $0.page?.isInserted == true }),
            let directory = found.directory
        else { return insertions }
        for file in found.files where MediaTypes.isHTML(file.relativePath) {
            let path = URLPath.of(file: file.relativePath)
            guard let url = try? LinkURL("\(presenter.origin)\(path)"),
                let (link, argument) = resolver.claim(of: url), link.page?.isInserted == true
            else { continue }
            let model = presenter.model(
                link, resolver.apps(opening: url), path: path,
                language: site.presentation.languages[0],
                argument: argument)
            guard let bytes = readPage(file, directory) else { continue }
            guard let html = HeadMarkup(model).inserted(into: bytes) else {
                warn(
                    .noHead, at: link.position(ofPage: "insert") ?? site.position,
                    "public file \(quoted(file.relativePath)) has no head for the link's tags",
                    advice: "add a <head>, or remove `insert` from link \(quoted(link.key))")
                continue
            }
            insertions[Array(file.relativePath.utf8)] = html
        }
        return insertions
    }
}
