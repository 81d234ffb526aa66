import Diagnostics
import Files

// Messages on standard error; standard output is for data.

/// Prints a finding: its fact on one line, then its advice.
func printMessage(_ diagnostic: Diagnostic) {
    writeMessages([diagnostic.head] + diagnostic.adviceLines)
}

/// Prints a message of one line, with the texts in it escaped.
func printMessage(_ line: String) { printMessages([line]) }

/// Prints messages of one line each.
func printMessages(_ lines: [String]) { writeMessages(lines.map(onOneLine)) }

private func writeMessages(_ lines: [String]) {
    Progress.makeRoom()
    writeToStandardError(lines.map { $0 + "\n" }.joined())
}
