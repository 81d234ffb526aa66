/// The kinds of requests for stored links that are counted apart.
package enum VisitClass: UInt8, CaseIterable, Sendable {
    /// A person's browser got a redirect or a page.
    case visit
    /// A person's browser got 404 or 410: the link is disabled, deleted, has ended or not begun.
    case notFound
    /// A program that is no browser of a person: a preview, a search engine, a library.
    case bot
    /// A browser fetched the link before somebody followed it.
    case prefetch
    /// HEAD: something asked whether the link is there.
    case probe
    /// The link has opened the app, which says so.
    case open
    /// The same, for the first time after the app was installed.
    case firstOpen

    /// Its name in metrics.
    package var name: String {
        switch self {
        case .visit: "visit"
        case .notFound: "not_found"
        case .bot: "bot"
        case .prefetch: "prefetch"
        case .probe: "probe"
        case .open: "open"
        case .firstOpen: "first_open"
        }
    }
}

/// The kinds of answers that people get who visit a link.
package enum VisitOutcome: UInt8, CaseIterable, Sendable {
    case page, redirect, store

    package var name: String {
        switch self {
        case .page: "page"
        case .redirect: "redirect"
        case .store: "store"
        }
    }
}

/// A link on a day.
package struct LinkDay: Hashable, Sendable {
    package let link: Int
    /// Days since 1970.
    package let day: Int

    package init(link: Int, day: Int) { (self.link, self.day) = (link, day) }

    /// In a word, in the order in which it is stored: 25 bits of the day, and 39 of the link.
    package var packed: UInt64 {
        UInt64(truncatingIfNeeded: day) << 39 | UInt64(truncatingIfNeeded: link & VisitKey.linkMax)
    }

    /// - Parameter packed: of a day.
    package init(packed: UInt64) {
        self.init(link: Int(truncatingIfNeeded: packed) & VisitKey.linkMax, day: Int(packed >> 39))
    }
}
