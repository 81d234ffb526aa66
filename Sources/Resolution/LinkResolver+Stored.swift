import Associations
import LinkIndex
package import SiteConfiguration
import URISyntax

// Stored links: what a link's star stands for is looked up in the index, and then decided by the
// same code as if the configuration had the link.

/// A stored link that was found for a URL.
package struct StoredMatch: Sendable {
    /// The number of the link (`LinkRecord.id`); 0 for a long link, which is not stored.
    package let id: UInt64
    /// The link for its answer; nil if it only leads to its destination, or is not answered.
    package let link: Link?
}

/// A stored link with its compiled actions.
final class StoredClaim: Sendable {
    let id: UInt64
    let link: Link
    let actions: LinkActions

    init(id: UInt64, _ link: Link, _ actions: LinkActions) {
        (self.id, self.link, self.actions) = (id, link, actions)
    }
}

extension LinkResolver {
    /// The number of a collection's name; nil for another link.
    /// - Parameter link: its number.
    package func collectionNumber(of link: Int) -> UInt32? { actions[link].collectionNumber }

    /// The decision for the text of a collection's star.
    func decideStored(
        _ claim: Claim, _ url: LinkURL, _ visitor: Visitor, at now: Int?,
        _ scratch: inout LinkScratch
    ) -> WebDecision {
        let collection = actions[claim.link]
        guard scratch.index != nil else {
            return unknown(.notLookedUp, claim, url, visitor, &scratch)
        }
        collection.takeStars(claim.rule, of: url, &scratch.match)
        guard !scratch.isGuesser, findSlug(collection, &scratch) else {
            return unknown(.unknownSlug, claim, url, visitor, &scratch)
        }
        let record = LinkRecordView(scratch.lookup.record.span)
        let isEarly = now.map { record.from ?? .min > $0 } ?? false
        switch record.state {
        case .active where !isEarly: break
        case .active: return unknown(.unknownSlug, claim, url, visitor, &scratch, record)
        case .disabled: return unknown(.disabledSlug, claim, url, visitor, &scratch, record)
        case .deleted:
            let filling = Destination.Filling(url, takesParameters: false)
            return WebDecision(
                answer: gone(claim, filling, visitor, &scratch), link: claim.link, rule: claim.rule,
                reason: .deletedSlug,
                dependsOnVisitor: true, leadsToStore: false, passedOn: CampaignParameterSet(),
                hasEnded: true, stored: StoredMatch(id: record.id, link: nil))
        }
        if collection.firebase.contains(.debug), url.asksForDebug {
            return debugging(claim.link, claim.rule, StoredMatch(id: record.id, link: nil))
        }
        let hasEnded = now.map { record.until ?? .max <= $0 } ?? false
        if !hasEnded, !record.changesRedirect, !record.destination.isEmpty,
            !visitor.kind.isProgram, collection.choice(for: visitor.platform) == nil
        {
            let filling = Destination.Filling(url, takesParameters: collection.takesParameters)
            if filling.parameters.found.isEmpty {
                scratch.location.removeAll(keepingCapacity: true)
                scratch.location += scratch.lookup.record[record.destination]
                return WebDecision(
                    answer: .redirect(scratch.location, .found), link: claim.link,
                    rule: claim.rule, reason: .otherwise, dependsOnVisitor: true,
                    leadsToStore: false, passedOn: CampaignParameterSet(), hasEnded: false,
                    stored: StoredMatch(id: record.id, link: nil))
            }
        }
        var claim = claim
        claim.hasEnded = hasEnded
        let stored = storedClaim(links[claim.link], record, in: scratch.lookup.record)
        claim.stored = stored
        var decision = decide(claim, url, visitor, &scratch)
        decision.stored = StoredMatch(id: stored.id, link: stored.link)
        // It can be changed at any time.
        decision.changesLater = true
        return decision
    }

    /// Finds the text of the star, without the slash that some programs put behind it.
    private func findSlug(_ collection: LinkActions, _ scratch: inout LinkScratch) -> Bool {
        guard let range = scratch.match.slugRange, let number = collection.collectionNumber
        else { return false }
        let text = scratch.match.starText[range]
        if !scratch.match.starsAreDecoded, text.contains(UInt8(ascii: "%")) {
            let slug = text.withoutNeedlessEscapes()
            return scratch.findStored(number, slug.span, isExact: collection.isExact)
        }
        return scratch.findStored(number, range, isExact: collection.isExact)
    }

    /// The text of a collection's star in a URL; nil if it stands for nothing.
    /// - Parameters:
    ///   - link: the collection's number.
    ///   - rule: the rule of it that matches.
    func slug(of url: LinkURL, link: Int, rule: Int) -> [UInt8]? {
        let url = plain(url) ?? url
        var scratch = MatchScratch()
        matcher.look(at: url, &scratch)
        actions[link].takeStars(rule, of: url, &scratch)
        return scratch.slugRange.map { Array(scratch.starText[$0]) }
    }

    private func storedClaim(
        _ link: Link, _ record: LinkRecordView, in bytes: [UInt8]
    ) -> StoredClaim {
        let period = LinkPeriod(
            from: record.from.map(Timestamp.init(seconds:)),
            until: record.until.map(Timestamp.init(seconds:)))
        let destination = String(decoding: bytes[record.destination], as: UTF8.self)
        let stored = link.stored(
            destination: destination.isEmpty ? nil : URLTemplate(destination),
            StoredDetails(stored: Array(bytes[record.details])),
            period: period.from == nil && period.until == nil ? nil : period)
        let actions = LinkActions(stored, offering: linkApps.offered(for: stored), siteCampaign)
        return StoredClaim(id: record.id, stored, actions)
    }

    /// Nothing tells a link that does not exist from one that is disabled, or not there yet. Where
    /// the environment has a page for what is not there, people get that.
    private func unknown(
        _ reason: WebReason, _ claim: Claim, _ url: LinkURL, _ visitor: Visitor,
        _ scratch: inout LinkScratch, _ record: LinkRecordView? = nil
    ) -> WebDecision {
        scratch.isMiss = reason != .notLookedUp
        var answer = WebAnswer.notFound
        switch unmatchedAction {
        case .landing where !visitor.kind.isProgram:
            let filling = Destination.Filling(url, takesParameters: false)
            var offer = offers.offer(
                filling, visitor, link: nil, webURL: nil, argument: nil, isThere: false,
                &scratch.apps)
            offer.status = 404
            answer = .landing(offer)
        case .page(_, let status, _) where status != 200: answer = .fallback
        default: break
        }
        return WebDecision(
            answer: answer, link: claim.link, rule: claim.rule, reason: reason,
            dependsOnVisitor: true, leadsToStore: false, passedOn: CampaignParameterSet(),
            hasEnded: false, stored: record.map { StoredMatch(id: $0.id, link: nil) })
    }
}

extension MatchScratch {
    /// The range of the text of a collection's star, without a slash behind it.
    fileprivate var slugRange: Range<Int>? {
        guard let range = starRange(1) else { return nil }
        let hasSlash = range.count > 1 && starText[range.upperBound - 1] == UInt8(ascii: "/")
        return hasSlash ? range.lowerBound..<range.upperBound - 1 : range
    }
}
