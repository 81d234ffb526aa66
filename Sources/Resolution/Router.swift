package import Associations
package import SiteConfiguration
package import URISyntax

/// A resource that is answered from memory. Its number is its index in the router's table.
package enum Resource: Hashable, Sendable {
    case appleAppSiteAssociation
    case assetLinks
    case robots
    /// The pages that search engines may list.
    case sitemap
    case manifest
    /// A generated file for passkeys or HarmonyOS.
    case wellKnown(WellKnownFile)
    /// A file of the public directory, by its path under it.
    case publicFile(String)

    /// Association files are answered on plain HTTP too, never redirected.
    package var isAssociation: Bool { self == .appleAppSiteAssociation || self == .assetLinks }
}

/// The decision about a request, from its host, its path and its scheme.
package enum Decision: Hashable, Sendable {
    /// Answered with the resource of this number.
    case resource(Int)
    /// An ACME challenge, with the range of the token in the path (RFC 8555 §8.3).
    case challenge(Range<Int>)
    /// Sent to the same address over https.
    case redirectToHTTPS
    /// Sent to the page on which people change their passwords.
    case changePassword
    /// No resource has the path: a link, or the environment's `unmatched`.
    case unmatched
    /// The same, but the path with a slash at its end is that of a page: what no link claims is
    /// redirected there.
    case directory
    /// No resource has the path, and programs request it. A page with status 200 would mean to them
    /// that the resource exists (RFC 8615 §3).
    case notFound
    /// No environment has this host.
    case unknownHost
}

/// Decides every request of one environment. It is compiled once from its site, and never changes.
/// `serve` and the commands that predict `serve` use the same router.
///
/// The order is fixed: host, association files and other reserved paths, the redirect from plain
/// HTTP, files, then `unmatched`.
package struct Router: Sendable {
    package let resources: [Resource]
    /// The numbers of public files, in the order in which they were given.
    package let fileNumbers: Range<Int>
    private let hosts: HostTable
    private let paths: PathTable
    /// The numbers of the association files by their paths, which are decided first.
    package let associations: PathTable
    private let answersChallenges: Bool
    /// Whether a link has a pattern below `/.well-known/`, where no other is answered.
    private let hasWellKnownLinks: Bool

    /// - Parameters:
    ///   - files: paths under the public directory, without a leading slash.
    ///   - hasSitemap: whether there is a page to list. A sitemap without one is invalid
    ///     (sitemaps.org, “XML tag definitions”).
    package init(_ site: Site, files: [String], hasSitemap: Bool = true) {
        var resources = [Resource]()
        var paths = [(path: [UInt8], value: Int)]()
        func claim(_ resource: Resource, _ claimed: [String]) {
            paths += claimed.map { (Array($0.utf8), resources.count) }
            resources.append(resource)
        }
        if site.associations.aasa != nil { claim(.appleAppSiteAssociation, Self.applePaths) }
        if site.associations.assetlinks != nil { claim(.assetLinks, [Self.assetLinksPath]) }
        associations = PathTable(paths)
        if site.isClosedToRobots || !files.contains("robots.txt") {
            claim(.robots, ["/robots.txt"])
        }
        if hasSitemap, !site.isClosedToRobots, !files.contains("sitemap.xml") {
            claim(.sitemap, [Self.sitemapPath])
        }
        for file in WellKnownFile.allCases where site.wellKnown.bytes(of: file) != nil {
            claim(.wellKnown(file), [file.path])
        }
        if site.wellKnown.changePassword != nil {
            paths.append((Array(WellKnownFiles.changePasswordPath.utf8), Self.changePassword))
        }
        let presentation = site.presentation
        if presentation.name != nil, !files.contains("site.webmanifest") {
            claim(.manifest, [Self.manifestPath])
        }
        let firstFile = resources.count
        for file in files {
            let isIcon = "/\(file)" == presentation.icon
            let guessed =
                isIcon ? Self.iconPaths.filter { !files.contains(String($0.dropFirst())) } : []
            claim(.publicFile(file), Self.paths(of: file) + guessed)
            if let path = Self.pathWithoutSlash(of: file) {
                paths.append((Array(path.utf8), Self.directory))
            }
        }
        self.resources = resources
        fileNumbers = firstFile..<resources.count
        self.paths = PathTable(paths)
        hosts = HostTable([site])
        answersChallenges = site.acmeWebroot != nil || site.automatic != nil
        hasWellKnownLinks = site.webLinks.contains { $0.components.contains(where: \.isWellKnown) }
    }

    /// Decides a request. `host` must be folded to lower case, without port; `path` decoded.
    package func decide(
        host: [UInt8], _ hostRange: Range<Int>, path: [UInt8], _ pathRange: Range<Int>,
        isSecure: Bool
    ) -> Decision {
        guard answers(host: host, hostRange) else { return .unknownHost }
        return decide(path: path, pathRange, isSecure: isSecure)
    }

    /// Decides a request for a URL in the form in which a server receives it (`LinkURL.requested`).
    /// - Throws: why its path is refused.
    package func decide(_ url: LinkURL) throws(PathFault) -> Decision {
        let host = Array(url.host.utf8)
        let written = Array((url.path.isEmpty ? "/" : url.path).utf8)
        var path = [UInt8](repeating: 0, count: written.count)
        let count = try PathDecoding.decode(written, 0..<written.count, into: &path)
        return decide(host: host, 0..<host.count, path: path, 0..<count, isSecure: url.isSecure)
    }

    /// Whether the environment has a host, which is in lower case and without port.
    package func answers(host: [UInt8], _ range: Range<Int>) -> Bool {
        hosts.site(of: host, range) != nil
    }

    /// Decides a request for a host of the environment; `path` is decoded.
    package func decide(path: [UInt8], _ pathRange: Range<Int>, isSecure: Bool) -> Decision {
        if let found = associations.find(path, pathRange) { return .resource(found) }
        var found = paths.find(path, pathRange)
        let (isDirectory, isPassword) = (found == Self.directory, found == Self.changePassword)
        if isDirectory || isPassword { found = nil }
        if answersChallenges, let token = challengeToken(path, pathRange) {
            return .challenge(token)
        }
        if found == nil, Self.association(named: path, pathRange) != nil { return .notFound }
        guard isSecure else { return .redirectToHTTPS }
        if let found { return .resource(found) }
        if isPassword { return .changePassword }
        if isDirectory { return .directory }
        // Most paths show by their second octet that they are not well-known.
        guard pathRange.count > 1, path[pathRange.lowerBound + 1] == UInt8(ascii: "."),
            path[pathRange].starts(with: wellKnownDirectory.utf8)
        else { return .unmatched }
        // The names of challenges are no links' even where no challenge is answered.
        return hasWellKnownLinks && !path[pathRange].starts(with: challengeDirectory.utf8)
            ? .unmatched : .notFound
    }

    /// The association file with this decoded path, whether or not the environment has it.
    package static func association(named path: [UInt8], _ range: Range<Int>) -> Resource? {
        switch associationPaths.find(path, range) {
        case 0: .appleAppSiteAssociation
        case 1: .assetLinks
        default: nil
        }
    }

    /// Whether there is a resource at `manifestPath`.
    package static func hasManifest(_ site: Site, files: [String]) -> Bool {
        site.presentation.name != nil || files.contains("site.webmanifest")
    }

    /// The number of a public file's resource, by its URL path.
    package func resource(at path: String) -> Int? {
        let bytes = Array(path.utf8)
        return paths.find(bytes, 0..<bytes.count).flatMap { $0 < 0 ? nil : $0 }
    }

    /// The same, but nil for a resource that is not a public file.
    package func file(at path: String) -> Int? {
        resource(at: path).flatMap { fileNumbers.contains($0) ? $0 : nil }
    }

    package static let applePaths = [
        "/.well-known/apple-app-site-association", "/apple-app-site-association",
    ]
    package static let assetLinksPath = "/.well-known/assetlinks.json"
    package static let sitemapPath = "/sitemap.xml"
    package static let manifestPath = "/site.webmanifest"
    /// Icons that browsers and previews request by convention.
    package static let iconPaths = [
        "/favicon.ico", "/apple-touch-icon.png", "/apple-touch-icon-precomposed.png",
    ]
    private static let associationPaths = PathTable(
        (applePaths.map { (Array($0.utf8), 0) }) + [(Array(assetLinksPath.utf8), 1)])

    /// Stands in the table of paths for the path of a directory with a page, without its slash.
    private static let directory = -1
    /// Stands in the table of paths for the redirect to the page of `change-password`.
    private static let changePassword = -2

    /// The path of an `index.html`'s directory without the slash at its end; nil for other files.
    private static func pathWithoutSlash(of file: String) -> String? {
        let index = "/index.html".utf8
        guard file.utf8.count > index.count, file.utf8.suffix(index.count).elementsEqual(index)
        else { return nil }
        return "/" + String(decoding: file.utf8.dropLast(index.count), as: UTF8.self)
    }

    /// A file has its own path; an `index.html` also has that of its directory.
    private static func paths(of file: String) -> [String] {
        let path = "/\(file)"
        let index = "index.html".utf8
        guard path.utf8.suffix(index.count + 1).elementsEqual("/index.html".utf8) else {
            return [path]
        }
        return [path, String(decoding: path.utf8.dropLast(index.count), as: UTF8.self)]
    }
}

/// The token of a challenge path: only base64url characters after the directory.
private func challengeToken(_ path: [UInt8], _ range: Range<Int>) -> Range<Int>? {
    let span = path.span
    var start = range.lowerBound
    for byte in challengeDirectory.utf8 {
        guard start < range.upperBound, span[start] == byte else { return nil }
        start += 1
    }
    guard (1...challengeTokenBytesMax).contains(range.upperBound - start) else { return nil }
    var index = start
    while index < range.upperBound {
        let byte = span[index]
        guard
            byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        else { return nil }
        index += 1
    }
    return start..<range.upperBound
}

private let challengeDirectory = "/.well-known/acme-challenge/"
/// Certificate authorities use 43 characters; longer tokens are not needed.
private let challengeTokenBytesMax = 128
