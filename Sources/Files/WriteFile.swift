internal import Glibc

/// Creates a new file completely or not at all, for example if the disk is full. Returns false if
/// the file exists.
/// - Parameter mode: the permission bits, before the umask.
package func createFile(_ path: String, _ bytes: [UInt8], mode: UInt32) throws(FileError) -> Bool {
    var status = stat()
    if unsafe lstat(path, &status) == 0 { return false }
    let draft = try writeDraft(of: path, bytes, mode: mode)
    defer { removeFile(draft) }
    if unsafe link(draft, path) == 0 { return true }
    switch errno {
    case EEXIST: return false
    // The file system has no hard links.
    case EPERM, EOPNOTSUPP, ENOSYS, EMLINK:
        try moveFile(draft, to: path)
        return true
    default: throw .current()
    }
}

/// Replaces a file in one step: a reader sees the old or the new content, and if the disk is full
/// the old file stays.
/// - Parameter mode: the permission bits, before the umask.
/// - Throws: `missing` if there is no directory for the file.
package func replaceFile(_ path: String, _ bytes: [UInt8], mode: UInt32) throws(FileError) {
    let draft = try writeDraft(of: path, bytes, mode: mode)
    do throws(FileError) {
        try moveFile(draft, to: path)
    } catch {
        removeFile(draft)
        throw error
    }
}

/// Writes what a command makes: replaces a file in one step, but writes to a device, a pipe, or
/// the target of a symbolic link, which stay what they are.
/// - Parameter mode: the permission bits, before the umask.
package func writeOutput(_ path: String, _ bytes: [UInt8], mode: UInt32) throws(FileError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else {
        return try replaceFile(path, bytes, mode: mode)
    }
    let file = unsafe open(path, O_WRONLY | O_TRUNC | O_CREAT | O_CLOEXEC, mode)
    guard file >= 0 else { throw .current() }
    try fill(file, bytes)
}

/// Writes the file beside its final path, and returns the path of this draft.
private func writeDraft(
    of path: String, _ bytes: [UInt8], mode: UInt32
) throws(FileError) -> String {
    let draft = "\(path).\(getpid()).new"
    // Left behind by a process with the same number.
    removeFile(draft)
    let file = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard file >= 0 else {
        let (number, error) = (errno, FileError.current())
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let directory = end.map { String(path.utf8[...$0]) ?? path } ?? "."
        var status = stat()
        // A directory that is there can take no files, as /proc does.
        guard error == .missing, unsafe stat(directory, &status) == 0 || number == ENOTDIR else {
            throw error
        }
        throw .system(number)
    }
    do throws(FileError) {
        try fill(file, bytes)
        return draft
    } catch {
        removeFile(draft)
        throw error
    }
}

/// Writes all bytes, waits until they are on the disk, and closes the file.
private func fill(_ file: CInt, _ bytes: [UInt8]) throws(FileError) {
    do throws(FileError) {
        try writeAll(bytes[...], to: file)
        // EINVAL: the file system has nothing to synchronize.
        guard fsync(file) == 0 || errno == EINVAL else { throw .current() }
    } catch {
        close(file)
        throw error
    }
    guard close(file) == 0 || errno == EINTR else { throw .current() }
}

/// Creates a directory unless it exists, also behind a symbolic link.
/// - Parameter mode: the permission bits, before the umask.
package func createDirectory(_ path: String, mode: UInt32 = 0o755) throws(FileError) {
    guard unsafe mkdir(path, mode) != 0 else { return }
    guard errno == EEXIST else { throw .current() }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw .current() }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .notADirectory }
}

/// Waits until the names of a directory are on the disk: those of files that were moved into it.
package func synchronizeDirectory(_ path: String) throws(FileError) {
    let directory = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw .current() }
    defer { close(directory) }
    // EINVAL: the file system has nothing to synchronize.
    guard fsync(directory) == 0 || errno == EINVAL else { throw .current() }
}

/// Waits until the content of a file is on the disk.
package func synchronizeFile(_ path: String) throws(FileError) {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .current() }
    defer { close(file) }
    guard fsync(file) == 0 || errno == EINVAL else { throw .current() }
}

/// Gives a file a second name, which keeps it when the first one is given to another file. A file
/// system without that moves it.
package func keepFile(_ path: String, as other: String) throws(FileError) {
    if unsafe link(path, other) == 0 { return }
    guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { throw .current() }
    try moveFile(path, to: other)
}

/// Lets a file belong to whom another file or a directory belongs, if this process may decide that.
package func giveFile(_ path: String, toOwnerOf other: String) throws(FileError) {
    var status = stat()
    guard geteuid() == 0, unsafe stat(other, &status) == 0 else { return }
    guard unsafe chown(path, status.st_uid, status.st_gid) == 0 else { throw .current() }
}

/// The name of the file system at a path, if it is one that does not outlive the machine or the
/// container (proc(5), mountinfo).
package func volatileFileSystem(at path: String) -> String? {
    var status = stat()
    guard unsafe stat(path, &status) == 0,
        let mounts = try? readInput("/proc/self/mountinfo", bytesMax: 1 << 20)
    else { return nil }
    // As the C library's macros take a number apart.
    let number = UInt64(status.st_dev)
    let high = (number >> 8) & 0xFFF | (number >> 32) & 0xFFFF_F000
    let low = number & 0xFF | (number >> 12) & 0xFFFF_FF00
    let device = Array("\(high):\(low)".utf8)
    for line in mounts.split(separator: UInt8(ascii: "\n")) {
        let words = line.split(separator: UInt8(ascii: " "))
        guard words.count > 2, words[2].elementsEqual(device),
            let dash = words.firstIndex(where: { $0.elementsEqual("-".utf8) }),
            dash + 1 < words.count
        else { continue }
        let kind = String(decoding: words[dash + 1], as: UTF8.self)
        return ["tmpfs", "ramfs", "overlay"].contains(kind) ? kind : nil
    }
    return nil
}

/// Moves the file at `old` to `new` in one step, replacing a file there.
package func moveFile(_ old: String, to new: String) throws(FileError) {
    guard unsafe rename(old, new) == 0 else { throw .current() }
}

/// Removes a file if it exists.
package func removeFile(_ path: String) { unsafe unlink(path) }
