/// A part of some hours, which ends where a day ends: so a day whose hours are not kept any more is in one part.
package struct VisitPart: Sendable {
    /// Since 1970.
    package let hours: Range<Int>

    /// - Parameter days: at most so many.
    package init(of hours: Range<Int>, days: Int) {
        let end = (hours.lowerBound / 24 + days) * 24
        self.hours = hours.lowerBound..<min(max(end, hours.lowerBound), hours.upperBound)
    }

    /// The days of the hours, since 1970.
    package var days: Range<Int> { hours.lowerBound / 24..<(hours.upperBound + 23) / 24 }
}
