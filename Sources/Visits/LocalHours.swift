/// Hours of UTC as the clocks of a zone show them. Visits are counted by the hour of UTC, so the zone is a whole number
/// of hours ahead of it, or behind it, at each of them.
package struct LocalHours: Equatable, Sendable {
    /// Since 1970.
    private let first: Int
    private let offsets: [Int8]

    /// - Parameters:
    ///   - hours: of UTC, since 1970.
    ///   - offset: the seconds by which the zone is ahead of UTC at a moment, in seconds since 1970.
    /// - Returns: nil if the zone is not a whole number of hours ahead or behind at all of them.
    package init?(_ hours: Range<Int>, offset: (_ seconds: Int) -> Int) {
        var offsets = [Int8]()
        offsets.reserveCapacity(hours.count)
        for hour in hours {
            let (quotient, rest) = offset(hour * 3_600).quotientAndRemainder(dividingBy: 3_600)
            guard rest == 0, let own = Int8(exactly: quotient) else { return nil }
            offsets.append(own)
        }
        (first, self.offsets) = (hours.lowerBound, offsets)
    }

    /// The hours by which the zone is ahead of UTC.
    package func offset(at hour: Int) -> Int {
        offsets.isEmpty ? 0 : Int(offsets[min(max(hour - first, 0), offsets.count - 1)])
    }

    /// The day of the zone's calendar, in days since 1970.
    package func day(of hour: Int) -> Int {
        let local = hour + offset(at: hour)
        return local >= 0 ? local / 24 : (local - 23) / 24
    }
}
