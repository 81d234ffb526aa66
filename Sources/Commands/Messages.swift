import Files

/// Prints a message for people; standard output is for data.
func printMessage(_ message: some CustomStringConvertible) {
    writeToStandardError("\(message)\n")
}
