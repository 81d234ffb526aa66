package import Diagnostics

/// The actions of a link for browsers.
package struct WebActions: Hashable, Sendable {
    package let byPlatform: [WebPlatform: WebAction]
    /// For platforms that are not named; nil leaves the link to the environment's `unmatched`.
    package let otherwise: WebAction?
    /// The position of each of `all`; empty for a link that is in no file.
    private let positions: [SourcePosition]

    package init(
        byPlatform: [WebPlatform: WebAction] = [:], otherwise: WebAction? = nil,
        positions: [SourcePosition] = []
    ) {
        self.byPlatform = byPlatform
        self.otherwise = otherwise
        self.positions = positions
    }

    /// The same with an action for platforms that have none; it has no position.
    func orElse(_ action: WebAction) -> WebActions {
        WebActions(byPlatform: byPlatform, otherwise: otherwise ?? action, positions: positions)
    }

    /// Every action, in the order of the platforms.
    package var all: [WebAction] {
        let own = byPlatform.isEmpty ? [] : WebPlatform.allCases.compactMap { byPlatform[$0] }
        return otherwise.map { own + [$0] } ?? own
    }

    /// The first position of the action.
    package func position(of action: WebAction) -> SourcePosition? {
        zip(all, positions).first { $0.0 == action }?.1
    }

    /// The URL paths of all pages that it shows.
    package var pages: [String] {
        all.compactMap { if case .page(let path) = $0 { path } else { nil } }
    }

    /// The URLs of the actions.
    package var templates: [URLTemplate] {
        all.compactMap { if case .redirect(let template, _) = $0 { template } else { nil } }
    }

    /// The first position of a redirect to the URL.
    package func position(ofRedirectTo template: URLTemplate) -> SourcePosition? {
        let action = all.first { if case .redirect(template, _) = $0 { true } else { false } }
        return action.flatMap { position(of: $0) }
    }

    /// The action for a platform: an iPad has an iPhone's, unless it has one of its own.
    package func action(for platform: WebPlatform) -> WebAction? {
        byPlatform[platform] ?? (platform == .ipad ? byPlatform[.ios] : nil) ?? otherwise
    }
}

/// A platform that can have its own action.
package enum WebPlatform: String, Hashable, Sendable, CaseIterable {
    case ios, ipad, android, desktop
}

/// The action of a link for one platform, as a configuration states it.
package typealias WebAction = LinkAction<URLTemplate>

/// The action of a link for one platform. A redirect leads to a `Target`: a template of a
/// configuration, or what is compiled from it.
package enum LinkAction<Target: Sendable>: Sendable {
    /// A file of the public directory, by its URL path.
    case page(String)
    /// The page that is generated from the link's `page`.
    case landing
    /// The app's page in the platform's store.
    case store
    case redirect(Target, RedirectStatus)
    case notFound
    /// 410 (RFC 9110 §15.5.11).
    case gone

    /// The same action with another kind of target.
    package func map<Other>(_ transform: (Target) -> Other) -> LinkAction<Other> {
        switch self {
        case .page(let path): .page(path)
        case .landing: .landing
        case .store: .store
        case .redirect(let target, let status): .redirect(transform(target), status)
        case .notFound: .notFound
        case .gone: .gone
        }
    }

    /// Whether every visitor gets the same. Programs are not redirected; stores and generated pages
    /// depend on the visitor.
    package var isSameForAll: Bool {
        switch self {
        case .page, .notFound, .gone: true
        case .landing, .store, .redirect: false
        }
    }

    package var isStore: Bool { if case .store = self { true } else { false } }

    package var isPermanentRedirect: Bool {
        if case .redirect(_, let status) = self { status.isPermanent } else { false }
    }
}

/// The status of a redirect (RFC 9110 §15.4). 307 and 308 keep the method of the request; 301 and
/// 308 say that the redirect is permanent.
package enum RedirectStatus: Int, Hashable, Sendable, CaseIterable {
    case movedPermanently = 301
    case found = 302
    case temporaryRedirect = 307
    case permanentRedirect = 308

    package var isPermanent: Bool { self == .movedPermanently || self == .permanentRedirect }
}

extension LinkAction: Equatable where Target: Equatable {}
extension LinkAction: Hashable where Target: Hashable {}
