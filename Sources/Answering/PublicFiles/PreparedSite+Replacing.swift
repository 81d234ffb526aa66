package import Files
import SiteConfiguration

extension PreparedSite {
    /// This snapshot with the present content of public files that have changed since it was built.
    /// All else is shared with it, and nothing else is read. Nil where a change of these files
    /// changes other parts of it: then it has to be built again.
    /// - Parameters:
    ///   - outputs: files that this process writes to, and that must not be public.
    ///   - now: seconds since 1970.
    /// - Throws: why the files cannot be served.
    package func replacing(
        _ files: [FoundFile], outputs: [FileIdentity], now: Int
    ) throws(BuildError) -> PreparedSite? {
        let paths = files.map { Array("/\($0.relativePath)".utf8) }
        // The page of an error has a head of its own.
        if case .page(let page, let status, _) = source.unmatched, status != 200,
            paths.contains(where: { page.utf8.elementsEqual($0) })
        {
            return nil
        }
        let exposures = source.exposures(in: FileTree(files), outputs: outputs)
        guard exposures.isEmpty else { throw BuildError(diagnostics: exposures, kind: .invalid) }
        let replaced = publicFiles.replacing(
            files, limits: limits, now: now)
        return replaced.map { publicFiles in
            PreparedSite(
                source: source, router: router, linkResolver: linkResolver,
                bytes: bytes, resources: resources, fallback: fallback,
                visitorFallback: visitorFallback, statuses: statuses, warnings: warnings,
                publicFiles: publicFiles, landing: landing, limits: limits, outputs: outputs)
        }
    }

    /// What is served in place of a file that is not at its path any more, until a snapshot has
    /// found what is.
    func successor(of file: PublicFile, at now: Int) -> PublicFile? {
        file.successor(at: now) {
            source.exposures(in: FileTree([$0]), outputs: outputs).isEmpty
        }
    }
}
