import HTTPMessages

/// A point in time in the two forms of the access log, kept until the next one.
struct LogTime: Sendable {
    /// `2026-11-21T12:32:00.123Z` (RFC 3339).
    private(set) var timestamp = Array("0000-00-00T00:00:00.000Z".utf8)
    /// `21/Nov/2026:12:32:00 +0000`, as Apache and nginx write it.
    private(set) var local = Array("00/Xxx/0000:00:00:00 +0000".utf8)
    static let timestampCount = 24
    static let localCount = 26
    private var seconds = Int.min
    private var milliseconds = Int.min

    /// Sets the time in microseconds since 1970.
    mutating func set(_ microseconds: Int) {
        let now = microseconds / 1000
        guard now != milliseconds else { return }
        milliseconds = now
        if now / 1000 != seconds {
            seconds = now / 1000
            setSeconds()
        }
        let rest = now % 1000
        timestamp[20] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / 100)
        timestamp[21] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / 10 % 10)
        timestamp[22] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
    }

    /// From `Sat, 21 Nov 2026 12:32:00 GMT`.
    private mutating func setSeconds() {
        let date = HTTPDate.format(seconds)
        let (day, month, year, time) = (date[5..<7], date[8..<11], date[12..<16], date[17..<25])
        timestamp.replaceSubrange(0..<19, with: HTTPDate.formatTimestamp(seconds))
        local.replaceSubrange(0..<2, with: day)
        local.replaceSubrange(3..<6, with: month)
        local.replaceSubrange(7..<11, with: year)
        local.replaceSubrange(12..<20, with: time)
    }
}
