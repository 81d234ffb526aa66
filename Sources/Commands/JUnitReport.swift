import Diagnostics
import Resolution
import SiteConfiguration

/// Link tests as the XML that build services read (the schema of Ant's JUnit task).
struct JUnitReport {
    let text: String

    init(suite: String, _ outcomes: [LinkTestOutcome]) {
        let failed = outcomes.count { !$0.failures.isEmpty }
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites>",
            "  <testsuite name=\"\(escaped(suite))\" tests=\"\(outcomes.count)\" "
                + "failures=\"\(failed)\" errors=\"0\">",
        ]
        for outcome in outcomes {
            let expectation = outcome.expectation
            let profile = expectation.profile.map { " as \($0)" } ?? ""
            let head =
                "    <testcase classname=\"\(escaped(expectation.environment))\" "
                + "name=\"\(escaped(expectation.url + profile))\" "
                + "file=\"\(escaped(expectation.place.file))\" line=\"\(expectation.place.line)\""
            guard !outcome.failures.isEmpty else {
                lines.append(head + "/>")
                continue
            }
            lines.append(head + ">")
            for failure in outcome.failures {
                let message = failure.sentence
                lines.append(
                    "      <failure message=\"\(escaped(message))\">"
                        + escaped("\(expectation.place): \(failure.reason ?? message)")
                        + "</failure>")
            }
            lines.append("    </testcase>")
        }
        lines += ["  </testsuite>", "</testsuites>"]
        text = lines.map { $0 + "\n" }.joined()
    }
}

/// XML 1.0 has no way to write most control characters.
private func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "&": result += "&amp;"
        case "<": result += "&lt;"
        case ">": result += "&gt;"
        case "\"": result += "&quot;"
        case "\n", "\r", "\t": result += "&#\(scalar.value);"
        case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}
