import Compression
import Diagnostics
import Files
import HTTPMessages
import Pages
import Resolution
import SiteConfiguration
import TLS
import URISyntax

// Heads and bodies of everything that is answered from memory.

extension SnapshotBuilder {
    mutating func prepare(
        _ router: Router, _ files: [PublicFile], _ sitemap: Sitemap,
        _ signing: LoadedCertificate?, _ store: inout ResponseBytes
    ) -> [PreparedResource] {
        // By bytes: names that only look the same are those of two files.
        var byPath = [[UInt8]: PublicFile]()
        for file in files { byPath[Array(file.path.utf8)] = file }
        return router.resources.map { resource in
            switch resource {
            case .appleAppSiteAssociation:
                prepareAssociation(environment.associations.aasa ?? [], signing, &store)
            case .assetLinks:
                prepareFixed(
                    environment.associations.assetlinks ?? [], type: "application/json", &store)
            case .robots:
                prepareFixed(
                    robots(hasSitemap: router.resource(at: Router.sitemapPath) != nil),
                    type: "text/plain; charset=utf-8", &store)
            case .sitemap:
                prepareFixed(sitemap.xml, type: "application/xml; charset=utf-8", &store)
            case .manifest:
                prepareFixed(manifest(), type: "application/manifest+json", &store)
            case .publicFile(let path):
                prepare(byPath[Array(path.utf8)], path, &store)
            }
        }
    }

    /// The pages of links, once more with what tells caches that others may get another answer; by
    /// the numbers that the pages have for everybody.
    mutating func prepareVisitorPages(
        _ router: Router, _ files: [PublicFile], _ resources: inout [PreparedResource],
        _ store: inout ResponseBytes
    ) -> [Int: Int] {
        var numbers = [Int: Int]()
        func prepareAgain(_ path: String) -> Bool {
            guard let number = router.resource(at: path),
                case .publicFile(let name) = router.resources[number]
            else { return false }
            guard numbers[number] == nil else { return true }
            let file = files.first { $0.path.utf8.elementsEqual(name.utf8) }
            resources.append(prepare(file, name, &store, isForSome: true))
            numbers[number] = resources.count - 1
            return true
        }
        for link in environment.webLinks {
            for path in link.web?.pages ?? [] where !prepareAgain(path) {
                failForMissingPage(
                    "page \(quoted(path)) of link \(quoted(link.key))",
                    at: link.position(of: .page(path)) ?? environment.position)
            }
        }
        // What others get where a link has nothing for them.
        if case .page(let path, 200, _) = environment.unmatched, !environment.webLinks.isEmpty {
            _ = prepareAgain(path)
        }
        return numbers
    }

    mutating func prepareAssociation(
        _ json: [UInt8], _ signing: LoadedCertificate?, _ store: inout ResponseBytes
    ) -> PreparedResource {
        guard let signing, !environment.associations.isSigned else {
            let isSigned = environment.associations.isSigned
            return prepareFixed(
                json, type: isSigned ? "application/pkcs7-mime" : "application/json", &store)
        }
        do {
            let message = try signedMessage(json, by: signing.certificate)
            return prepareFixed(message, type: "application/pkcs7-mime", &store)
        } catch {
            fail(.unusableCertificate, at: signing.files.certificate.position, "\(error)")
            return prepareFixed([], type: "application/pkcs7-mime", &store)
        }
    }

    /// A generated file, sent as it is to everybody: no coding, so that its bytes are the same
    /// whoever asks.
    func prepareFixed(
        _ body: [UInt8], type: String, _ store: inout ResponseBytes
    ) -> PreparedResource {
        let representation = store.addRepresentation(
            .ok, body: body, entityTag: entityTag(body), modified: nil,
            fields: [
                "Content-Type: \(type)", "Cache-Control: max-age=\(associationMaxAgeSeconds)",
                "X-Content-Type-Options: nosniff",
            ])
        return PreparedResource(identity: representation, gzip: nil)
    }

    func prepare(
        _ file: PublicFile?, _ path: String, _ store: inout ResponseBytes, status: Status = .ok,
        isForSome: Bool = false
    ) -> PreparedResource {
        let body = file?.bytes ?? []
        let (type, isCompressible) = MediaTypes.type(of: path)
        let zipped = isCompressible && body.count >= gzipBytesMin ? gzip(body) : nil
        let isSmaller = zipped.map { $0.count < body.count } ?? false
        var fields =
            [
                "Content-Type: \(type)",
                "Cache-Control: \(isForSome ? "private, no-cache" : cacheControl(type, file))",
                "X-Content-Type-Options: nosniff",
            ] + indexFields
        let varies = (isSmaller ? ["Accept-Encoding"] : []) + (isForSome ? ["User-Agent"] : [])
        if !varies.isEmpty { fields.append("Vary: \(varies.joined(separator: ", "))") }
        let identity = store.addRepresentation(
            status, body: body, entityTag: entityTag(body), modified: file?.modified,
            fields: fields + (status == .ok ? ["Accept-Ranges: bytes"] : []))
        guard isSmaller, let zipped else { return .init(identity: identity, gzip: nil) }
        let gzip = store.addRepresentation(
            status, body: zipped, entityTag: entityTag(body, suffix: "-gzip"),
            modified: file?.modified, fields: fields + ["Content-Encoding: gzip"])
        return PreparedResource(identity: identity, gzip: gzip)
    }

    /// What everybody gets where nothing claims a path, and where a link has something for others.
    mutating func prepareFallbacks(
        _ router: Router, _ resources: [PreparedResource], _ visitorPages: [Int: Int],
        _ store: inout ResponseBytes
    ) -> (all: Fallback, visitor: Fallback)? {
        switch environment.unmatched {
        // All but a page is answered anew each time, by who asks.
        case .notFound, .landing, .store, .redirect: return (.notFound, .notFound)
        case .page(let path, let code, let key):
            guard let number = router.resource(at: path) else {
                failForMissingPage("page \(quoted(path))", at: key)
                return nil
            }
            guard code != 200, let status = Status(rawValue: code) else {
                return (.resource(number), .resource(visitorPages[number] ?? number))
            }
            let body = store.piece(resources[number].identity.body)
            let fields =
                [
                    "Content-Length: \(body.count)",
                    "Content-Type: \(MediaTypes.type(of: path).text)",
                    "X-Content-Type-Options: nosniff",
                ] + indexFields
            let head = store.addHead(status, fieldLines(fields))
            let position = store.add(body)
            let visitorHead = store.addHead(status, fieldLines(fields + visitorFields))
            return (
                .answer(PreparedAnswer(head: head, body: position)),
                .answer(PreparedAnswer(head: visitorHead, body: position))
            )
        }
    }

    /// What keeps the pages of a closed environment out of search results, where robots.txt alone
    /// would let their addresses be listed.
    var indexFields: [String] {
        environment.isClosedToRobots ? ["X-Robots-Tag: noindex"] : []
    }
}

/// A strong entity tag: the content's hash, of which 128 bits are enough.
func entityTag(_ body: [UInt8], suffix: String = "") -> String {
    "\"\(sha256(body).prefix(16).hexadecimal)\(suffix)\""
}

/// What tells caches that another visitor may get something else.
let visitorFields = ["Cache-Control: private, no-cache", "Vary: User-Agent"]

/// Pages are asked for again each time, and answered with 304; what they refer to may be kept for
/// an hour, unless it may still have been on its way when it was read.
private func cacheControl(_ type: String, _ file: PublicFile?) -> String {
    type.hasPrefix("text/html") || file?.isRecent == true ? "no-cache" : "max-age=3600"
}

/// Caches between here and a device may keep an association file for ten minutes: a mistake that
/// was corrected should not live on in them.
private let associationMaxAgeSeconds = 600
/// Smaller bodies do not become smaller on the wire.
private let gzipBytesMin = 256
