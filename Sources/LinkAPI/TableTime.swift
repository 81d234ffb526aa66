import Diagnostics
import URISyntax

/// A time in a table, as exports, spreadsheets and people write it.
struct TableTime {
    let time: Timestamp
    /// The remark on the zone of the text, a predicate about the text; nil where the zone is clear.
    let remark: String?

    /// - Parameters:
    ///   - isEnd: whether something ends then. A day alone is its end in that case, and its beginning in others.
    ///   - zone: of a text that names none; nil for UTC, which is remarked on.
    /// - Returns: nil for what is no time, for a day that can be read in two ways, and for a year of two digits.
    init?(_ text: String, isEnd: Bool, zone: ZoneRules? = nil) {
        if let time = tableTime(text) {
            (self.time, remark) = Self.hasZone(text) ? (time, nil) : Self.local(time, in: zone)
            return
        }
        guard let other = OtherTime(text), !other.hasUnknownZone, !other.hasShortYear,
            let time = try? Timestamp(other.moment(isEnd: isEnd) + (other.zone ?? "Z"))
        else { return nil }
        guard let named = other.zone else {
            (self.time, remark) = Self.local(time, in: zone)
            return
        }
        self.time = time
        remark = other.hasZoneOfSeveral ? "names a zone, and is taken for the offset \(named)" : nil
    }

    /// The moment of a time that names no zone, as if it were of UTC, and the remark on it.
    private static func local(
        _ time: Timestamp, in zone: ZoneRules?
    ) -> (time: Timestamp, remark: String?) {
        guard let zone else { return (time, "has no zone, and is taken for UTC") }
        return (Timestamp(nearest: zone.moment(time.seconds)), nil)
    }

    /// Whether a time of a program has its zone. A number of seconds needs none.
    private static func hasZone(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.allSatisfy(\.isDigit)
            || bytes.dropFirst(19).contains { "Zz+-U".utf8.contains($0) }
    }
}

/// A time as programs write it into tables: RFC 3339, also with a space or without a zone, or seconds
/// or milliseconds since 1970. Days before months, or months before days, nobody can tell apart.
func tableTime(_ text: String) -> Timestamp? {
    if text.utf8.allSatisfy(\.isDigit) {
        return OtherTime.secondsSince1970(text).map { Timestamp(seconds: $0) }
    }
    var bytes = Array(text.utf8)
    if bytes.count > 10, bytes[10] == 0x20 { bytes[10] = UInt8(ascii: "T") }
    var written = String(decoding: bytes.prefix(19), as: UTF8.self)
    let zone = bytes.dropFirst(19).drop { $0 == UInt8(ascii: ".") || $0.isDigit }
    let isUTC = zone.isEmpty || zone.elementsEqual(" UTC".utf8)
    // ISO 8601 has a basic form of a zone, too, which RFC 3339 has not.
    let isBasic = zone.count == 5 && zone.dropFirst().allSatisfy(\.isDigit)
    let colon = isBasic ? [UInt8(ascii: ":")] : []
    let shown = zone.prefix(3) + colon + zone.dropFirst(3)
    written += isUTC ? "Z" : String(decoding: shown, as: UTF8.self)
    return try? Timestamp(written)
}
