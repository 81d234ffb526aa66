internal import Glibc

/// Writes a new file whole, or none: when the disk is full, nothing is left of it. An existing one
/// is left alone and reported as `false`.
/// - Parameter mode: the permission bits, of which the umask may take some away.
package func createFile(_ path: String, _ bytes: [UInt8], mode: UInt32) throws(FileError) -> Bool {
    var status = stat()
    if unsafe lstat(path, &status) == 0 { return false }
    let draft = try writeDraft(of: path, bytes, mode: mode)
    defer { removeFile(draft) }
    if unsafe link(draft, path) == 0 { return true }
    switch errno {
    case EEXIST: return false
    // The file system has no second names for a file.
    case EPERM, EOPNOTSUPP, ENOSYS, EMLINK:
        try moveFile(draft, to: path)
        return true
    default: throw .current()
    }
}

/// Puts a file in its place whole: whoever reads at the same time sees the old or the new, and when
/// the disk is full the old one stays.
/// - Parameter mode: the permission bits, of which the umask may take some away.
package func replaceFile(_ path: String, _ bytes: [UInt8], mode: UInt32) throws(FileError) {
    let draft = try writeDraft(of: path, bytes, mode: mode)
    do throws(FileError) {
        try moveFile(draft, to: path)
    } catch {
        removeFile(draft)
        throw error
    }
}

/// Writes the file beside its place, and returns its path there.
private func writeDraft(
    of path: String, _ bytes: [UInt8], mode: UInt32
) throws(FileError) -> String {
    let draft = "\(path).\(getpid()).new"
    // One that a process of the same number left behind.
    removeFile(draft)
    let file = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard file >= 0 else { throw .current() }
    do throws(FileError) {
        try fill(file, bytes)
        return draft
    } catch {
        removeFile(draft)
        throw error
    }
}

/// Writes all, waits until the disk has it, and closes the file.
private func fill(_ file: CInt, _ bytes: [UInt8]) throws(FileError) {
    do throws(FileError) {
        try writeAll(bytes[...], to: file)
        // EINVAL: the file system keeps nothing that it could write later.
        guard fsync(file) == 0 || errno == EINVAL else { throw .current() }
    } catch {
        close(file)
        throw error
    }
    guard close(file) == 0 || errno == EINTR else { throw .current() }
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
