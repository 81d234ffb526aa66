import Diagnostics

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
        let list = properties.map { "\($0)=\(escaped($1, also: [":", ","]))" }
            .joined(separator: ",")
        let text = [message, advice].compactMap(\.self).joined(separator: "\n")
        return "::\(kind) \(list)::\(escaped(text, also: []))"
    }
}

/// Percent-encodes what would end the command or one of its properties.
private func escaped(_ text: String, also more: Set<Unicode.Scalar>) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
        if ["%", "\r", "\n"].contains(scalar) || more.contains(scalar) {
            let digits = String(scalar.value, radix: 16, uppercase: true)
            result += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
        } else {
            result.unicodeScalars.append(scalar)
        }
    }
    return result
}
