internal import JSONSyntax
private import URISyntax

/// All hours of a period, also those without visits, as the API names hours: in the clocks of a zone, with their offset.
struct HourSpan {
    /// In their order.
    private(set) var names = [String]()

    /// The hours of the longest period of which hours are kept.
    private static let hoursMax = 24 * 92

    /// - Parameters:
    ///   - answer: of the API, with the ends of the period.
    ///   - counted: the names of hours with visits, in their order. They say what the clocks show; between two of them, the clocks are
    ///     taken for those of the first.
    init(_ answer: JSONValue?, counted: [String]) {
        let ends = ["from", "to"].compactMap { name in
            answer?[name]?.text.flatMap { try? Timestamp($0).seconds / 3_600 }
        }
        var (known, order) = ([Int: (name: String, offset: Int)](), [Int]())
        for name in counted {
            guard let hour = Self.hour(name) else {
                names = counted
                return
            }
            // Of two things that are counted together, each hour is there several times.
            if known.updateValue((name, hour.offset), forKey: hour.number) == nil {
                order.append(hour.number)
            }
        }
        guard ends.count == 2, let first = order.min(), let earliest = known[first] else { return }
        // A period that is longer than hours are kept begins with the first of them.
        let begin = ends[1] - ends[0] > Self.hoursMax ? first : ends[0]
        guard begin < ends[1], ends[1] - begin <= Self.hoursMax else {
            names = counted
            return
        }
        // The period begins and ends with a day of these clocks.
        let start = begin == ends[0] ? Self.offset(answer, "firstDay", days: 0, ends[0]) : nil
        let end = Self.offset(answer, "lastDay", days: 1, ends[1])
        let isUniversal = earliest.name.utf8.last == UInt8(ascii: "Z")
        var offset = start ?? earliest.offset
        for number in begin..<ends[1] {
            if let own = known[number] {
                names.append(own.name)
                offset = own.offset
            } else {
                if number + 1 == ends[1], let end { offset = end }
                names.append(Self.name(number, isUniversal ? nil : offset))
            }
        }
        // What is not in the period is not left out.
        let others = order.filter { !(begin..<ends[1]).contains($0) }
        names += others.compactMap { known[$0]?.name }
    }

    /// The hours by which clocks are ahead at an end of a period.
    /// - Parameter days: behind the day that is named.
    private static func offset(
        _ answer: JSONValue?, _ name: String, days: Int, _ hour: Int
    ) -> Int? {
        let day = answer?[name]?.text.flatMap { try? Timestamp("\($0)T00:00:00Z").seconds / 3_600 }
        return day.map { $0 + 24 * days - hour }.flatMap { abs($0) <= 26 ? $0 : nil }
    }

    /// The hour of UTC that a name has, and the hours by which its clocks are ahead.
    private static func hour(_ name: String) -> (number: Int, offset: Int)? {
        let bytes = Array(name.utf8)
        guard bytes.count >= 20, bytes.count <= 25,
            let local = try? Timestamp(String(decoding: bytes.prefix(19), as: UTF8.self) + "Z")
        else { return nil }
        if bytes.count == 20 { return (local.seconds / 3_600, 0) }
        guard bytes.count == 25, bytes[19] == UInt8(ascii: "+") || bytes[19] == UInt8(ascii: "-"),
            let hours = Int(String(decoding: bytes[20...21], as: UTF8.self)), hours <= 26
        else { return nil }
        let offset = bytes[19] == UInt8(ascii: "-") ? -hours : hours
        return (local.seconds / 3_600 - offset, offset)
    }

    /// - Parameter offset: nil for UTC.
    private static func name(_ number: Int, _ offset: Int?) -> String {
        let moment = Timestamp(seconds: max(0, number + (offset ?? 0)) * 3_600).description
        guard let offset else { return moment }
        let hours = offset.magnitude
        return String(decoding: moment.utf8.dropLast(), as: UTF8.self)
            + "\(offset < 0 ? "-" : "+")\(hours < 10 ? "0" : "")\(hours):00"
    }
}
