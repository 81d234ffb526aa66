import Associations
import Diagnostics
import Pages
import Resolution
import SiteConfiguration

extension SnapshotBuilder {
    /// Puts the markup of links that ask for it into the public HTML files that they match. A file
    /// keeps what it says itself; what changes is no longer of the file's age.
    mutating func insertMarkup(
        _ files: inout [PublicFile], _ presenter: LinkPresenter, _ resolver: LinkResolver
    ) {
        guard environment.webLinks.contains(where: { $0.page?.isInserted == true }) else { return }
        for index in files.indices where MediaTypes.isHTML(files[index].path) {
            let path = URLPath.of(file: files[index].path)
            guard let url = try? LinkURL("\(presenter.origin)\(path)"),
                let (link, argument) = resolver.claim(of: url), link.page?.isInserted == true
            else { continue }
            let model = presenter.model(
                link, path: path, language: environment.presentation.languages[0],
                argument: argument)
            guard let html = HeadMarkup(model).inserted(into: files[index].bytes) else {
                warn(
                    .noHead, at: link.position(ofPage: "insert") ?? environment.position,
                    "public file \(quoted(files[index].path)) has no head for the link's tags",
                    advice: "add a <head>, or remove `insert` from link \(quoted(link.key))")
                continue
            }
            files[index].bytes = html
            files[index].modified = nil
        }
    }
}
