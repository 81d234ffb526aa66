import Diagnostics
import URISyntax

/// A command that GitHub's runner reads in the output of a step (Workflow commands for GitHub
/// Actions).
struct WorkflowCommand {
    let name: StaticString
    let properties: [(name: StaticString, value: String)]
    /// What it says, which the page shows in as many lines.
    let lines: [String]

    /// The command without its line end.
    var line: String {
        let list = properties.map { "\($0.name)=\(encoded($0.value, also: ":,"))" }
        let text = lines.map { encoded($0, also: "") }.joined(separator: "%0A")
        return "::\(name) \(list.joined(separator: ","))::\(text)"
    }
}

/// Percent-encodes what would end the command or one of its properties, once the text has been
/// escaped for the log, which people read as well.
private func encoded(_ text: String, also more: String) -> String {
    onOneLine(text).utf8.percentEncoded { $0 != UInt8(ascii: "%") && !more.utf8.contains($0) }
}
