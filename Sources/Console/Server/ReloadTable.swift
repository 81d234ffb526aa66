internal import Diagnostics
private import Markup

/// The attempts to serve a configuration, the last first, and the findings of one that was refused.
struct ReloadTable {
    let health: ServerHealth

    func write(_ page: inout PageWriter) {
        page.element(
            "p", .servedGeneration,
            [
                "number": "\(health.generation)",
                "time": page.moment(seconds: health.servedSince),
            ])
        page.table(.reloads, [.text(.time), .text(.reloadOutcome), .text(.reloadReason)]) { page in
            for reload in health.reloads { write(reload, &page) }
        }
        guard let last = health.reloads.first, !last.findings.isEmpty else { return }
        let heading = last.outcome == .taken ? ConsoleText.reloadFindings : .refusedBecause
        page.element("h3", heading)
        page.findings(last.findings, heading)
    }

    private func write(_ reload: ReloadAttempt, _ page: inout PageWriter) {
        page.write("<tr><th scope=\"row\">\(page.moment(seconds: reload.first))")
        if reload.last != reload.first { page.value(" – \(page.moment(seconds: reload.last))") }
        page.raw("</th>")
        page.cellStart(.reloadOutcome)
        page.grade(reload.grade, Self.text(reload.outcome))
        page.raw("</td>")
        page.cell(.reloadReason, page.filled(Self.text(reload.reason)))
        page.raw("</tr>\n")
    }

    private static func text(_ outcome: ReloadAttempt.Outcome) -> ConsoleText {
        switch outcome {
        case .taken: .reloadTaken
        case .refused: .reloadRefused
        case .postponed: .reloadPostponed
        }
    }

    private static func text(_ reason: ReloadAttempt.Reason) -> ConsoleText {
        switch reason {
        case .start: .reloadAtStart
        case .ordered: .reloadOrdered
        case .changed: .reloadOfChange
        case .retried: .reloadRetried
        }
    }
}

extension ReloadAttempt {
    var grade: HealthGrade {
        switch outcome {
        case .taken: findings.contains { $0.severity == .error } ? .warning : .well
        case .refused: .unwell
        case .postponed: .warning
        }
    }
}
