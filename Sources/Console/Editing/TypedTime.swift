private import URISyntax

/// A time as people type it into a form: by the clocks of the site, unless they write an offset.
enum TypedTime {
    /// The time as the API takes it. A text that is no time stays as it is, and the API refuses it by the name that it has.
    /// - Parameter isEnd: whether something ends then. A day alone is its end in that case, and its beginning in others.
    static func written(_ text: String, isEnd: Bool, _ clock: SiteClock = .universal) -> String {
        // People write no numbers of seconds.
        guard OtherTime.secondsSince1970(text) == nil, let time = OtherTime(text),
            !time.hasUnknownZone, !time.hasShortYear
        else { return text }
        let moment = time.moment(isEnd: isEnd)
        guard time.zone == nil, let local = try? Timestamp("\(moment)Z") else {
            return moment + (time.zone ?? "Z")
        }
        return Timestamp(seconds: clock.calendarMoment(local.seconds)).description
    }

    /// The text of a field for a time of the API, as pages show times: `2026-12-31 22:00`.
    static func shown(_ text: String?, _ clock: SiteClock) -> String {
        guard let text else { return "" }
        guard text.utf8.count == 20, text.utf8.last == UInt8(ascii: "Z"),
            let seconds = try? Timestamp(text).seconds, clock.isShown(seconds)
        else { return text }
        let bytes = Array(clock.shown(seconds).utf8)
        let hasSeconds = !bytes.suffix(3).elementsEqual(":00".utf8)
        let time = bytes.dropFirst(11).dropLast(hasSeconds ? 0 : 3)
        let written = String(decoding: bytes.prefix(10) + [0x20] + time, as: UTF8.self)
        // What is read again is the same moment.
        return clock.isTwice(seconds) ? "\(written) \(clock.offsetText(at: seconds))" : written
    }
}
