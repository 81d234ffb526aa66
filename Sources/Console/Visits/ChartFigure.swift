private import Markup

extension PageWriter {
    /// A figure with a bar for each row, in a box of 640 to 120. Texts stand around the picture, because what is in it grows
    /// and shrinks with its width.
    /// Without visits it is a sentence.
    /// - Parameters:
    ///   - bars: writes the bars; the greatest row, which is at least 1, is 120 high.
    ///   - isOfHours: whether rows are hours and not days.
    mutating func chart(
        _ rows: [(name: String, total: Int)], isOfHours: Bool = false,
        bars: (_ most: Int, inout PageWriter) -> Void
    ) {
        let most = rows.max { $0.total < $1.total }
        let sum = rows.reduce(0) { $0 + $1.total }
        guard sum > 0 else { return hint(.noVisits) }
        let words = filled(
            .chartSummary,
            [
                "visits": counted(sum, .oneVisit, .sumOfVisits),
                "days": isOfHours
                    ? counted(rows.count, .oneHour, .severalHours)
                    : counted(rows.count, .oneDay, .severalDays),
                "day": day(most?.name ?? ""), "most": numeral(most?.total ?? 0),
            ])
        raw("<figure class=\"chart\">\n<p class=\"most\" aria-hidden=\"true\">")
        value(numeral(most?.total ?? 0))
        raw("</p>\n<svg viewBox=\"0 0 640 121\" preserveAspectRatio=\"none\" aria-hidden=\"true\">")
        raw("\n<path class=\"axis\" d=\"M0 120.5H640\"/>\n")
        bars(max(1, most?.total ?? 1), &self)
        raw("</svg>\n<p class=\"ends\" aria-hidden=\"true\"><span>")
        value(day(rows.first?.name ?? ""))
        raw("</span><span>")
        value(day(rows.last?.name ?? ""))
        raw("</span></p>\n<figcaption>")
        value(words)
        raw("</figcaption>\n</figure>\n")
    }
}

extension PageWriter {
    /// Many bars as one figure. Where there is more than one for a place of the chart, it is the highest of them.
    mutating func outline(_ totals: [Int], of most: Int) {
        let places = BarPlaces(count: totals.count)
        var (path, high) = ("", 0)
        for (index, total) in totals.enumerated() {
            let (x, width) = places.place(index)
            high = max(high, total)
            let isLast = index + 1 == totals.count
            guard isLast || places.place(index + 1).x > x else { continue }
            if high > 0 { path += "M\(x) 120v-\(max(1, high * 120 / most))h\(width)V120z" }
            high = 0
        }
        raw("<path class=\"bar\"")
        attribute("d", path)
        raw("/>\n")
    }
}

/// The places of bars in a chart, which is 640 wide.
struct BarPlaces {
    let count: Int

    /// Few bars stay bars, in the middle of their places; many have no gaps.
    func place(_ index: Int) -> (x: Int, width: Int) {
        let begin = index * 640 / max(1, count)
        let room = (index + 1) * 640 / max(1, count) - begin
        let width = max(1, min(room - (count > 160 ? 0 : 2), 24))
        return (begin + (room - width) / 2, width)
    }
}
