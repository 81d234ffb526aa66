import Diagnostics

// Findings for people: the message, the line of the file, and the advice.

extension Diagnostic {
    /// The finding with the line under it and a caret under the column.
    func excerpted(from sources: inout SourceLines) -> [String] {
        guard let position, let line = sources.line(position.line, of: position.file) else {
            return [head] + adviceLines
        }
        let number = "\(position.line)"
        let margin = String(repeating: " ", count: number.utf8.count)
        let (shown, caret) = excerpt(of: line, column: position.column)
        return [head, "  \(number) | \(shown)", "  \(margin) | \(caret)^"] + adviceLines
    }
}

/// The part of a line around a column that fits a terminal, and the spaces before the caret below
/// it.
func excerpt(of line: ArraySlice<UInt8>, column: Int) -> (text: String, blanks: String) {
    let scalars = Array(String(decoding: line.prefix(lineBytesMax), as: UTF8.self).unicodeScalars)
    // Columns beyond the examined part have no caret.
    let position = min(max(0, column - 1), scalars.count)
    let first = position <= widthMax * 3 / 4 ? 0 : position - widthMax / 2
    let last = min(scalars.count, first + widthMax)
    let before = shown(scalars[first..<position])
    let cut = first > 0 ? "…" : ""
    let text = cut + before + shown(scalars[position..<last])
    // A line end that was cut away does not matter.
    let isCut = last < scalars.count || line.count > lineBytesMax
    return (text + (isCut ? "…" : ""), blanks(under: cut + before))
}

/// Text from outside for a terminal: escaped as in messages, with tabs as spaces.
private func shown(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var result = ""
    for scalar in scalars {
        switch scalar {
        case "\t": result += "    "
        case "\"", "\\": result.unicodeScalars.append(scalar)
        default: result += quoted(String(scalar)).dropFirst().dropLast()
        }
    }
    return result
}

/// As many spaces as the text is wide.
private func blanks(under text: String) -> String {
    String(repeating: " ", count: terminalColumns(text))
}

/// The number of columns of a line that are shown.
private let widthMax = 100
/// The number of bytes of a line that are examined, because a file can be one line of 8 MiB.
private let lineBytesMax = 65_536
