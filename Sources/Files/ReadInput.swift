internal import Glibc

/// Reads an input that a person names: a file, a pipe, or standard input for `-`. It waits for a
/// pipe's writer.
/// - Throws: `tooLarge` after more than `bytesMax` bytes.
package func readInput(_ path: String, bytesMax: Int) throws(FileError) -> [UInt8] {
    if path == "-" { return try readToEnd(STDIN_FILENO, bytesMax: bytesMax) }
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .current() }
    defer { close(file) }
    return try readToEnd(file, bytesMax: bytesMax)
}

private func readToEnd(_ file: Int32, bytesMax: Int) throws(FileError) -> [UInt8] {
    var bytes = [UInt8]()
    var piece = [UInt8](repeating: 0, count: 65536)
    while true {
        let count = try unsafe piece.withUnsafeMutableBytes { buffer in
            unsafe readPiece(of: file, into: buffer)
        }.get()
        if count == 0 { return bytes }
        bytes += piece[..<count]
        guard bytes.count <= bytesMax else {
            throw .tooLarge(bytes: bytes.count, limit: bytesMax)
        }
    }
}
