import Diagnostics
import URISyntax

extension Diagnostic {
    /// The finding as a workflow command of GitHub's, which shows it beside the line.
    var workflowCommand: String {
        let kind = severity == .note ? "notice" : "\(severity)"
        var properties = [(String, String)]()
        if let place {
            properties += [
                ("file", place.file), ("line", "\(place.line)"), ("col", "\(place.column)"),
            ]
        }
        properties.append(("title", rule))
        let list = properties.map { "\($0)=\(escaped($1, also: ":,"))" }
            .joined(separator: ",")
        let text = [message, advice].compactMap(\.self).joined(separator: "\n")
        return "::\(kind) \(list)::\(escaped(text, also: ""))"
    }
}

/// Percent-encodes what would end the command or one of its properties.
private func escaped(_ text: String, also more: String) -> String {
    text.utf8.percentEncoded { !"%\r\n".utf8.contains($0) && !more.utf8.contains($0) }
}
