private import Markup

/// The hosts that are checked from outside, with what was found at the last check.
struct CheckTable {
    let hosts: [CheckedHealth]?
    let now: Int

    private static let hostsMax = 200

    func write(_ page: inout PageWriter) {
        guard let hosts else { return page.hint(.nothingChecked) }
        let sorted = hosts.enumerated().sorted { left, right in
            let grades = [left.element.grade(at: now), right.element.grade(at: now)]
            return (grades[1], left.offset) < (grades[0], right.offset)
        }
        page.table(
            .liveChecks,
            [.text(.host), .text(.verdict), .text(.what), .text(.lastSeen), .text(.nextCheck)]
        ) { page in
            for (_, host) in sorted.prefix(Self.hostsMax) { write(host, &page) }
        }
        page.more(hosts.count - Self.hostsMax)
    }

    private func write(_ host: CheckedHealth, _ page: inout PageWriter) {
        page.write("<tr><th scope=\"row\">\(host.host)</th>")
        page.cellStart(.verdict)
        page.grade(host.grade(at: now), Self.text(host.verdict))
        page.raw("</td>")
        page.cellStart(.what, isProse: true)
        if let cause = host.cause { page.finding(cause, host.advice) } else { page.value("–") }
        page.raw("</td>")
        page.cellStart(.lastSeen)
        if let seen = host.seen {
            page.value(page.moment(seconds: seen))
        } else {
            page.words(.never)
        }
        if host.isOld(at: now) { page.write(" \(.isOld)") }
        page.raw("</td>")
        page.cell(.nextCheck, host.next.map { page.moment(seconds: $0) } ?? "–")
        page.raw("</tr>\n")
    }

    private static func text(_ verdict: CheckedHealth.Verdict?) -> ConsoleText {
        switch verdict {
        case .healthy: .verdictHealthy
        case .warning: .verdictWarning
        case .broken: .verdictBroken
        case .unchecked: .verdictUnchecked
        case nil: .notCheckedYet
        }
    }
}
