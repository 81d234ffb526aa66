private import Glibc

/// The stream for messages, as standard output is for data.
struct StandardError: TextOutputStream {
    mutating func write(_ string: String) {
        var rest = Array(string.utf8)[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
            }
            if written < 0, errno == EINTR { continue }
            // Nobody is left to be told that nobody listens.
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}

/// Prints a message for people.
func printMessage(_ message: some CustomStringConvertible) {
    var stream = StandardError()
    print(message, to: &stream)
}
