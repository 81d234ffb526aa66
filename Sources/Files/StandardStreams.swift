private import Glibc

/// Standard input as lines, read a piece at a time: memory does not grow with the stream.
package struct StandardInputLines: ~Copyable {
    private var buffer = [UInt8](repeating: 0, count: pieceBytes)
    private var start = 0
    private var end = 0
    private var isEnded = false

    /// Begins at the stream's next byte.
    package init() {}

    /// The next line without its end (LF or CRLF); nil after the last. A line over `lineBytesMax`
    /// comes in pieces.
    package mutating func next() -> [UInt8]? {
        var searched = start
        while true {
            if let newline = buffer[searched..<end].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = newline + 1 }
                let hasReturn = newline > start && buffer[newline - 1] == UInt8(ascii: "\r")
                return Array(buffer[start..<(hasReturn ? newline - 1 : newline)])
            }
            searched = end
            if isEnded || end - start >= lineBytesMax {
                defer { start = end }
                return start < end ? Array(buffer[start..<end]) : nil
            }
            let moved = searched - start
            fill()
            searched = start + moved
        }
    }

    private mutating func fill() {
        if start > 0 {
            buffer.replaceSubrange(0..<(end - start), with: buffer[start..<end])
            (start, end) = (0, end - start)
        }
        if buffer.count - end < pieceBytes {
            buffer += [UInt8](repeating: 0, count: pieceBytes)
        }
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe read(STDIN_FILENO, bytes.baseAddress.map { unsafe $0 + end }, pieceBytes)
            }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { isEnded = true } else { end += count }
            return
        }
    }
}

/// Standard output, written in large pieces; what is left is written by `flush`.
package struct StandardOutput: ~Copyable {
    private var buffer = [UInt8]()

    /// Nothing is waiting to be written.
    package init() { buffer.reserveCapacity(2 * pieceBytes) }

    /// Takes the bytes, and writes when enough have come together.
    package mutating func write(_ bytes: some Sequence<UInt8>) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= pieceBytes { flush() }
    }

    /// Writes what is waiting. Nobody is told when nobody reads any more.
    package mutating func flush() {
        writeAll(buffer, to: STDOUT_FILENO)
        buffer.removeAll(keepingCapacity: true)
    }
}

/// Opens /dev/null in place of standard streams that whoever started this process has closed.
/// Otherwise something else gets their numbers, and what is told there goes to that.
package func reserveStandardStreams() {
    while true {
        let number = unsafe open("/dev/null", O_RDWR)
        guard (STDIN_FILENO...STDERR_FILENO).contains(number) else {
            close(number)
            return
        }
    }
}

/// Whether somebody sits in front of this process: input or output is a terminal.
package var isAtTerminal: Bool { isatty(STDIN_FILENO) == 1 || isatty(STDOUT_FILENO) == 1 }

/// Whether a person looks at standard output.
package var isStandardOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

/// Writes all bytes to a stream, unless it fails.
func writeAll(_ bytes: [UInt8], to stream: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let written = unsafe rest.withUnsafeBytes { bytes in
            unsafe write(stream, bytes.baseAddress, bytes.count)
        }
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { return }
        rest = rest.dropFirst(written)
    }
}

private let pieceBytes = 65536
/// Longer than any URL that an app can be opened with.
private let lineBytesMax = 1 << 20
