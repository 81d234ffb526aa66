internal import Glibc

/// Checks that this process may search the directory at this path, which must exist.
package func checkSearchable(_ path: String) throws(FileError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw .current() }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .notADirectory }
    guard unsafe access(path, X_OK) == 0 else { throw .current() }
}

/// Checks that this process may run the file at this path.
package func checkExecutable(_ path: String) throws(FileError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw .current() }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notARegularFile }
    guard unsafe access(path, X_OK) == 0 else { throw .current() }
}

/// Whether the last name of this path is that of a symbolic link.
package func isSymbolicLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
}

/// Checks that this process may append to the file at this path, or create it; creates nothing.
package func checkAppendable(_ path: String) throws(FileError) {
    var status = stat()
    if unsafe stat(path, &status) == 0 {
        guard status.st_mode & S_IFMT != S_IFDIR else { throw .directory }
        guard unsafe access(path, W_OK) == 0 else { throw .current() }
        return
    }
    guard errno == ENOENT else { throw .current() }
    // What makes a file follows a link to nothing, too.
    let path = lastTarget(of: path)
    let slashes = path.utf8.reversed().prefix { $0 == UInt8(ascii: "/") }.count
    let name = path.utf8.dropLast(slashes).reversed().prefix { $0 != UInt8(ascii: "/") }.count
    let directory = String(decoding: path.utf8.dropLast(slashes + name), as: UTF8.self)
    guard unsafe access(directory.isEmpty ? "." : directory, W_OK | X_OK) == 0 else {
        throw .current()
    }
    // The name of a file does not end in a slash.
    guard slashes == 0 else { throw .directory }
}

/// The path to which a symbolic link leads, over all links that follow; the path itself if it is none.
package func lastTarget(of path: String) -> String {
    var path = path
    for _ in 0..<linksMax {
        let bytes = unsafe path.withCString { unsafe linkTarget($0, in: AT_FDCWD) }
        guard let bytes, let target = String(validating: bytes, as: UTF8.self) else { break }
        let isAbsolute = bytes.first == UInt8(ascii: "/")
        path = isAbsolute ? target : "\(parentDirectory(of: path))/\(target)"
    }
    return path
}

/// The reason why this process cannot make files in the directory at a path, or in the one that exists
/// above it, as far as it shows without making any; with the path of that directory. Nil if there is
/// none.
package func writingObstacle(in directory: String) -> (path: String, error: FileError)? {
    var (path, status) = (directory, stat())
    while unsafe stat(path, &status) != 0 {
        let error = FileError.current()
        guard error == .missing, path != "/", path != ".", !isSymbolicLink(path) else {
            return (path, error)
        }
        path = parentDirectory(of: path)
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { return (path, .notADirectory) }
    guard unsafe faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) == 0 else {
        return (path, .current())
    }
    var room = statvfs()
    guard unsafe statvfs(path, &room) == 0 else { return nil }
    // Some file systems count neither.
    let blocks = geteuid() == 0 ? room.f_bfree : room.f_bavail
    let isFull = room.f_blocks > 0 && blocks == 0 || room.f_files > 0 && room.f_favail == 0
    return isFull ? (path, .system(ENOSPC)) : nil
}

/// The path of the directory that has the last name of a path.
package func parentDirectory(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.utf8.startIndex ? "/" : String(path.utf8[..<slash]) ?? "."
}

/// The permission bits of the directory at this path; nil if there is none, or if only the owner of an
/// entry can remove it (inode(7), the sticky bit).
package func directoryMode(_ path: String) -> UInt32? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
        status.st_mode & S_ISVTX == 0
    else { return nil }
    return status.st_mode & 0o777
}
