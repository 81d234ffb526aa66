internal import Diagnostics
private import Markup
private import URISyntax

extension PageWriter {
    /// A state in words, in a colour of its own.
    mutating func health(_ text: ConsoleText, isWell: Bool) {
        grade(isWell ? .well : .unwell, text)
    }

    /// A judgement in words.
    /// - Parameter text: in place of its own.
    mutating func grade(_ grade: HealthGrade, _ text: ConsoleText? = nil) {
        switch grade {
        case .well: raw("<span class=\"state live\">")
        case .notKnown: raw("<span class=\"state\">")
        case .warning, .unwell: raw("<span class=\"state unwell\">")
        }
        write("\(text ?? grade.text)</span>")
    }

    /// A day and a time for people, in UTC.
    func moment(seconds: Int) -> String {
        moment(Timestamp(nearest: seconds).description)
    }

    /// The time at which something was seen, and that it is old where it is.
    mutating func seen(
        _ seconds: Int?, oldAfter ageMax: Int?, now: Int, _ text: ConsoleText = .seenAt
    ) {
        guard let seconds else { return hint(.notSeenYet) }
        write("<p class=\"hint\">\(text, ["time": moment(seconds: seconds)])")
        if let ageMax, isOld(seconds, after: ageMax, now: now) {
            write(" <strong>\(.isOld)</strong>")
        }
        raw("</p>\n")
    }

    /// A sentence, and the reason in words of the server.
    mutating func reason(_ text: ConsoleText, _ reason: String) {
        remark { page in
            page.write("<p>\(text) ")
            page.foreign(reason)
            page.raw("</p>\n")
        }
    }

    /// The number of rows that a table leaves out.
    mutating func more(_ count: Int) {
        if count > 0 { hint(.moreRows, ["count": numeral(count)]) }
    }

    /// So many bytes, for people.
    func size(_ bytes: Int) -> String {
        for (unit, size) in [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
        where bytes >= size {
            let tenths = bytes / (size / 10)
            return "\(tenths / 10)\(setting.language == .de ? "," : ".")\(tenths % 10) \(unit)"
        }
        return "\(bytes) B"
    }

    /// A fact and its advice, in words of the server.
    mutating func finding(_ fact: String, _ advice: String?) {
        foreign(fact)
        guard let advice else { return }
        value(" – ")
        foreign(advice)
    }

    /// Findings, the worst first.
    mutating func findings(_ findings: [Diagnostic], _ caption: ConsoleText) {
        let sorted = findings.enumerated().sorted { left, right in
            (right.element.severity, left.offset) < (left.element.severity, right.offset)
        }
        table(
            caption, style: "links findings", [.text(.severity), .text(.finding), .text(.place)]
        ) { page in
            for (_, finding) in sorted.prefix(Self.findingsMax) { page.row(of: finding) }
        }
        more(findings.count - Self.findingsMax)
    }

    private mutating func row(of finding: Diagnostic) {
        write("<tr><th scope=\"row\">\(Self.text(finding.severity))</th>")
        cellStart(.finding, isProse: true)
        self.finding(finding.message, finding.advice)
        write(" <span class=\"quiet\">[\(finding.rule.rawValue)]</span></td>")
        cellStart(.place, isProse: true)
        value(finding.position.map { "\($0)" } ?? "–")
        raw("</td></tr>\n")
    }

    private static let findingsMax = 100

    private static func text(_ severity: Severity) -> ConsoleText {
        switch severity {
        case .error: .severityError
        case .warning: .severityWarning
        case .note: .severityNote
        }
    }
}
