import Diagnostics
import Files

// Standard error, where commands say what is wrong; standard output is for data.

/// Prints a finding: its fact on one line, then its advice.
func printMessage(_ diagnostic: Diagnostic) {
    writeMessages([diagnostic.head] + diagnostic.adviceLines)
}

/// Prints a message of one line, whatever the texts hold that it repeats.
func printMessage(_ line: String) { printMessages([line]) }

/// Prints messages of one line each.
func printMessages(_ lines: [String]) { writeMessages(lines.map(onOneLine)) }

private func writeMessages(_ lines: [String]) {
    writeToStandardError(lines.map { $0 + "\n" }.joined())
}
