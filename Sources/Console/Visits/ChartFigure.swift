private import Markup

extension PageWriter {
    /// A figure with a bar for each row, in a box of 640 to 120. Texts stand around the picture, because what is in it grows
    /// and shrinks with its width.
    /// - Parameter bars: writes the bars; the greatest row, which is at least 1, is 120 high.
    mutating func chart(
        _ rows: [(name: String, total: Int)], bars: (_ most: Int, inout PageWriter) -> Void
    ) {
        let most = rows.max { $0.total < $1.total }
        let words = filled(
            .chartSummary,
            [
                "count": "\(rows.reduce(0) { $0 + $1.total })", "days": "\(rows.count)",
                "day": most?.name ?? "", "most": "\(most?.total ?? 0)",
            ])
        raw("<figure class=\"chart\">\n<p class=\"most\" aria-hidden=\"true\">")
        number(most?.total ?? 0)
        raw("</p>\n<svg viewBox=\"0 0 640 121\" preserveAspectRatio=\"none\" role=\"img\"")
        attribute("aria-label", words)
        raw(">\n<path class=\"axis\" d=\"M0 120.5H640\"/>\n")
        bars(max(1, most?.total ?? 1), &self)
        raw("</svg>\n<p class=\"ends\" aria-hidden=\"true\"><span>")
        value(rows.first?.name ?? "")
        raw("</span><span>")
        value(rows.last?.name ?? "")
        raw("</span></p>\n<figcaption>")
        value(words)
        raw("</figcaption>\n</figure>\n")
    }
}
