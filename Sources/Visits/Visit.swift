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

/// The key of a count: requests for one link, within an hour, with these properties. Outcome
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

    /// In a word, in the order in which it is stored: 20 bits of the hour (until the year 2089), 39
    /// of the link, and 5 of the properties.
    package var packed: UInt64 {
        UInt64(truncatingIfNeeded: hour) << 44 | UInt64(truncatingIfNeeded: link & Self.linkMax)
            << 5
            | UInt64(kind)
    }

    /// - Parameter packed: of a key.
    package init(packed: UInt64) {
        (link, hour) = (Int(packed >> 5) & Self.linkMax, Int(packed >> 44))
        (visitClass, outcome, platform) = Self.properties(UInt8(packed & 31))
    }

    /// The properties as one number: for visits outcome and platform, and one for each other class.
    package var kind: UInt8 {
        if case .visit = visitClass { return outcome << 2 | platform & 3 }
        return Self.kind(of: visitClass)
    }

    /// - Parameter kind: of a key; other numbers are those of a visit.
    package init(link: Int, hour: Int, kind: UInt8) {
        (self.link, self.hour) = (link, hour)
        (visitClass, outcome, platform) = Self.properties(kind)
    }

    private static func properties(_ kind: UInt8) -> (VisitClass, UInt8, UInt8) {
        guard kind >= kindsOfVisits, let other = VisitClass(rawValue: kind - kindsOfVisits + 1)
        else { return (.visit, min(kind >> 2, 2), kind & 3) }
        return (other, 0, 0)
    }

    /// The number of requests that are no visits of people.
    @inlinable @inline(__always)
    package static func kind(of other: VisitClass) -> UInt8 { kindsOfVisits - 1 + other.rawValue }

    @inlinable package static var kindsOfVisits: UInt8 { 12 }
    /// Links are numbered from 1 by the store, one after the other.
    package static let linkMax = (1 << 39) - 1
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
        self.init(link: Int(packed) & VisitKey.linkMax, day: Int(packed >> 39))
    }
}
