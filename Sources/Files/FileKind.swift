internal import Glibc

/// The kind of file at a path, symbolic links followed, in words, if it is no regular file and can
/// become none by being written: a directory, a pipe, a socket or a device. Nil for a regular file,
/// and for nothing.
package func otherKindOfFile(at path: String) -> String? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "a directory"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
}
