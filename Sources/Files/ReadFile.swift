internal import Glibc

/// A file's content, and when it was last changed.
package struct FileContent: Sendable {
    package let bytes: [UInt8]
    /// Seconds since 1970.
    package let modified: Int
    /// Its permissions, as chmod(1) takes them.
    package let mode: UInt32

    /// Whether they let every user read it.
    package var isReadableByAll: Bool { mode & UInt32(S_IROTH) != 0 }
}

/// Reads a regular file whole.
/// - Parameters:
///   - bytesMax: a larger file is refused before it is read.
///   - followingLinks: false refuses a symbolic link in the last place of the path.
package func readFile(
    _ path: String, bytesMax: Int, followingLinks: Bool = true
) throws(FileError) -> FileContent {
    // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followingLinks ? 0 : O_NOFOLLOW)
    let file = unsafe open(path, flags)
    guard file >= 0 else { throw .current() }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw .current() }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notARegularFile }
    guard status.st_size <= bytesMax else {
        throw .tooLarge(bytes: status.st_size, limit: bytesMax)
    }
    var bytes = [UInt8](repeating: 0, count: status.st_size)
    var filled = 0
    while filled < bytes.count {
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe read(file, buffer.baseAddress.map { unsafe $0 + filled }, buffer.count - filled)
        }
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw .current() }
        if count == 0 { break }
        filled += count
    }
    bytes.removeLast(bytes.count - filled)
    return FileContent(
        bytes: bytes, modified: status.st_mtim.tv_sec, mode: status.st_mode & 0o7777)
}

/// Writes a new file; an existing one is left alone and reported as `false`.
/// - Parameter mode: the permission bits, of which the umask may take some away.
package func createFile(_ path: String, _ bytes: [UInt8], mode: UInt32) throws(FileError) -> Bool {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    if file < 0, errno == EEXIST { return false }
    guard file >= 0 else { throw .current() }
    defer { close(file) }
    var written = 0
    while written < bytes.count {
        let count = unsafe bytes.withUnsafeBytes { buffer in
            unsafe write(
                file, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw .current() }
        written += count
    }
    return true
}

/// Creates a directory unless it is there.
package func createDirectory(_ path: String) throws(FileError) {
    if unsafe mkdir(path, 0o755) != 0, errno != EEXIST { throw .current() }
}

/// Takes `old`'s file to `new`, replacing what is there, in one step.
package func moveFile(_ old: String, to new: String) throws(FileError) {
    guard unsafe rename(old, new) == 0 else { throw .current() }
}

/// Removes a file if it is there.
package func removeFile(_ path: String) { unsafe unlink(path) }
