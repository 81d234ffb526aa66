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
