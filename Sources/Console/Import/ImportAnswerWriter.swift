private import Markup

/// Writes what an import does, or has done.
struct ImportAnswerWriter {
    let report: ImportAnswer

    /// Whether it is to come, or is done.
    enum Tense { case isToCome, isDone }

    /// The reason for which an import was not begun, or has not come to its end.
    func writeProblem(_ page: inout PageWriter) {
        guard let problem = report.problem else { return }
        page.faults { page in
            page.raw("<ul>\n")
            for finding in problem.all {
                page.raw("<li>")
                words(finding, &page)
                page.raw("</li>\n")
            }
            page.raw("</ul>\n")
        }
    }

    func writeCounts(_ page: inout PageWriter, _ tense: Tense) {
        let texts: [(String, ConsoleText)] =
            switch tense {
            case .isToCome:
                [
                    ("created", .willBeMade), ("changed", .willBeChanged),
                    ("unchanged", .willStay), ("refused", .willBeRefused),
                ]
            case .isDone:
                [
                    ("created", .wereMade), ("changed", .wereChanged), ("unchanged", .haveStayed),
                    ("refused", .wereRefused),
                ]
            }
        page.raw("<ul>\n")
        for (name, text) in texts where name == "created" || report[name] > 0 {
            page.write("<li>\(text, ["count": page.numeral(report[name])])</li>\n")
        }
        page.raw("</ul>\n")
    }

    func writeFindings(_ page: inout PageWriter) {
        guard !report.findings.isEmpty else { return }
        page.raw("<section>\n")
        page.element("h2", .importFindings)
        page.table(
            .importFindings, style: "links findings",
            [.text(.importLine), .text(.importOutcome), .text(.importReason)]
        ) { page in
            for row in report.findings {
                page.write("<tr><th scope=\"row\" data-label=\"\(page.filled(.importLine))\">")
                page.number(row.line)
                page.raw("</th><td>")
                page.words(row.isRefused ? .lineRefused : .lineTaken)
                page.raw("</td><td class=\"prose\">")
                if let url = row.url { page.write("<span class=\"address\">\(url)</span>") }
                for finding in row.problems.all { write(finding, isFault: true, &page) }
                for finding in row.warnings.all { write(finding, isFault: false, &page) }
                page.raw("</td></tr>\n")
            }
        }
        if report.moreFindings > 0 {
            page.hint(.moreFindings, ["count": page.numeral(report.moreFindings)])
        }
        page.raw("</section>\n")
    }

    private func write(_ finding: FormFindings.Finding, isFault: Bool, _ page: inout PageWriter) {
        page.raw(isFault ? "<p class=\"fault\">" : "<p>")
        if let heading = finding.heading { page.write("\(heading): ") }
        words(finding, &page)
        page.raw("</p>\n")
    }

    /// A finding whose advice names the field of the form, where that of the API is for programs and the command line.
    private func words(_ finding: FormFindings.Finding, _ page: inout PageWriter) {
        let own: [(String, ConsoleText)] = [
            ("(--mode upsert)", .adviseExisting), ("(--mode create)", .adviseNew),
            ("(--domain)", .adviseDomain), ("(--columns)", .adviseColumns),
        ]
        guard let advice = finding.advice,
            let text = own.first(where: { advice.contains($0.0) })?.1
        else { return page.finding(finding) }
        var plain = finding
        plain.advice = nil
        page.finding(plain)
        page.write(" <span class=\"advice\">– \(text)</span>")
    }

    /// The first links that are made, and those that are changed.
    func writeLinks(_ page: inout PageWriter) {
        for (urls, count, title) in [
            (report.changed, report["changed"], ConsoleText.changedLinks),
            (report.made, report["created"], .madeLinks),
        ] where !urls.isEmpty {
            page.raw("<details class=\"group\"><summary>")
            page.words(title, ["count": page.numeral(count)])
            page.raw("</summary>\n<ul>\n")
            for url in urls { page.element("li", value: url) }
            page.raw("</ul>\n")
            if count > urls.count {
                page.hint(.moreFindings, ["count": page.numeral(count - urls.count)])
            }
            page.raw("</details>\n")
        }
    }
}
