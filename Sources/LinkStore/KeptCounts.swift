internal import Visits

/// The counts of hours and days that questions about many links have read, packed in memory: to step through their rows takes a
/// hundred times as long. Whoever changes a count of a time forgets the time here, and another program's write makes all of them be
/// forgotten. The latest ones are kept, so many as have room.
struct KeptCounts {
    /// A table whose key begins with a time.
    enum Table: String, CaseIterable {
        case hour, day

        /// The hours of a time of the table.
        var hours: Int { self == .hour ? 1 : 24 }
    }

    /// An hour or a day.
    struct Time: Hashable {
        let table: Table
        /// Since 1970.
        let number: Int

        /// Its first hour.
        var hour: Int { table.hours &* number }
    }

    private var counts = [Time: PackedCounts]()
    /// The counts of days whose times are all kept, for questions that do not tell their hours apart.
    private var days = [Int: PackedCounts]()
    private(set) var bytes = 0
    private let bytesMax: Int
    /// The writes of other programs that were noticed before the counts were read (`ForeignWrites`).
    private var foreignWrites = 0

    /// - Parameter bytesMax: their memory.
    init(bytesMax: Int = Self.bytesMax) { self.bytesMax = bytesMax }

    /// Some 20 million counts.
    static let bytesMax = 64 << 20
    /// The memory of a time beside its counts.
    private static let bytesOfTime = 96

    subscript(_ time: Time) -> PackedCounts? { counts[time] }

    /// The counts of all times of a day together: in the order of links, with one sum for each. They are made of those
    /// of the times, where these have links in common and there is room.
    /// - Parameter times: all of the day that the tables can have.
    /// - Returns: the counts, and the bytes of those of which they were made now; nil where the times are read one by one.
    mutating func joined(_ day: Int, _ times: [Time]) -> (counts: PackedCounts, madeOf: Int)? {
        if let own = days[day] { return (own, 0) }
        let all = times.compactMap { counts[$0] }
        let size = all.reduce(0) { $0 + $1.byteCount }
        guard all.count == times.count, all.count(where: { $0.byteCount > 0 }) > 1,
            bytes + size + Self.bytesOfTime <= bytesMax
        else { return nil }
        let own = PackedCounts.joined(all)
        days[day] = own
        bytes += own.byteCount + Self.bytesOfTime
        return (own, size)
    }

    private mutating func forget(day: Int) {
        guard let own = days.removeValue(forKey: day) else { return }
        bytes -= own.byteCount + Self.bytesOfTime
    }

    /// Keeps the counts of a time, in place of those of times before it if there is no room.
    mutating func keep(_ own: PackedCounts, of time: Time) {
        forget(time)
        let size = own.byteCount + Self.bytesOfTime
        if bytes + size > bytesMax {
            let before = counts.filter { $0.key.hour < time.hour }
            let room = (Array(before.values) + days.values).reduce(0) {
                $0 + $1.byteCount + Self.bytesOfTime
            }
            guard bytes - room + size <= bytesMax else { return }
            for day in days.keys { forget(day: day) }
            for first in before.keys.sorted(by: { $0.hour < $1.hour })
            where bytes + size > bytesMax { forget(first) }
        }
        counts[time] = own.trimmed
        bytes += size
    }

    mutating func forget(_ time: Time) {
        forget(day: time.hour / 24)
        guard let own = counts.removeValue(forKey: time) else { return }
        bytes -= own.byteCount + Self.bytesOfTime
    }

    /// Forgets all, unless no other program has written since they were read.
    /// - Parameter count: of the writes that were noticed so far.
    mutating func forget(before count: Int) {
        guard count != foreignWrites else { return }
        (counts, days, bytes, foreignWrites) = ([:], [:], 0, count)
    }

    /// Forgets the hours of a piece.
    mutating func forget(hoursOf piece: VisitPiece) {
        guard !counts.isEmpty else { return }
        var last: Int?
        for slot in piece.counts {
            let hour = VisitKey(packed: slot.key).hour
            if hour != last { forget(Time(table: .hour, number: hour)) }
            last = hour
        }
    }

    /// Forgets the times that `VisitTables.expire` changes.
    /// - Parameter first: the first hour that has counts.
    mutating func forget(expiredBy today: Int, firstHour first: Int) {
        let (hours, days) = (today - VisitStore.hoursKeptDays, today - VisitStore.daysKept)
        for time in counts.keys {
            let isChanged =
                switch time.table {
                case .hour: time.number < 24 * hours
                case .day: time.number >= first / 24 && time.number < hours || time.number < days
                }
            if isChanged { forget(time) }
        }
    }
}
