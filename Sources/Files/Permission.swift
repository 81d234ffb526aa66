internal import Glibc

/// Whether this process may go through the directory of this path, which must be there.
package func checkSearchable(_ path: String) throws(FileError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw .current() }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .notADirectory }
    guard unsafe access(path, X_OK) == 0 else { throw .current() }
}

/// Whether the last name of this path is that of a symbolic link.
package func isSymbolicLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
}

/// Whether this process may add to the file of this path, or make it where it is not there; nothing
/// is made.
package func checkAppendable(_ path: String) throws(FileError) {
    var status = stat()
    if unsafe stat(path, &status) == 0 {
        guard status.st_mode & S_IFMT != S_IFDIR else { throw .directory }
        guard unsafe access(path, W_OK) == 0 else { throw .current() }
        return
    }
    guard errno == ENOENT else { throw .current() }
    let name = path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.count
    let directory = String(decoding: path.utf8.dropLast(name), as: UTF8.self)
    guard unsafe access(directory.isEmpty ? "." : directory, W_OK | X_OK) == 0 else {
        throw .current()
    }
}
