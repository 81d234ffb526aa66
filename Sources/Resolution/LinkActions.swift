import Associations
internal import LinkIndex
import SiteConfiguration

/// The actions of one link for each platform, compiled. It is a class, so that reading it copies
/// nothing.
final class LinkActions: Sendable {
    /// The period in which browsers get the link; nil if that does not depend on the time.
    let period: LinkPeriod?
    /// The actions after the end of that period; nil if it has none.
    let after: LinkActions?
    let stores: StorePages
    let takesParameters: Bool
    /// Whether the link has no action for any platform.
    let isEmpty: Bool
    /// Whether the link has a page.
    let hasPage: Bool
    let dependsOnVisitor: Bool
    /// Whether some platform gets a page or a redirect.
    let leadsSomewhere: Bool
    /// In the order of `WebPlatform.number`; empty if all platforms have the same action.
    private let choices: [Choice?]
    private let otherwise: Choice?
    /// The argument of the banner on the link's page; nil leaves it to the page.
    private let argument: Destination?
    /// The place to which a stored link leads besides its actions.
    let destination: Destination?
    /// Of the links that the star stands for; nil if it stands for none.
    let collectionNumber: UInt32?
    /// Whether letter case distinguishes them.
    let isExact: Bool
    /// The parts of Firebase Dynamic Links that they go on with.
    let firebase: FirebaseParts
    /// For each component of the link, if one of the URLs uses a star.
    private let stars: [StarCapture]

    /// The action for a platform. It is a class, so that reading it copies nothing.
    final class Choice: Sendable {
        let action: LinkAction<Destination>
        let reason: WebReason
        let leadsToStore: Bool

        init(action: LinkAction<Destination>, reason: WebReason) {
            (self.action, self.reason, leadsToStore) = (action, reason, action.isStore)
        }
    }

    /// - Parameters:
    ///   - apps: that are offered for the link.
    ///   - campaign: the environment's.
    convenience init(
        _ link: Link, offering apps: [App], _ campaign: Campaign, collection: CollectionName? = nil
    ) {
        self.init(
            link, link.web, offering: apps, campaign, collection,
            after: link.times?.after.map {
                LinkActions(link, $0, offering: apps, campaign, nil, after: nil)
            })
    }

    private init(
        _ link: Link, _ web: WebActions?, offering apps: [App], _ campaign: Campaign,
        _ collection: CollectionName?, after: LinkActions?
    ) {
        period = link.times?.period
        self.after = after
        hasPage = link.page != nil
        let campaign = link.campaign.over(campaign)
        stores = StorePages(OfferedApps(opening: apps), campaign)
        takesParameters = campaign.utm != false
        isEmpty = web == nil
        collectionNumber = collection?.number
        isExact = link.collection?.isExact ?? false
        firebase = link.collection?.firebase ?? []
        destination = link.destination.map { Destination($0) }
        let hasStore = stores.apple != nil || stores.google != nil
        let isConfined = link.collection?.isConfined ?? false
        func compiled(_ action: WebAction) -> LinkAction<Destination> {
            action.map { Destination($0, isConfined: isConfined) }
        }
        let otherwise = web?.otherwise.map { Choice(action: compiled($0), reason: .otherwise) }
        let own = web?.byPlatform ?? [:]
        choices =
            own.isEmpty
            ? []
            : WebPlatform.allCases.map { Self.choice(of: own, for: $0, compiled) ?? otherwise }
        self.otherwise = otherwise
        let all = choices.isEmpty ? [otherwise] : choices
        leadsSomewhere =
            all.contains { choice in
                switch choice?.action {
                case .page, .landing, .redirect: true
                case .store: hasStore
                case .notFound, .gone, nil: false
                }
            } || link.destination != nil
        dependsOnVisitor = !own.isEmpty || otherwise?.action.isSameForAll == false
        argument = link.page?.argument.map { Destination($0) }
        stars =
            link.takesStars || collection != nil
            ? link.components.map { StarCapture(RuleText($0)) } : []
    }

    /// An iPad gets what an iPhone does, unless it has an action of its own.
    private static func choice(
        of actions: [WebPlatform: WebAction], for platform: WebPlatform,
        _ compiled: (WebAction) -> LinkAction<Destination>
    ) -> Choice? {
        if let own = actions[platform] {
            return Choice(action: compiled(own), reason: .own(platform))
        }
        guard platform == .ipad, let kin = actions[.ios] else { return nil }
        return Choice(action: compiled(kin), reason: .iPhoneAction)
    }

    /// Nil if the link has no action for the platform.
    func choice(for platform: WebPlatform) -> Choice? {
        choices.isEmpty ? otherwise : choices[platform.number]
    }

    /// The redirect that every person gets at any time for a URL without a query; nil if there is none.
    var fixedRedirect: (location: [UInt8], status: RedirectStatus)? {
        guard let (destination, status) = onlyRedirect, let location = destination.constant else {
            return nil
        }
        return (location, status)
    }

    /// The same where the URL depends on one value of the path.
    var carryingRedirect: (destination: Destination, status: RedirectStatus)? {
        guard let redirect = onlyRedirect, redirect.destination.carriesOneValue else { return nil }
        return redirect
    }

    /// The redirect that is the action for every platform at any time.
    private var onlyRedirect: (destination: Destination, status: RedirectStatus)? {
        guard choices.isEmpty, period == nil, collectionNumber == nil,
            case .redirect(let destination, let status)? = otherwise?.action
        else { return nil }
        return (destination, status)
    }

    /// Finds the texts of the stars in the link's rule, if a URL needs them.
    func takeStars(_ rule: Int, of url: LinkURL, _ scratch: inout MatchScratch) {
        if !stars.isEmpty { stars[rule].take(from: url, &scratch) }
    }

    /// The argument of the banner on the URL's page; nil leaves it to the page. It does not repeat
    /// campaign parameters.
    /// - Parameter scratch: has the texts that the stars matched.
    func argument(for url: LinkURL, _ scratch: borrowing MatchScratch) -> String? {
        var bytes = [UInt8]()
        let filling = Destination.Filling(url, takesParameters: false)
        guard let argument, (try? argument.write(filling, scratch, to: &bytes)) != nil else {
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Link {
    /// Whether one of its URLs uses the text of a star.
    fileprivate var takesStars: Bool {
        guard components.contains(where: { $0.path?.utf8.contains(UInt8(ascii: "*")) == true })
        else { return false }
        let templates = self.templates + [page?.argument].compactMap(\.self)
        return templates.contains { $0.starsNeeded > 0 }
    }
}

extension WebPlatform {
    fileprivate var number: Int {
        switch self {
        case .ios: 0
        case .ipad: 1
        case .android: 2
        case .desktop: 3
        }
    }
}
