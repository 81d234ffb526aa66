import Diagnostics

/// A path as build services have it. They do not find `./file` among the files of a change.
func repositoryPath(_ path: String) -> String {
    var rest = path.utf8[...]
    while rest.starts(with: "./".utf8) {
        rest = rest.dropFirst().drop { $0 == UInt8(ascii: "/") }
    }
    return rest.isEmpty ? path : String(Substring(rest))
}

extension Diagnostic {
    /// The finding as a GitHub workflow command, which GitHub shows beside the line.
    var workflowCommand: WorkflowCommand {
        let name: StaticString =
            switch severity {
            case .error: "error"
            case .warning: "warning"
            case .note: "notice"
            }
        var properties = [(name: StaticString, value: String)]()
        if let position {
            properties += [
                ("file", repositoryPath(position.file)), ("line", "\(position.line)"),
                ("col", "\(position.column)"),
            ]
        }
        let advice = advice?.utf8.split(separator: UInt8(ascii: "\n")) ?? []
        return WorkflowCommand(
            name: name, properties: properties + [("title", rule.rawValue)],
            lines: [message] + advice.map { String(decoding: $0, as: UTF8.self) })
    }
}
