internal import Glibc

/// The reason why a file could not be read, or written.
package enum FileError: Error, Hashable, Sendable, CustomStringConvertible {
    case missing
    case noPermission
    /// Of a file to be written.
    case readOnlyFileSystem
    case notARegularFile
    case tooLarge(bytes: Int, limit: Int)
    /// It was changed or replaced while it was opened or read.
    case changed
    /// A symbolic link leads out of the directory in which it must stay.
    case leadsOut
    /// There is no descriptor for this process, or in the system.
    case outOfDescriptors(String)
    /// Of a lock: another process has it.
    case taken
    /// Of a stream: the parent process has closed it, or opened it for the other direction.
    case closed
    /// Of a stream that is written to: it has no reader any more.
    case readerGone
    /// The file exists, but could not be read or written now: memory or the disk failed.
    case failed(String)
    /// Any other reason, with the system's message.
    case system(String)

    package static let directory = FileError.system("it is a directory")
    package static let notADirectory = FileError.system("it is not a directory")

    /// The error of the failed call on the line above.
    static func current() -> FileError {
        let number = errno
        return switch number {
        case ENOENT, ENOTDIR: .missing
        case EACCES, EPERM: .noPermission
        case EROFS: .readOnlyFileSystem
        case EMFILE, ENFILE: .outOfDescriptors(words(for: number))
        case EBADF: .closed
        case EPIPE: .readerGone
        case EISDIR: .directory
        case ENOMEM, EIO: .failed(words(for: number))
        default: .system(words(for: number))
        }
    }

    /// With the system's message about an error number.
    static func system(_ number: CInt) -> FileError { .system(words(for: number)) }

    /// Whether links lead to each other, so that nothing is at their end.
    package var isLoop: Bool { self == .system(ELOOP) }

    /// Whether the file system, or the user's quota of it, is full.
    package var isLackOfRoom: Bool { self == .system(ENOSPC) || self == .system(EDQUOT) }

    private static func words(for number: CInt) -> String {
        unsafe String(cString: strerror(number))
    }

    /// In words, about the file at a path: a symbolic link to nothing looks like a file that is there.
    package func words(at path: String) -> String {
        self == .missing && isSymbolicLink(path) ? "it is a symbolic link to nothing" : description
    }

    /// The cure of a symbolic link to nothing at a path; nil if that is not the error.
    package func linkCure(at path: String) -> String? {
        self == .missing && isSymbolicLink(path)
            ? "create its target, or let it lead to another file" : nil
    }

    package var description: String {
        switch self {
        case .missing: "the file does not exist"
        case .noPermission: "no permission to read it"
        case .readOnlyFileSystem: "its file system is read-only"
        case .notARegularFile: "it is not a regular file"
        case .taken: "another process has its lock"
        case .closed: "it is not open"
        case .readerGone: "it has no reader"
        case .tooLarge(let bytes, let limit): "it has \(bytes) bytes, may have \(limit)"
        case .changed: "it changed while it was read"
        case .leadsOut: "it is a symbolic link out of its directory"
        case .outOfDescriptors(let reason), .failed(let reason), .system(let reason): reason
        }
    }
}
