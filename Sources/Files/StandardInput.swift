private import Glibc

/// A line of standard input.
package struct InputLine: Sendable {
    /// The whole line, or its beginning if it is too long.
    package let bytes: [UInt8]
    /// Whether the line has more than `bytesMax` bytes.
    package let isTooLong: Bool

    init(_ line: ArraySlice<UInt8>) {
        bytes = Array(line.prefix(Self.bytesMax))
        isTooLong = line.count > Self.bytesMax
    }

    /// More than any URL that an app can be opened with.
    package static let bytesMax = 1 << 20
}

/// Reads the available bytes; 0 at the end. It waits even if the stream is non-blocking, because
/// that may be the choice of another process that shares it.
func readPiece(
    of stream: CInt, into piece: UnsafeMutableRawBufferPointer
) -> Result<Int, FileError> {
    while true {
        let count = unsafe read(stream, piece.baseAddress, piece.count)
        if count >= 0 { return .success(count) }
        if errno == EAGAIN {
            waitForInput(stream)
        } else if errno != EINTR {
            return .failure(.current())
        }
    }
}

private func waitForInput(_ stream: CInt) {
    var wanted = pollfd(fd: stream, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&wanted, 1, -1)
}
