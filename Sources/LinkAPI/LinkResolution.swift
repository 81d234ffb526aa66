import Associations
import Diagnostics
import JSONSyntax
package import LinkIndex
import Resolution
import SiteConfiguration
import TLS
import URISyntax
package import Visits

// What an app is told of a link that has opened it: the system hands it the URL, and nothing else.

extension LinkAPI {
    /// Says to an app what a link says: `GET /_/resolve?url=`. Whoever has the link may know it, so it
    /// needs no token; it changes nothing, and counts nothing.
    /// - Parameters:
    ///   - items: of the query.
    ///   - now: seconds since 1970.
    ///   - host: of the request: only links of its site are resolved; nil for those of all sites.
    ///   - port: of the request's host; nil for that of https.
    package func resolve(
        _ items: [(name: String, value: String)], ifNoneMatch: String?, in index: LinkIndex?,
        at now: Int, on host: String? = nil, port: UInt16? = nil
    ) -> APIResponse {
        guard items.count == 1, items[0].name == "url",
            items[0].value.utf8.count <= Self.urlBytesMax
        else {
            return Problem(
                .query,
                "it has one item, url: the link as the app got it, escaped, of at most "
                    + "\(Self.urlBytesMax) bytes"
            ).response
        }
        let url = try? LinkURL(items[0].value)
        let isHere = url.map { $0.isAtOrigin(port: port) && isOfSite(of: host, $0) } ?? false
        // What cannot be a link here needs no look at the links.
        guard !isHere || index != nil else { return .unavailable("the links cannot be read now") }
        let found = isHere ? index.flatMap { resolved(items[0].value, in: $0, at: now) } : nil
        var response = APIResponse(
            found == nil ? 404 : 200,
            found?.json
                ?? .object([("url", .string(items[0].value)), ("state", .string("unknown"))]))
        let tag =
            "\"\(sha256(response.content).prefix(8).map { String($0, radix: 36) }.joined(separator: "-"))\""
        if found != nil, let ifNoneMatch, ifNoneMatch == "*" || ifNoneMatch.namesWeakly(tag) {
            response = APIResponse(304)
        }
        if found != nil { response.fields["ETag"] = tag }
        // A link that is made now is found by who asked for it before.
        response.fields["Cache-Control"] =
            found.map { "private, max-age=\($0.seconds)" } ?? "no-store"
        return response
    }

    /// Whether a URL is on a host of the same site as this one. A host answers nothing about other sites.
    private func isOfSite(of host: String?, _ url: LinkURL) -> Bool {
        host.map { site(of: url.host) === site(of: $0) } ?? true
    }

    /// An answer is kept so long, and no longer than until the link ends.
    private static let keptSeconds = 60

    private static let urlBytesMax = 4_096

    /// A link that an app asks for, and its decision for browsers.
    private struct AppLink {
        let url: LinkURL
        let site: APISite
        let link: Link
        let decision: WebDecision
        /// Nil for a link that is not stored.
        let record: LinkRecord?
        let details: JSONValue?
    }

    /// The data for the app of a URL, and where it leads; nil for one that is no link here.
    func appData(
        of text: String, in index: LinkIndex, at now: Int
    ) -> (app: JSONValue?, destination: String?)? {
        appLink(text, in: index, at: now).map { found in
            // Nobody is led to where a link has led until it ended.
            let record = found.decision.hasEnded ? nil : found.record
            let stored = record.map { String(decoding: $0.destination, as: UTF8.self) }
            return (found.details?["app"], stored.flatMap { $0.isEmpty ? nil : $0 })
        }
    }

    /// Nil for a URL that is no link here, or not yet, or disabled.
    private func appLink(_ text: String, in index: LinkIndex, at now: Int) -> AppLink? {
        var scratch = LinkScratch()
        scratch.index = index
        guard let (url, site, decision) = decided(text, at: now, &scratch) else { return nil }
        switch decision.reason {
        case .noLink, .unknownSlug, .disabledSlug, .notLookedUp, .dotSegment, .refusedParameter,
            .debugging:
            return nil
        case .own, .iPhoneAction, .otherwise, .otherPlatforms, .tooLong, .noAction, .noStore,
            .deletedSlug:
            break
        }
        guard let link = site.resolver.link(of: decision) else { return nil }
        let isLong = decision.stored?.id == 0
        let record = isLong ? nil : decision.stored.flatMap { _ in scratch.record }
        let details = (isLong ? scratch.longDetails : record?.details).flatMap { details in
            details.isEmpty ? nil : JSONDocument(details, file: "").root?.withoutDuplicates
        }
        return AppLink(
            url: url, site: site, link: link, decision: decision, record: record, details: details)
    }

    private func resolved(
        _ text: String, in index: LinkIndex, at now: Int
    ) -> (json: JSONText, seconds: Int)? {
        guard let found = appLink(text, in: index, at: now) else { return nil }
        let (url, details, decision) = (found.url, found.details, found.decision)
        // A long link stands for itself alone.
        let canonical =
            decision.stored?.id == 0
            ? url.description : canonical(url, found.site, found.link, found.record)
        var members: [(key: String, value: JSONText)] = [
            ("url", .string(text)), ("canonical", .string(canonical)),
            ("state", .string(decision.hasEnded ? "expired" : "active")),
        ]
        if let app = details?["app"] { members.append(("app", app.written)) }
        let campaign = url.campaign
        if !campaign.isEmpty { members.append(("campaign", .object(campaign))) }
        if let page = page(found.link, details) { members.append(("page", page)) }
        if case .redirect(let location, _) = decision.answer {
            members.append(("web", .string(String(decoding: location, as: UTF8.self))))
        }
        let end = found.record?.until ?? found.link.times?.period.until?.seconds
        // The second that is now may be over in a moment.
        let seconds = end.flatMap { $0 > now ? min($0 - now - 1, Self.keptSeconds) : nil }
        return (.object(members), seconds ?? Self.keptSeconds)
    }

    /// The decision for a browser that asks for a URL; nil for a URL that is of no link here.
    private func decided(
        _ text: String, at now: Int, _ scratch: inout LinkScratch
    ) -> (LinkURL, APISite, WebDecision)? {
        guard let url = (try? LinkURL(text))?.withoutDebug, url.isSecure,
            let site = site(of: url.host),
            let route = try? site.router.decide(url),
            route == .unmatched || route == .directory
                || site.resolver.takesOver(route, of: site.router, url)
        else { return nil }
        let browser = VisitorProfile.userAgent(of: "desktop-chrome") ?? ""
        return (
            url, site,
            site.resolver.decide(url, for: Visitor(userAgent: browser), at: now, &scratch)
        )
    }

    /// The URL that all URLs of the link stand for.
    private func canonical(
        _ url: LinkURL, _ site: APISite, _ link: Link, _ record: LinkRecord?
    ) -> String {
        guard let record,
            let collection = collections.first(where: { $0.name.number == record.collection })
        else { return "https://\(site.site.hosts[0])\(url.path.isEmpty ? "/" : url.path)" }
        let own = record.ownSlug.flatMap { $0.isEmpty ? nil : $0 } ?? record.slug
        return collection.url(String(decoding: own, as: UTF8.self))
    }

    private func page(_ link: Link, _ details: JSONValue?) -> JSONText? {
        let own = details?["page"]
        guard own != nil || link.page != nil else { return nil }
        let image =
            own == nil
            ? link.page?.image?.url
            : own?["image"].flatMap { image in image.text ?? image["url"]?.text }
        let texts = [
            ("title", own == nil ? link.page?.title : own?["title"]?.text),
            ("description", own == nil ? link.page?.description : own?["description"]?.text),
            ("image", image),
        ]
        let members = texts.compactMap { key, text in
            text.map { (key: key, value: JSONText.string($0)) }
        }
        return members.isEmpty ? nil : .object(members)
    }
}

extension LinkAPI {
    /// The answer to the head of a report that is refused before its content comes; nil for others.
    package func refusalOfOpens(
        type: String?, coding: String? = nil, isSecure: Bool
    ) -> APIResponse? {
        do throws(Problem) {
            // A report names a URL that was opened, which is nobody else's business.
            guard isSecure else { throw Problem(.notFound, "reports are taken over https only") }
            try checkCoding(coding ?? "")
            try checkType(type ?? "", ["application/json"])
            return nil
        } catch {
            return error.response
        }
    }

    /// Reads which links have opened an app: `POST /_/opens`. It needs no token, so it says nothing
    /// of a link, and each network may ask for little.
    /// - Parameters:
    ///   - network: of the client.
    ///   - milliseconds: since 1970.
    ///   - host: of the request: only opens of its site's links are counted; nil for those of all sites.
    /// - Returns: the answer, and what is to be counted.
    package func readOpens(
        _ content: [UInt8], from network: String, in index: LinkIndex?, at milliseconds: Int,
        on host: String? = nil
    ) -> (response: APIResponse, opens: [VisitKey]) {
        do throws(Problem) {
            if let seconds = openRates.take(network, at: milliseconds) {
                throw .tooMany(
                    "a network may report \(openRates.burst) times at once and "
                        + "\(openRates.perSecond) time a second", retryAfter: seconds)
            }
            guard jsonValueCountBesideStrings(content) <= Self.openValuesMax else {
                throw Self.tooManyOpens(
                    "the content has more than \(Self.openValuesMax) values and names")
            }
            let opens = try opens(anyJSON(content), at: milliseconds / 1_000)
            guard let index else { throw .store("the links cannot be read now") }
            var scratch = LinkScratch()
            scratch.index = index
            let keys = opens.compactMap { open -> VisitKey? in
                guard let (url, _, decision) = decided(open.url, at: open.time, &scratch),
                    isOfSite(of: host, url),
                    // A long link has no number, because it is not stored; it is not counted.
                    let found = decision.stored?.id, found > 0
                else { return nil }
                return VisitKey(
                    link: Int(found), hour: open.time / 3_600, open.isFirst ? .firstOpen : .open)
            }
            return (APIResponse(204), keys)
        } catch {
            return (error.response, [])
        }
    }

    private func opens(
        _ json: JSONValue, at now: Int
    ) throws(Problem) -> [(url: String, time: Int, isFirst: Bool)] {
        guard let elements = json.elements, elements.count <= Self.opensMax else {
            throw Self.tooManyOpens(
                json.elements.map {
                    "the list has \($0.count) objects, may have \(Self.opensMax)"
                } ?? "the content is \(json.kind), must be a list")
        }
        var (opens, faults) = ([(url: String, time: Int, isFirst: Bool)](), [PointedFault]())
        for (number, element) in elements.enumerated() {
            func fault(_ member: String, _ detail: String, _ advice: String) {
                faults.append(
                    PointedFault("/\(number)\(member)", .wrongValue, detail, advice: advice))
            }
            guard let members = element.members, let url = element["url"]?.text,
                url.utf8.count <= Self.urlBytesMax
            else {
                fault(
                    "", Self.fact(ofOpen: element),
                    #"write an object: {"url": "…"}, with the link as the app got it"#)
                continue
            }
            for member in members where !["url", "at", "first"].contains(member.key) {
                fault(
                    "/\(member.key)", "there is no member \(quoted(member.key))",
                    "leave it out; there are url, at and first")
            }
            var time = now
            if let at = element["at"] {
                let text = at.text.flatMap { try? Timestamp($0) }
                if text == nil {
                    fault(
                        "/at", "\(at.text.map(quoted) ?? at.kind) is no time with its zone",
                        "write 2027-01-01T00:00:00Z, or leave it out")
                }
                // Clocks of devices may be wrong by years.
                if let seconds = text?.seconds, (now - Self.openSecondsMax...now).contains(seconds)
                {
                    time = seconds
                }
            }
            let first = element["first"]
            if let first, first.boolean == nil {
                fault("/first", "it is \(first.kind)", "write true or false, or leave it out")
            }
            opens.append((url, time, first?.boolean == true))
        }
        guard faults.isEmpty else { throw .invalid(faults) }
        return opens
    }

    private static func tooManyOpens(_ fact: String) -> Problem {
        .invalid([
            PointedFault(
                "", .wrongValue, fact,
                advice: #"write [{"url": "…"}], and send more in another request"#)
        ])
    }

    private static func fact(ofOpen element: JSONValue) -> String {
        guard element.members != nil else { return "it is \(element.kind), must be an object" }
        guard let url = element["url"] else { return "it lacks its \"url\"" }
        guard let count = url.text?.utf8.count else { return "url is \(url.kind), must be a text" }
        return "url has \(count) bytes, may have \(urlBytesMax)"
    }

    private static let opensMax = 100
    /// So many opens have 700 of them; to read them all takes a loop 2 ms.
    private static let openValuesMax = 2_000
    private static let openSecondsMax = 7 * 86_400
}

extension LinkURL {
    /// True if its host is asked for without a user name, and at the port of https or at `port`: to
    /// others, this origin does not answer.
    func isAtOrigin(port own: UInt16?) -> Bool {
        !bytes[..<hostRange.lowerBound].contains(UInt8(ascii: "@"))
            && (port == nil || port == 443 || port == own)
    }

    /// Its UTM parameters, by their names without `utm_`; of one that is there twice, the first
    /// that has a value counts, as for redirects.
    fileprivate var campaign: [(key: String, value: JSONText)] {
        var seen = Set<[UInt8]>()
        return queryItems(query ?? "").compactMap { name, value in
            guard name.utf8.starts(with: "utm_".utf8), name.utf8.count > 4, !value.isEmpty,
                seen.insert(Array(name.utf8)).inserted
            else { return nil }
            return (String(decoding: name.utf8.dropFirst(4), as: UTF8.self), .string(value))
        }
    }
}
