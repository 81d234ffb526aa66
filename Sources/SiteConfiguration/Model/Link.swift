package import Associations
package import Diagnostics

/// A link: its rules, and what browsers get for it. It is a class, so that environments and the
/// parts of a snapshot share it.
package final class Link: Hashable, Sendable {
    package let key: String
    /// The components of `exclude`, then those of `match`, each in the order of the file.
    package let components: [Component]
    /// The positions of the components, in their order; empty for a link that is in no file.
    package let positions: [ComponentPosition]
    package var page: LinkPage? { pageBox?.page }
    package let web: WebActions?
    package let campaign: Campaign
    /// Nil unless its star stands for stored links.
    package let collection: Collection?
    /// The place on the web to which a stored link leads besides its actions; nil for other links.
    package let destination: URLTemplate?
    /// The times at which browsers get the link; nil if it has none.
    package var times: LinkTimes? { timesBox?.times }
    // Most links have none, and one takes 300 bytes.
    private let pageBox: PageBox?
    private let timesBox: TimesBox?

    private final class PageBox: Sendable {
        let page: LinkPage

        init(_ page: LinkPage) { self.page = page }
    }

    private final class TimesBox: Sendable {
        let times: LinkTimes

        init(_ times: LinkTimes) { self.times = times }
    }

    package init(
        key: String, components: [Component], positions: [ComponentPosition] = [],
        page: LinkPage? = nil, web: WebActions? = nil, campaign: Campaign = Campaign(),
        times: LinkTimes? = nil, collection: Collection? = nil, destination: URLTemplate? = nil
    ) {
        self.key = key
        self.components = components
        self.positions = positions
        pageBox = page.map(PageBox.init)
        self.web = web
        self.campaign = campaign
        (self.collection, self.destination) = (collection, destination)
        timesBox = times.map(TimesBox.init)
    }

    package static func == (left: Link, right: Link) -> Bool {
        left === right
            || left.key == right.key && left.components == right.components
                && left.positions == right.positions && left.page == right.page
                && left.web == right.web && left.campaign == right.campaign
                && left.times == right.times && left.collection == right.collection
                && left.destination == right.destination
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(components)
    }
}

extension Link {
    /// The position of a key of the page, or else of the link's first rule.
    package func position(ofPage key: String) -> SourcePosition? {
        page?.positions[key] ?? positions.first?.whole
    }

    /// The position of the first of these actions that exists, or else of the link's first rule.
    package func position(of actions: WebAction...) -> SourcePosition? {
        actions.lazy.compactMap { self.web?.position(of: $0) ?? self.after?.position(of: $0) }.first
            ?? positions.first?.whole
    }

    /// The position of the first redirect to the URL, or else of the link's first rule.
    package func position(ofRedirectTo template: URLTemplate) -> SourcePosition? {
        web?.position(ofRedirectTo: template) ?? after?.position(ofRedirectTo: template)
            ?? positions.first?.whole
    }

    /// Every action for browsers, those after its end included.
    package var actions: [WebAction] { (web?.all ?? []) + (after?.all ?? []) }

    /// The URL paths of all pages that it shows.
    package var pages: [String] { (web?.pages ?? []) + (after?.pages ?? []) }

    /// The URLs of its actions.
    package var templates: [URLTemplate] { (web?.templates ?? []) + (after?.templates ?? []) }

    /// The actions for browsers after its end, or after that of its stored links.
    private var after: WebActions? { times?.after ?? collection?.after }

    /// Whether browsers can get something for it that other paths do not get.
    package var isForWeb: Bool {
        web != nil || page != nil || times?.after != nil || collection != nil
    }
}
