internal import Glibc

/// A file's content, and whose it is.
package struct FileContent: Sendable {
    package let bytes: [UInt8]
    /// Its permissions, as chmod(1) takes them.
    package let mode: UInt32
    /// The number of the user that it belongs to.
    package let owner: UInt32
    /// Of the file when it was read.
    package let stamp: FileStamp
}

/// Whether permissions let every user read a file.
package func isReadableByAll(mode: UInt32) -> Bool { mode & UInt32(S_IROTH) != 0 }

/// Reads a regular file whole; symbolic links are followed.
/// - Parameter bytesMax: a larger file is refused before it is read.
/// - Throws: `changed` when it changes meanwhile.
package func readFile(_ path: String, bytesMax: Int) throws(FileError) -> FileContent {
    let file = try openFile(path)
    return try readWhole(file.number, bytesMax: bytesMax)
}

/// Reads the first bytes of a regular file; fewer if it has not so many.
package func readBeginning(of path: String, count: Int) throws(FileError) -> [UInt8] {
    let file = try openFile(path)
    _ = try check(file.number, bytesMax: .max)
    var filled = Result<Int, FileError>.success(0)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { bytes, used in
        unsafe filled = fill(UnsafeMutableRawBufferPointer(bytes), from: file.number)
        used = (try? filled.get()) ?? 0
    }
    _ = try filled.get()
    return bytes
}

/// Reads what a descriptor is open for, which must be a regular file.
func readWhole(
    _ file: CInt, bytesMax: Int, _ seam: TreeSeam? = nil
) throws(FileError) -> FileContent {
    let before = try check(file, bytesMax: bytesMax)
    seam?(.read)
    // Memory that was not written to yet costs nothing: a large file is written there once.
    var filled = Result<Int, FileError>.success(0)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: before.st_size) { bytes, count in
        unsafe filled = fill(UnsafeMutableRawBufferPointer(bytes), from: file)
        count = (try? filled.get()) ?? 0
    }
    _ = try filled.get()
    let stamp = FileStamp(before)
    guard stamp == FileStamp(try status(of: file)) else { throw .changed }
    return FileContent(
        bytes: bytes, mode: before.st_mode & 0o7777, owner: before.st_uid, stamp: stamp)
}

/// Reads a regular file in pieces of 64 KiB, all but the last, of which none stays in memory.
/// - Parameter bytesMax: a larger file is refused before it is read.
package func readFile(
    _ path: String, bytesMax: Int, each take: ([UInt8]) -> Void
) throws(FileError) {
    let file = try openFile(path)
    try readPieces(file.number, bytesMax: bytesMax, take)
}

/// Reads what a descriptor is open for, which must be a regular file, in such pieces.
func readPieces(_ file: CInt, bytesMax: Int, _ take: ([UInt8]) -> Void) throws(FileError) {
    let size = try check(file, bytesMax: bytesMax).st_size
    // One more than there are: a piece that is not full ends the file.
    var piece = [UInt8](repeating: 0, count: min(pieceBytes, size + 1))
    var total = 0
    while true {
        let filled = try unsafe piece.withUnsafeMutableBytes { bytes in
            unsafe fill(bytes, from: file)
        }.get()
        total += filled
        // It may grow for as long as it is read.
        guard total <= bytesMax else { throw .tooLarge(bytes: total, limit: bytesMax) }
        if filled == piece.count {
            take(piece)
        } else {
            return take(Array(piece[..<filled]))
        }
    }
}

/// Opens a file without waiting for the other end of a pipe.
func openFile(_ path: String) throws(FileError) -> OwnedDescriptor {
    // Without O_NONBLOCK, opening a pipe without a writer would never return.
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .current() }
    return OwnedDescriptor(file)
}

/// The status of a regular file that is not too large.
private func check(_ file: Int32, bytesMax: Int) throws(FileError) -> stat {
    let status = try status(of: file)
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notARegularFile }
    guard status.st_size <= bytesMax else {
        throw .tooLarge(bytes: status.st_size, limit: bytesMax)
    }
    return status
}

/// Reads until `bytes` are full or the file ends; how many were read.
/// - Parameter offset: where in the file; nil reads from where the last read has ended.
func fill(
    _ bytes: UnsafeMutableRawBufferPointer, from file: Int32, at offset: Int? = nil
) -> Result<Int, FileError> {
    var filled = 0
    while filled < bytes.count {
        let start = unsafe bytes.baseAddress.map { unsafe $0 + filled }
        let left = bytes.count - filled
        let count =
            if let offset {
                unsafe pread(file, start, left, offset + filled)
            } else {
                unsafe read(file, start, left)
            }
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { return .failure(.current()) }
        if count == 0 { break }
        filled += count
    }
    return .success(filled)
}

/// The most bytes read at once of a file that is not kept.
private let pieceBytes = 65536
