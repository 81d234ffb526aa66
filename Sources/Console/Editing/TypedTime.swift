private import URISyntax

/// A time as people type it into a form: in UTC, unless they write an offset.
enum TypedTime {
    /// The time as the API takes it. A text that is no time stays as it is, and the API refuses it by the name that it has.
    /// - Parameter isEnd: whether something ends then. A day alone is its end in that case, and its beginning in others.
    static func written(_ text: String, isEnd: Bool) -> String {
        // Other digits alone are a number of seconds, which people do not write.
        let isNumber = text.utf8.allSatisfy(\.isDigit) && text.utf8.count != 8
        guard !isNumber, let time = OtherTime(text), !time.hasUnknownZone else { return text }
        let moment =
            time.isDay && isEnd
            ? String(decoding: time.moment.utf8.prefix(10), as: UTF8.self) + "T23:59:59"
            : time.moment
        return moment + (time.zone ?? "Z")
    }

    /// The text of a field for a time of the API, as pages show times: `2026-12-31 22:00`.
    static func shown(_ text: String?) -> String {
        guard let text else { return "" }
        let bytes = text.utf8
        guard bytes.count == 20, bytes.last == UInt8(ascii: "Z") else { return text }
        let hasSeconds = !bytes.suffix(4).elementsEqual(":00Z".utf8)
        let time = bytes.dropFirst(11).dropLast(hasSeconds ? 1 : 4)
        return String(decoding: bytes.prefix(10) + [0x20] + time, as: UTF8.self)
    }
}
