import Associations
import Diagnostics
import Files
import Origin
import SiteConfiguration

// What the names of public files tell of a configuration, without reading them.

extension Environment {
    /// Nothing where there is no public directory: its files may come from elsewhere.
    var publicFileFindings: [Diagnostic] {
        let directory = publicDirectory.path
        let tree = findTree(under: directory)
        if tree.faults == [.unreadable(path: directory, .missing)] { return [] }
        let faults = tree.faults.map { $0.diagnostic(at: publicDirectory.position) }
        let paths = Set(tree.files.map { Array("/\($0.relativePath)".utf8) })
        // Where a fault hides files, nobody knows which of them are missing.
        return faults + exposures(in: tree)
            + (faults.isEmpty ? missing(from: paths, directory) : [])
            + webLinks.compactMap { hidden($0, by: paths) }
    }

    /// Pages, pictures and films that are not there.
    private func missing(from paths: Set<[UInt8]>, _ directory: String) -> [Diagnostic] {
        let pages = namedPages.filter { !paths.contains(Array($0.path.utf8)) }
        let files = namedFiles.filter { !paths.contains(Array($0.path.utf8)) }
        return pages.map { page in
            Diagnostic(
                .error, .missingPage, at: page.position,
                "page \(quoted(page.path)) is no file of \(quoted(directory))")
        }
            + files.map { file in
                Diagnostic(
                    .warning, .missingFile, at: file.position,
                    "\(quoted(file.path)) is no file of \(quoted(directory))")
            }
    }

    /// A link for one path, which a public file answers before any action is looked at.
    private func hidden(_ link: Link, by paths: Set<[UInt8]>) -> Diagnostic? {
        guard let web = link.web else { return nil }
        for (component, position) in zip(link.components, link.positions) where !component.exclude {
            guard let path = component.path,
                !path.utf8.contains(where: { "*?$%".utf8.contains($0) })
            else { continue }
            let file = path.utf8.last == UInt8(ascii: "/") ? path + "index.html" : path
            guard paths.contains(Array(file.utf8)), web.all.contains(where: { $0 != .page(file) })
            else {
                continue
            }
            return Diagnostic(
                .warning, .hiddenAction, at: position.whole,
                "\(quoted(path)) is answered with the public file \(quoted(file)), before the "
                    + "`web` of link \(quoted(link.key)) is looked at",
                advice: "remove the file, or the action")
        }
        return nil
    }
}
