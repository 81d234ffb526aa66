import Diagnostics
import URISyntax

/// A time in a table, as exports, spreadsheets and people write it.
struct TableTime {
    let time: Timestamp
    /// Whether the text says its zone, which a number of seconds needs not; otherwise the time is of UTC.
    let hasZone: Bool
    /// How its zone was understood, a predicate about the text; nil where the text leaves no doubt.
    private(set) var remark: String?

    /// - Parameter isEnd: whether something ends then. A day alone is its end in that case, and its beginning in others.
    /// - Returns: nil for what is no time, and for a day that can be read in two ways.
    init?(_ text: String, isEnd: Bool) {
        let isNumber = text.utf8.allSatisfy(\.isDigit)
        // Eight digits are a day. Fewer are the days of a spreadsheet, and those since 1900 or 1904.
        if isNumber, text.utf8.count < 8 { return nil }
        if !isNumber || text.utf8.count > 8, let time = tableTime(text) {
            (self.time, hasZone) = (time, Self.hasZone(text))
            if !hasZone { remark = Self.noZone }
            return
        }
        guard let other = OtherTime(text), !other.hasUnknownZone else { return nil }
        let day = String(decoding: other.moment.utf8.prefix(10), as: UTF8.self)
        let moment = other.isDay && isEnd ? day + "T23:59:59" : other.moment
        guard let time = try? Timestamp(moment + (other.zone ?? "Z")) else { return nil }
        (self.time, hasZone) = (time, other.zone != nil)
        guard let zone = other.zone else {
            remark = Self.noZone
            return
        }
        if other.hasZoneOfSeveral { remark = "names a zone, and is taken for the offset \(zone)" }
    }

    private static let noZone = "has no zone, and is taken for UTC"

    private static func hasZone(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.allSatisfy(\.isDigit)
            || bytes.dropFirst(19).contains { "Zz+-U".utf8.contains($0) }
    }
}
