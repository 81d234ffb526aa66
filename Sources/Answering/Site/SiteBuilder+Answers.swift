import Diagnostics
import Files
import HTTPMessages
import Resolution
import SiteConfiguration
import URISyntax

// Heads and bodies of everything that is answered from memory.

extension SiteBuilder {
    /// Prepares the generated resources, by the router's numbers; files come after them.
    mutating func prepare(
        _ router: Router, _ signedAssociation: [UInt8]?, _ store: inout ResponseBytes
    ) -> [Representation] {
        var prepared = [Representation]()
        for resource in router.resources {
            switch resource {
            case .appleAppSiteAssociation:
                prepared.append(prepareAssociation(signedAssociation, &store))
            case .assetLinks:
                prepared.append(
                    prepareFixed(
                        site.associations.assetlinks ?? [], type: "application/json", &store)
                )
            case .robots:
                prepared.append(
                    prepareFixed(
                        robots(hasSitemap: router.resource(at: Router.sitemapPath) != nil),
                        type: "text/plain; charset=utf-8", &store))
            case .sitemap:
                // What it lists is known once pages were read (`DeferredSitemap`).
                prepared.append(prepareFixed([], type: "application/xml; charset=utf-8", &store))
            case .manifest:
                prepared.append(prepareFixed(manifest(), type: "application/manifest+json", &store))
            case .wellKnown(let file):
                prepared.append(
                    prepareFixed(
                        site.wellKnown.bytes(of: file) ?? [], type: "application/json", &store))
            case .publicFile: return prepared
            }
        }
        return prepared
    }

    /// Says which pages of links are no public files.
    mutating func checkPages(_ router: Router) {
        for link in site.webLinks {
            for path in link.pages where router.file(at: path) == nil {
                failForMissingPage(path, at: link.position(of: .page(path)) ?? site.position)
            }
        }
    }

    /// Says which redirects never end. Only here is it known which paths have a public file.
    mutating func checkLoops(_ router: Router, _ resolver: LinkResolver) {
        guard !lacksPublicFiles else { return }
        var walk = RedirectWalk(site, resolver) { url, _ in (try? router.decide(url)) != .unmatched
        }
        for loop in walk.loops() {
            let (subject, position): (String, SourcePosition?)
            switch loop.start {
            case .link(let number):
                let link = resolver.links[number]
                (subject, position) = ("link \(quoted(link.key))", link.redirectPosition)
            case .unmatched: (subject, position) = ("`unmatched`", site.unmatchedPosition)
            case .changePassword: (subject, position) = ("`change-password`", nil)
            }
            let way = loop.paths.prefix(4).map { quoted($0) }.joined(separator: ", ")
            fail(
                .redirectLoop,
                at: position ?? site.position,
                "\(subject) redirects to a path of its own site that redirects again, without an "
                    + "end: \(way)",
                advice: "use another host, a page or `landing`; a slash at the end of a path makes "
                    + "no difference to links")
        }
    }

    private func prepareAssociation(
        _ signed: [UInt8]?, _ store: inout ResponseBytes
    ) -> Representation {
        let associations = site.associations
        let isSigned = signed != nil || associations.isSigned
        return prepareFixed(
            signed ?? associations.aasa ?? [],
            type: isSigned ? "application/pkcs7-mime" : "application/json", &store)
    }

    /// A generated file, sent as it is to everybody: no coding, so that its bytes are the same
    /// for every client.
    func prepareFixed(
        _ body: [UInt8], type: String, _ store: inout ResponseBytes
    ) -> Representation {
        store.addRepresentation(
            body: body, entityTag: "\"\(digest(body).prefix(16).hexadecimal)\"",
            fields: generatedFields(type: type))
    }

    /// The answers where nothing claims a path, for all and where a link has something for others.
    mutating func prepareFallbacks(
        _ router: Router, _ found: FoundFiles, _ store: inout ResponseBytes
    ) -> (all: Fallback, visitor: Fallback)? {
        // All but a page is answered anew each time, by who asks.
        guard case .page(let path, let code, let key) = site.unmatched else {
            return (.notFound, .notFound)
        }
        guard let number = router.file(at: path), let directory = found.directory else {
            failForMissingPage(path, at: key)
            return nil
        }
        guard code != 200, let status = Status(rawValue: code) else {
            return (.file(number), .file(number))
        }
        let file = found.files[number - router.fileNumbers.lowerBound]
        guard let body = readPage(file, directory) else { return nil }
        let fields =
            [
                "Content-Length: \(body.count)",
                "Content-Type: \(MediaTypes.type(of: path).text)",
                "X-Content-Type-Options: nosniff",
            ] + indexFields
        let configured = ConfiguredHeaders(site).fields(for: URLPath.of(file: file.relativePath))
        let head = store.addHead(status, fieldLines(configured.replacing(fields, isShared: true)))
        let position = store.add(body)
        let visitorHead = store.addHead(
            status, fieldLines(configured.replacing(fields + visitorFields, isShared: false)))
        return (
            .answer(PreparedAnswer(head: head, body: position)),
            .answer(PreparedAnswer(head: visitorHead, body: position))
        )
    }

    /// The field that keeps the pages of a closed environment out of search results, where
    /// robots.txt alone would let their addresses be listed.
    var indexFields: [String] { site.isClosedToRobots ? ["X-Robots-Tag: noindex"] : [] }
}

/// The fields that tell caches that another visitor may get something else.
let visitorFields = ["Cache-Control: private, no-cache", "Vary: User-Agent"]

/// The fields of what is generated for everybody. Caches between here and a device may keep an
/// association file for ten minutes: a mistake that was corrected should not live on in them.
func generatedFields(type: String) -> [String] {
    ["Content-Type: \(type)", "Cache-Control: max-age=600", "X-Content-Type-Options: nosniff"]
}

extension Link {
    /// The position of its first redirect.
    fileprivate var redirectPosition: SourcePosition? {
        web?.templates.first.flatMap { web?.position(ofRedirectTo: $0) }
    }
}
