import Diagnostics
import Reviewing
import URISyntax

/// A command for GitHub's runner in the output of a step (Workflow commands for GitHub Actions).
struct WorkflowCommand {
    let name: StaticString
    let properties: [(name: StaticString, value: String)]
    /// The message, on as many lines as the page shows.
    let lines: [String]

    /// The command without its line end.
    var line: String {
        let list = properties.map { "\($0.name)=\(encoded($0.value, also: ":,"))" }
        let text = lines.map { encoded($0, also: "") }.joined(separator: "%0A")
        return "::\(name) \(list.joined(separator: ","))::\(text)"
    }
}

/// Percent-encodes characters that would end the command or one of its properties. The text was
/// escaped for the log before, which people read too.
private func encoded(_ text: String, also more: String) -> String {
    onOneLine(text).utf8.percentEncoded { $0 != UInt8(ascii: "%") && !more.utf8.contains($0) }
}

extension ReviewEntry {
    /// An annotation of the new version.
    /// - Parameter file: its file, if the change has no position.
    func workflowCommand(_ file: String) -> WorkflowCommand {
        var lines = [[scope, fact].compactMap(\.self).joined(separator: ": ")]
        if let url { lines.append([url, audience].filter { !$0.isEmpty }.joined(separator: ", ")) }
        if let before { lines.append("before: \(before)") }
        if let after { lines.append("now: \(after)") }
        if let note { lines.append(note) }
        return WorkflowCommand(
            name: isAlarming ? "warning" : "notice",
            properties: [
                ("file", position?.file ?? file), ("line", "\(position?.line ?? 1)"),
                ("title", alarm ?? "link change"),
            ], lines: lines)
    }
}
