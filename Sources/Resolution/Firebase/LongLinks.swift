package import Associations
package import SiteConfiguration
package import URISyntax

/// A long link of Firebase Dynamic Links that was read: what its row of an export would have become.
package struct LongLink: Sendable {
    /// The parts of it that are not kept.
    package let notes: [FirebaseNote]
    /// The details besides its destination, as JSON; empty for none.
    package let details: [UInt8]
    let claim: StoredClaim
}

extension FirebaseFault {
    /// Names the parameter that a member was made of.
    /// - Parameter pointer: of the member.
    package init(at pointer: String, _ detail: String) {
        self.init(LongLinkCollection.parameter(of: pointer), detail)
    }
}

extension Link {
    /// The text before the star of each of its patterns.
    package var starPrefixes: [[UInt8]] {
        components.filter { !$0.exclude }.map { Array(($0.path ?? "/*").utf8.dropLast()) }
    }
}

extension LinkResolver {
    /// Whether a URL is a long link in place of what the router has decided: of a public file, but
    /// not of an association file.
    package func takesOver(_ decision: Decision, of router: Router, _ url: LinkURL) -> Bool {
        guard hasLongLinks, case .resource(let number) = decision,
            !router.resources[number].isAssociation
        else { return false }
        let url = plain(url) ?? url
        return longLinks.contains { $0.has(url) }
    }

    /// The long link that a URL is; nil for another one, or one that is refused.
    package func longLink(_ url: LinkURL) -> LongLink? {
        let url = plain(url) ?? url
        let collection = longLinks.first { $0.has(url) }
        return try? collection?.read(url, self)
    }

    /// Whether browsers that follow a URL on a host of the site ask for a stored link, one that is there or not, or
    /// for a long link. A destination that is one could lead back for ever.
    package func asksForStored(_ url: WebURL) -> Bool {
        guard let target = try? LinkURL("https://\(url.host)\(url.resolvedTarget)") else {
            return false
        }
        let url = plain(target) ?? target
        guard !longLinks.contains(where: { $0.has(url) }) else { return true }
        var scratch = MatchScratch()
        matcher.look(at: url, &scratch)
        var next = 0
        while let claim = claim(from: &next, &scratch) {
            let link = actions[claim.link]
            if link.collectionNumber != nil {
                return slug(of: url, link: claim.link, rule: claim.rule)?.isEmpty == false
            }
            // One that answers at any time leaves nothing for those behind it.
            if link.period == nil, !link.isEmpty { return false }
        }
        return false
    }

    /// Nil for a URL that is no long link.
    func decideLong(
        _ url: LinkURL, _ visitor: Visitor, _ scratch: inout LinkScratch
    ) -> WebDecision? {
        guard let collection = longLinks.first(where: { $0.has(url) }) else { return nil }
        let long: LongLink
        do throws(FirebaseFault) { long = try collection.read(url, self) } catch {
            return WebDecision(
                answer: .refused(error), link: collection.number, rule: collection.rule,
                reason: .refusedParameter, dependsOnVisitor: false, leadsToStore: false,
                passedOn: CampaignParameterSet(), hasEnded: false)
        }
        let stored = StoredMatch(id: 0, link: long.claim.link)
        scratch.longDetails = long.details
        if actions[collection.number].firebase.contains(.debug), url.asksForDebug {
            return debugging(collection.number, collection.rule, stored)
        }
        var claim = Claim(link: collection.number, rule: collection.rule)
        claim.stored = long.claim
        var decision = decide(claim, url, visitor, &scratch)
        decision.stored = stored
        return decision
    }

    /// The debug page of a link.
    func debugging(_ link: Int, _ rule: Int, _ stored: StoredMatch) -> WebDecision {
        WebDecision(
            answer: .debug, link: link, rule: rule, reason: .debugging, dependsOnVisitor: false,
            leadsToStore: false, passedOn: CampaignParameterSet(), hasEnded: false, stored: stored)
    }
}

extension LinkURL {
    /// Whether the query asks for the debug page.
    var asksForDebug: Bool {
        guard let queryRange else { return false }
        return bytes[queryRange].split(separator: UInt8(ascii: "&"))
            .contains { $0.elementsEqual("d=1".utf8) }
    }

    /// The URL that does not ask for it.
    package var withoutDebug: LinkURL {
        guard let queryRange else { return self }
        let items = bytes[queryRange].split(separator: UInt8(ascii: "&"))
            .filter { !$0.elementsEqual("d=1".utf8) }
        var text = Array(bytes[..<(queryRange.lowerBound - 1)])
        if !items.isEmpty {
            text += [UInt8(ascii: "?")] + items.joined(separator: [UInt8(ascii: "&")])
        }
        return (try? LinkURL(utf8: text)) ?? self
    }
}
