import Answering
import Associations
import Diagnostics
import Files
import Linting
import Origin
import Resolution
import SiteConfiguration

// What public files show about a configuration: their names, and the content of those below `/.well-known/`.

extension Configuration {
    /// The findings of all sites.
    var publicFileFindings: [Diagnostic] {
        // The confidential files of all environments are the same.
        let confidential = ConfidentialFiles(environments.first?.confidentialFiles ?? [])
        return environments.flatMap { environment in
            environment.sites.flatMap {
                $0.publicFileFindings(confidential)
                    + $0.reservedPathFindings(answersApps: environment.store != nil)
            }
        } + unreachedHeaders
    }

    /// A rule is inherited: it is reported if it reaches nothing in any site that has it.
    private var unreachedHeaders: [Diagnostic] {
        struct Item: Hashable {
            let position: SourcePosition
            let pattern: String
        }
        var (unreached, reached) = ([Item](), Set<Item>())
        for site in environments.flatMap(\.sites) where !site.headers.isEmpty {
            let tree = findTree(under: site.publicDirectory.path)
            let isMissing = tree.faults == [.unreadable(path: site.publicDirectory.path, .missing)]
            let found =
                tree.faults.isEmpty || isMissing
                ? site.unreachedHeaders(tree.files.map(\.relativePath)) : []
            let items = found.map {
                Item(position: site.headers[$0.rule].position, pattern: $0.pattern)
            }
            unreached += items
            let all = site.headers.flatMap { rule in
                rule.patterns.map { Item(position: rule.position, pattern: $0) }
            }
            reached.formUnion(Set(all).subtracting(items))
        }
        return unreached.filter { !reached.contains($0) }.map { item in
            Diagnostic(
                .warning, .headerReach, at: item.position,
                "\(quoted(item.pattern)) matches no public file and no page of a link, so these "
                    + "fields are never sent",
                advice: item.pattern.utf8.starts(with: "/.well-known".utf8)
                    ? "remove it; association files have the same fields for everybody"
                    : "write the path of public files or of links, or remove it")
        }
    }
}

extension Site {
    /// Empty if there is no public directory, because its files may come from elsewhere.
    /// - Parameter confidential: the files that must not be public.
    fileprivate func publicFileFindings(_ confidential: ConfidentialFiles) -> [Diagnostic] {
        let directory = publicDirectory.path
        let tree = findTree(under: directory)
        if tree.faults == [.unreadable(path: directory, .missing)] { return [] }
        let faults = tree.faults.map { $0.diagnostic(at: publicDirectory.position) }
        let paths = Set(tree.files.map { Array("/\($0.relativePath)".utf8) })
        // If a fault hides files, it is not known which files are missing.
        return faults + confidential.exposures(in: tree, of: self)
            + (faults.isEmpty ? missing(from: paths, directory) : [])
            + webLinks.compactMap { hidden($0, by: paths) } + generated(insteadOf: paths)
            + findings(inWellKnown: tree, paths, directory)
    }

    /// Public files in whose place the site's own files below `/.well-known/` are sent.
    private func generated(insteadOf paths: Set<[UInt8]>) -> [Diagnostic] {
        var own = WellKnownFile.allCases.filter { wellKnown.bytes(of: $0) != nil }.map(\.path)
        if wellKnown.changePassword != nil { own.append(WellKnownFiles.changePasswordPath) }
        if associations.aasa != nil { own += Router.applePaths }
        if associations.assetlinks != nil { own.append(Router.assetLinksPath) }
        return own.filter { paths.contains(Array($0.utf8)) }.map { path in
            Diagnostic(
                .warning, .hiddenAction, at: publicDirectory.position,
                "the public file \(quoted(path)) is never sent: the configuration generates it",
                advice: "remove the file, or the key of the configuration")
        }
    }

    /// The findings in public files that programs read. One in whose place another is sent is not read.
    private func findings(
        inWellKnown tree: FileTree, _ paths: Set<[UInt8]>, _ directory: String
    ) -> [Diagnostic] {
        let isSent = Router(self, files: tree.files.map(\.relativePath), hasSitemap: false)
        return Linter.publicPaths.flatMap { path -> [Diagnostic] in
            guard paths.contains(Array(path.utf8)), isSent.file(at: path) != nil,
                !Router.applePaths.contains(path) || associations.aasa == nil,
                path != Router.assetLinksPath || associations.assetlinks == nil
            else { return [] }
            let file = directory + path
            // A start says what cannot be read.
            guard let bytes = try? readInput(file, bytesMax: publicBytesMax) else { return [] }
            return Linter.lint(publicFile: bytes, at: path, file: file)
        }
    }

    /// Pages, images and videos that do not exist.
    private func missing(from paths: Set<[UInt8]>, _ directory: String) -> [Diagnostic] {
        let pages = namedPages.filter { !paths.contains(Array($0.path.utf8)) }
        let files = namedFiles.filter { !paths.contains(Array($0.path.utf8)) }
        return pages.map { missingPage($0.path, at: $0.position) }
            + files.map { file in
                Diagnostic(
                    .warning, .missingFile, at: file.position,
                    "\(quotedPath(file.path)) is not a file in \(quotedPath(directory))")
            }
    }

    /// A link for one path, whose action has no effect because a public file has this path.
    private func hidden(_ link: Link, by paths: Set<[UInt8]>) -> Diagnostic? {
        let name = link.web == nil ? "after" : "web"
        for (component, position) in zip(link.components, link.positions) where !component.exclude {
            guard let path = component.path,
                !path.utf8.contains(where: { "*?$%".utf8.contains($0) })
            else { continue }
            let file = path.utf8.last == UInt8(ascii: "/") ? path + "index.html" : path
            guard paths.contains(Array(file.utf8)),
                link.actions.contains(where: { $0 != .page(file) })
            else { continue }
            return Diagnostic(
                .warning, .hiddenAction, at: position.whole,
                "\(quoted(path)) gets the public file \(quoted(file)), so the `\(name)` of link "
                    + "\(quoted(link.key)) has no effect",
                advice: "remove the file, or the action")
        }
        return nil
    }
}

extension Site {
    /// Links whose actions no request reaches, because Waymark answers their paths itself.
    /// - Parameter answersApps: whether the origin answers `/_/resolve` and `/_/opens`.
    fileprivate func reservedPathFindings(answersApps: Bool) -> [Diagnostic] {
        let router = Router(self, files: [], hasSitemap: mayHaveSitemap)
        return webLinks.flatMap { link in
            zip(link.components, link.positions).compactMap { component, position in
                guard !component.exclude, let path = component.path,
                    let fact = answersApps && ["/_/resolve", "/_/opens"].contains(path)
                        ? "\(quoted(path)) is answered by Waymark itself"
                        : router.reservation(of: path),
                    link.actions.isEmpty || link.actions.contains(where: { $0 != .page(path) })
                else { return nil }
                let name = link.web != nil ? "web" : link.actions.isEmpty ? "page" : "after"
                return Diagnostic(
                    .warning, .hiddenAction, at: position.whole,
                    "\(fact), so the `\(name)` of link \(quoted(link.key)) has no effect for it",
                    advice: "use another path")
            }
        }
    }
}

/// Larger files of JSON are not read.
private let publicBytesMax = 8 * 1_048_576

extension Component {
    /// Whether it opens one path.
    fileprivate var isOnePath: Bool {
        guard !exclude, let path else { return false }
        return !path.utf8.contains { "*?$%".utf8.contains($0) }
    }
}

extension Site {
    /// Whether a page is shown that a sitemap lists: a public file or a link's page.
    fileprivate var mayHaveSitemap: Bool {
        webLinks.contains { link in
            link.page?.isIndexed != false && link.components.contains(where: \.isOnePath)
                && link.actions.contains { if case .redirect = $0 { false } else { true } }
        }
            || findTree(under: publicDirectory.path).files.contains {
                $0.relativePath.hasSuffix(".html")
            }
    }
}

extension Router {
    /// The reason why no link gets the requests that a pattern matches; nil if one can.
    fileprivate func reservation(of pattern: String) -> String? {
        let literal = pattern.utf8.prefix { !"*?$%".utf8.contains($0) }
        if literal.starts(with: "/.well-known/acme-challenge/".utf8) {
            return
                "\(quoted(pattern)) is below /.well-known/acme-challenge/, where only certificate "
                + "authorities are answered"
        }
        guard literal.count == pattern.utf8.count else { return nil }
        let path = Array(literal)
        switch decide(path: path, 0..<path.count, isSecure: true) {
        case .resource, .challenge, .notFound, .changePassword:
            return "\(quoted(pattern)) is answered by Waymark itself"
        case .redirectToHTTPS, .unmatched, .directory, .unknownHost: return nil
        }
    }
}
