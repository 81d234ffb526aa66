import Diagnostics
import HTTPClient
import HTTPMessages
import Resolution
import Reviewing
import TLS
import URISyntax

/// Everything that happens to one link for one client.
struct LinkReport {
    let url: String
    let client: String
    let userAgent: String
    let environment: String
    let host: String
    /// Of the request; nil is now.
    let time: Timestamp?
    let visitor: Visitor
    /// Whether a site of the environment has the host.
    let hasSite: Bool
    /// The result for each app of the association file, if the file matters to this client.
    let apps: [AppAnswer]
    /// A note if there are no results, or if they depend on something; otherwise nil.
    let appsNote: String?
    let steps: RequestExplanation
    let response: FetchResponse
    /// Facts about such clients that do not depend on the configuration.
    let caveats: [String]

    /// For people.
    var lines: [String] {
        var lines = ["\(url)", "  asked by \(client): \(visitor.words)"]
        if let time { lines.append("  at \(time)") }
        lines.append("apps")
        if let appsNote { lines.append("  \(appsNote)") }
        lines += apps.map { "  \($0.sentence)" }
        lines.append("the web, in \(environment)")
        lines += steps.steps.map { "  \($0.isTaken ? "→" : " ") \($0.name): \($0.reason)" }
        lines.append("response")
        lines.append(
            "  \(response.status) \(response.head.reason), \(response.received.count) bytes")
        lines += response.head.fields.filter { $0.name != "Date" }.map {
            "  \($0.name): \($0.value)"
        }
        if !caveats.isEmpty {
            lines.append("to know")
            lines += caveats.map { "  \($0)" }
        }
        return lines
    }

    /// Scripts rely on this shape: members can be added, but are never renamed.
    var json: JSONText {
        .object([
            ("url", .string(url)), ("as", .string(client)),
            ("userAgent", .string(userAgent)), ("environment", .string(environment)),
            ("host", .string(host)), ("visitor", .string(visitor.words)),
            ("apps", .array(apps.map { $0.json(isVerbose: false) })),
            ("appsNote", .orNull(appsNote)),
            ("at", .orNull(time?.description)),
            ("link", .orNull(steps.link)),
            (
                "steps",
                .array(
                    steps.steps.map { step in
                        .object([
                            ("step", .string(step.name)), ("taken", .boolean(step.isTaken)),
                            ("reason", .string(step.reason)),
                        ])
                    })
            ),
            (
                "response",
                .object([
                    ("status", .number(response.status)),
                    (
                        "headers",
                        .object(response.head.combinedFields.map { ($0.name, .string($0.value)) })
                    ),
                    ("bodyBytes", .number(response.received.count)),
                    ("bodySHA256", .string(sha256(response.received).hexadecimal)),
                ])
            ),
            ("caveats", .strings(caveats)),
        ])
    }
}
