internal import Glibc

/// A file or directory that exists, and that this process may not write because of whom it belongs
/// to (inode(7)): an operator can change that, and has to know of which one.
package struct ClosedFile: Hashable, Sendable {
    package let path: String
    private let owner: UInt32
    private let mode: UInt32
    private let user: UInt32

    /// Nil if nothing is at `path`, or if this process may read and write it; a directory, if it may
    /// make files in it.
    package init?(at path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        let isDirectory = status.st_mode & S_IFMT == S_IFDIR
        let rights = W_OK | (isDirectory ? X_OK : R_OK)
        guard unsafe faccessat(AT_FDCWD, path, rights, AT_EACCESS) != 0, errno == EACCES else {
            return nil
        }
        self.path = path
        (owner, mode, user) = (status.st_uid, status.st_mode & 0o777, geteuid())
    }

    /// A clause for messages: the file's owner and mode, and the user that this process runs as.
    package var fact: String {
        "it belongs to user \(owner) with mode \(String(mode, radix: 8)), and waymark runs as user "
            + "\(user)"
    }

    /// The command that opens it.
    package var remedy: String { owner == user ? "chmod u+rw \(path)" : "chown \(user) \(path)" }
}
