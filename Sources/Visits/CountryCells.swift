/// The part of some visits from one country that may be named, so that nobody is alone with a country: neither in an answer, nor in
/// what two answers about different days differ by.
///
/// Days with five visits or more are named. Of the other days of a week, from Monday on, the sum is named if it is five or more, and
/// of the other weeks of four weeks theirs. Such a period has to be whole: all of its days that are kept, and are not to come, are asked
/// for. So what is named of some days consists of sums of at least five, whichever days these are, and more days only add such sums.
package struct CountryCells: Sendable {
    /// The days that are asked for, since 1970.
    private let days: Range<Int>
    /// The first day that is kept, and today.
    private let firstKept, today: Int

    /// The least visits that are named.
    package static let visitsMin = 5

    /// - Parameters:
    ///   - days: since 1970. Those after today are left out.
    ///   - firstKept: the first day whose visits are kept.
    ///   - today: the day after which there are no visits yet.
    package init(_ days: Range<Int>, firstKept: Int, today: Int) {
        self.days = days.lowerBound..<max(days.lowerBound, min(days.upperBound, today + 1))
        (self.firstKept, self.today) = (firstKept, today)
    }

    /// The visits that are named.
    /// - Parameter counts: of one country by day; also of days that are not asked for.
    package func named(_ counts: [Int: Int]) -> Int {
        var (sum, weeks, months) = (0, [Int: Int](), [Int: Int]())
        for (day, count) in counts where days.contains(day) && count > 0 {
            if count >= Self.visitsMin {
                sum += count
            } else {
                weeks[week(of: day), default: 0] += count
            }
        }
        for (week, count) in weeks where isWhole(Self.weekDays * week - Self.daysBefore, weeks: 1) {
            if count >= Self.visitsMin {
                sum += count
            } else {
                months[floorQuotient(week, Self.monthWeeks), default: 0] += count
            }
        }
        for (month, count) in months where count >= Self.visitsMin {
            let first = Self.weekDays * Self.monthWeeks * month - Self.daysBefore
            if isWhole(first, weeks: Self.monthWeeks) { sum += count }
        }
        return sum
    }

    /// The visits of a day that are named where days are told apart.
    package func named(ofDay count: Int) -> Int { count >= Self.visitsMin ? count : 0 }

    /// 1970 began on a Thursday.
    private static let daysBefore = 3
    private static let weekDays = 7
    private static let monthWeeks = 4

    private func week(of day: Int) -> Int { floorQuotient(day + Self.daysBefore, Self.weekDays) }

    private func isWhole(_ first: Int, weeks: Int) -> Bool {
        first >= max(days.lowerBound, firstKept)
            && min(first + Self.weekDays * weeks, today + 1) <= days.upperBound
    }

    private func floorQuotient(_ number: Int, _ divisor: Int) -> Int {
        number >= 0 ? number / divisor : (number - divisor + 1) / divisor
    }
}
