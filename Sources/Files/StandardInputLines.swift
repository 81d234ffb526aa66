private import Glibc

/// Standard input as lines, read in pieces, so that memory does not grow with the stream.
package struct StandardInputLines: ~Copyable {
    private var buffer = [UInt8](repeating: 0, count: pieceBytes)
    private var start = 0
    private var end = 0
    private var isEnded = false

    /// Starts at the stream's next byte.
    package init() {}

    /// The next line without its end (LF or CRLF); nil after the last. If a line is longer than
    /// `InputLine.bytesMax`, the rest is skipped.
    /// - Throws: an error if the stream cannot be read: it is closed, or a directory.
    package mutating func next() throws(FileError) -> InputLine? {
        var searched = start
        while true {
            if let newline = buffer[searched..<end].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = newline + 1 }
                let hasReturn = newline > start && buffer[newline - 1] == UInt8(ascii: "\r")
                return InputLine(buffer[start..<(hasReturn ? newline - 1 : newline)])
            }
            if isEnded {
                defer { start = end }
                return start < end ? InputLine(buffer[start..<end]) : nil
            }
            // One byte more than the limit, because it can be the CR of the line end.
            if end - start > InputLine.bytesMax + 1 {
                let line = InputLine(buffer[start..<end])
                try skipLine()
                return line
            }
            searched = end
            let moved = searched - start
            try fill()
            searched = start + moved
        }
    }

    /// Continues after the next line end.
    private mutating func skipLine() throws(FileError) {
        repeat {
            (start, end) = (0, 0)
            try fill()
            if let newline = buffer[..<end].firstIndex(of: UInt8(ascii: "\n")) {
                start = newline + 1
                return
            }
        } while !isEnded
        start = end
    }

    private mutating func fill() throws(FileError) {
        if start > 0 {
            buffer.replaceSubrange(0..<(end - start), with: buffer[start..<end])
            (start, end) = (0, end - start)
        }
        if buffer.count - end < pieceBytes { buffer += [UInt8](repeating: 0, count: pieceBytes) }
        let from = end
        let count = try unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe readPiece(of: STDIN_FILENO, into: .init(rebasing: bytes[from...]))
        }.get()
        if count == 0 { isEnded = true } else { end += count }
    }
}

private let pieceBytes = 65536
