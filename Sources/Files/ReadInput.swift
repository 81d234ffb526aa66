internal import Glibc

/// Reads an input that a person names: a file, a pipe, or standard input for `-`. It waits for a
/// pipe's writer.
/// - Throws: `tooLarge` after more than `bytesMax` bytes.
package func readInput(_ path: String, bytesMax: Int) throws(FileError) -> [UInt8] {
    var input = try InputPieces(path)
    var bytes = [UInt8]()
    while let piece = try input.next() {
        bytes += piece
        guard bytes.count <= bytesMax else { throw .tooLarge(bytes: bytes.count, limit: bytesMax) }
    }
    return bytes
}

/// Such an input in pieces, so that memory does not grow with it.
package struct InputPieces: ~Copyable {
    private let file: CInt
    private var piece = [UInt8](repeating: 0, count: 65_536)

    /// - Parameter path: `-` for standard input.
    /// - Throws: an error if it cannot be opened.
    package init(_ path: String) throws(FileError) {
        guard path != "-" else {
            file = STDIN_FILENO
            return
        }
        file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .current() }
    }

    deinit { if file > STDIN_FILENO { close(file) } }

    /// At most 64 KiB; nil at the end.
    package mutating func next() throws(FileError) -> [UInt8]? {
        let file = file
        let count = try unsafe piece.withUnsafeMutableBytes { buffer in
            unsafe readPiece(of: file, into: buffer)
        }.get()
        return count == 0 ? nil : Array(piece[..<count])
    }
}
