package import Files
import SiteConfiguration

extension PreparedSite {
    /// This snapshot with the present content of public files that have changed since it was built.
    /// All else is shared with it, and nothing else is read. Nil where a change of these files
    /// changes other parts of it: then it has to be built again.
    /// - Parameters:
    ///   - now: seconds since 1970.
    /// - Throws: why the files cannot be served.
    package func replacing(
        _ files: [FoundFile], now: Int
    ) throws(BuildError) -> PreparedSite? {
        let paths = files.map { Array("/\($0.relativePath)".utf8) }
        // The page of an error has a head of its own.
        if case .page(let page, let status, _) = source.unmatched, status != 200,
            paths.contains(where: { page.utf8.elementsEqual($0) })
        {
            return nil
        }
        let exposures = confidential.renewed.exposures(in: FileTree(files), of: source)
        guard exposures.isEmpty else { throw BuildError(diagnostics: exposures, kind: .invalid) }
        let replaced = publicFiles.replacing(
            files, limits: limits, now: now)
        return replaced.map { publicFiles in
            PreparedSite(
                source: source, router: router, linkResolver: linkResolver, redirects: redirects,
                bytes: bytes, resources: resources, fallback: fallback,
                visitorFallback: visitorFallback, statuses: statuses, warnings: warnings,
                publicFiles: publicFiles, landing: landing, limits: limits,
                confidential: confidential, themeTree: themeTree, builtAt: builtAt,
                canBeShared: canBeShared)
        }
    }

    /// The file that takes the place of one that has left its path, until a snapshot has found it.
    func successor(of file: PublicFile, at now: Int) -> PublicFile? {
        file.successor(at: now) {
            confidential.renewed.exposures(in: FileTree([$0]), of: source).isEmpty
        }
    }
}
