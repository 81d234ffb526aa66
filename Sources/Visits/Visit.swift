/// What a request for a stored link is counted as.
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

/// What people got who visited a link.
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

/// What is counted together: requests for one link, within an hour, with these properties. Outcome
/// and platform are those of visits; of other classes they are 0.
package struct VisitKey: Hashable, Sendable {
    /// The number of the link (`LinkRecord.id`).
    package var link: Int
    /// Hours since 1970.
    package var hour: Int
    package var visitClass: VisitClass
    /// The outcome's raw value.
    package var outcome: UInt8 = 0
    /// The platform's place among all platforms.
    package var platform: UInt8 = 0

    package init(
        link: Int, hour: Int, _ visitClass: VisitClass, _ outcome: VisitOutcome = .page,
        platform: UInt8 = 0
    ) {
        (self.link, self.hour, self.visitClass) = (link, hour, visitClass)
        if case .visit = visitClass { (self.outcome, self.platform) = (outcome.rawValue, platform) }
    }

    package var day: Int { hour / 24 }

    /// In a word: 48 bits of the link, the lowest 8 of the hour, and the properties. It is never 0,
    /// because links are numbered from 1.
    @inline(__always)
    var packed: UInt64 {
        UInt64(truncatingIfNeeded: link) << 16 | UInt64(truncatingIfNeeded: hour & 0xFF) << 8
            | UInt64(visitClass.rawValue) << 4 | UInt64(outcome & 3) << 2 | UInt64(platform & 3)
    }

    /// - Parameter now: an hour at most 255 after that of the key.
    init?(packed: UInt64, now: Int) {
        guard let visitClass = VisitClass(rawValue: UInt8(packed >> 4 & 0xF)) else { return nil }
        link = Int(packed >> 16)
        hour = now - (now - Int(packed >> 8 & 0xFF)) & 0xFF
        self.visitClass = visitClass
        (outcome, platform) = (UInt8(packed >> 2 & 3), UInt8(packed & 3))
    }
}
