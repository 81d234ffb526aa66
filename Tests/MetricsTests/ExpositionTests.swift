import Metrics
import Testing

@Suite("Metrics as Prometheus reads them")
struct ExpositionTests {
    private func page(_ format: ExpositionFormat) -> String {
        var page = Exposition(format)
        page.begin(MetricFamily("a_total", .counter, "Help with \\ and\nan \"end\"."))
        page.add(.integer(3), .init("x", "a\"b\\c\nd"), .init("y", 1))
        page.begin(MetricFamily("b_seconds", .gauge, "B."))
        page.add(.millionths(1_000_000))
        page.add(.millionths(1_050_020), [])
        page.add(.millionths(-200_003), [])
        page.begin(MetricFamily("c_bytes", .histogram, "C."))
        page.add(
            MetricHistogram(counts: [1, 0, 2], sum: .integer(9)), bounds: ["1.0", "2.0"],
            .init("r", "s"))
        return String(decoding: page.bytes, as: UTF8.self)
    }

    private let samples = #"""
        a_total{x="a\"b\\c\nd",y="1"} 3
        # HELP b_seconds B.
        # TYPE b_seconds gauge
        b_seconds 1
        b_seconds 1.050020
        b_seconds -0.200003
        # HELP c_bytes C.
        # TYPE c_bytes histogram
        c_bytes_bucket{r="s",le="1.0"} 1
        c_bytes_bucket{r="s",le="2.0"} 1
        c_bytes_bucket{r="s",le="+Inf"} 3
        c_bytes_sum{r="s"} 9
        c_bytes_count{r="s"} 3

        """#

    @Test func `the text format`() {
        let head = "# HELP a_total Help with \\\\ and\\nan \"end\".\n# TYPE a_total counter\n"
        #expect(page(.text) == head + samples)
    }

    @Test func `OpenMetrics declares counters without their suffix, and ends with a mark`() {
        let head = "# HELP a Help with \\\\ and\\nan \\\"end\\\".\n# TYPE a counter\n"
        #expect(page(.openMetrics) == head + samples + "# EOF\n")
    }

    @Test func `a gauge and a counter that differ by the suffix are two families in both formats`()
    {
        let families = [
            MetricFamily("d", .gauge, "D."), MetricFamily("d_total", .counter, "All D."),
        ]
        func declarations(_ format: ExpositionFormat) -> [Substring] {
            var page = Exposition(format)
            for family in families { page.begin(family) }
            return String(decoding: page.bytes, as: UTF8.self).split(separator: "\n")
                .filter { $0.hasPrefix("# TYPE ") }
        }
        #expect(declarations(.text) == ["# TYPE d gauge", "# TYPE d_total counter"])
        #expect(declarations(.openMetrics) == ["# TYPE d gauge", "# TYPE d_total unknown"])
    }

    static let prometheus =
        "application/openmetrics-text;version=1.0.0;q=0.5,"
        + "application/openmetrics-text;version=0.0.1;q=0.4,"
        + "text/plain;version=0.0.4;q=0.3,*/*;q=0.2"

    @Test(
        "the format is the one that the client likes better",
        arguments: [
            ("", .text), ("*/*", .text), ("text/plain", .text), (prometheus, .openMetrics),
            ("application/openmetrics-text", .openMetrics),
            ("application/openmetrics-text; version=1.0.0; charset=utf-8", .openMetrics),
            ("application/openmetrics-text; version=0.0.1", .text),
            ("application/openmetrics-text;q=0.2, text/plain;q=0.21", .text),
            ("application/openmetrics-text;q=0", .text), ("text/html, */*;q=0.1", .text),
            ("APPLICATION/OpenMetrics-Text;Q=0.5 , text/*;q=0.499", .openMetrics),
            (";;,,q=1", .text), ("application/openmetrics-text;q=x", .text),
        ] as [(String, ExpositionFormat)])
    func negotiates(_ accept: String, _ format: ExpositionFormat) {
        #expect(ExpositionFormat(accept: accept.utf8) == format)
    }
}
