import Associations
import SiteConfiguration

// Generated pages: what the answers offer, and the URLs that they name.

extension LinkResolver {
    /// A page in place of a store that no app has, if a link or an app claims the path.
    func withoutStore(
        _ claim: Claim?, _ filling: Destination.Filling, _ visitor: Visitor,
        _ scratch: inout LinkScratch
    ) -> WebAnswer {
        let answer = offer(claim, filling, visitor, &scratch)
        switch answer {
        case .landing(let offer), .summary(let offer):
            let isClaimed = claim != nil || offer.opensOnApple || offer.opensOnAndroid
            return isClaimed ? answer : .notFound
        case .page, .redirect, .notFound, .gone, .fallback, .tooLong, .refused, .debug:
            return answer
        }
    }

    func offer(
        _ claim: Claim?, _ filling: Destination.Filling, _ visitor: Visitor,
        _ scratch: inout LinkScratch
    ) -> WebAnswer {
        let web = webURL(claim, filling, scratch.match)
        let link = claim.map { $0.stored?.link ?? links[$0.link] }
        let argument = claim.flatMap {
            ($0.stored?.actions ?? actions[$0.link]).argument(for: filling.url, scratch.match)
        }
        var offer = offers.offer(
            filling, visitor, link: link, webURL: web, argument: argument, &scratch.apps)
        offer.hasEnded = claim?.hasEnded == true
        return visitor.kind.isProgram ? .summary(offer) : .landing(offer)
    }

    /// The answer for a link that has ended or was deleted. People get a page with the way on that its
    /// collection has, or else the site.
    func gone(
        _ claim: Claim?, _ filling: Destination.Filling, _ visitor: Visitor,
        _ scratch: inout LinkScratch
    ) -> WebAnswer {
        guard visitor.group == .browser || visitor.group == .inAppBrowser else { return .gone }
        let link = claim.map { links[$0.link] }
        var ways = [LinkAction<Destination>]()
        if let claim, links[claim.link].collection != nil,
            let choice = actions[claim.link].choice(for: visitor.platform)
        {
            ways.append(choice.action)
        }
        if let unmatched { ways.append(unmatched) }
        var offer = offers.offer(
            filling, visitor, link: link,
            webURL: url(of: ways, filling, scratch.match), argument: nil,
            isThere: false, &scratch.apps)
        (offer.status, offer.isGone, offer.hasEnded) = (410, true, true)
        return .landing(offer)
    }

    /// The URL that the link has for computers, or for other platforms, or else that of
    /// `unmatched`.
    private func webURL(
        _ claim: Claim?, _ filling: Destination.Filling, _ scratch: borrowing MatchScratch
    ) -> String? {
        var wanted = [LinkAction<Destination>]()
        if let claim {
            let platforms: [WebPlatform] = [.desktop, .android, .ios, .ipad]
            let actions = actions(of: claim)
            wanted = platforms.compactMap { actions.choice(for: $0)?.action }
            if let destination = actions.destination {
                wanted.append(.redirect(destination, .found))
            }
        }
        return url(of: wanted + [unmatched].compactMap(\.self), filling, scratch)
    }

    /// The URL to which the first of the actions leads that lead to one.
    private func url(
        of actions: [LinkAction<Destination>], _ filling: Destination.Filling,
        _ scratch: borrowing MatchScratch
    ) -> String? {
        for action in actions {
            switch action {
            case .redirect(let destination, _):
                var location = [UInt8]()
                guard (try? destination.write(filling, scratch, to: &location)) != nil else {
                    continue
                }
                return String(decoding: location, as: UTF8.self)
            case .page(let path): return "https://\(filling.url.authority)\(path)"
            case .landing, .store, .notFound, .gone: continue
            }
        }
        return nil
    }
}
