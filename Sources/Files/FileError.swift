internal import Glibc

/// Why a file could not be read, or written.
package enum FileError: Error, Hashable, Sendable, CustomStringConvertible {
    case missing
    case noPermission
    /// Of a file that is to be written.
    case readOnlyFileSystem
    case notARegularFile
    case tooLarge(bytes: Int, limit: Int)
    /// It was changed or exchanged while it was opened or read.
    case changed
    /// A symbolic link leads out of the directory that it must stay in.
    case leadsOut
    /// This process, or the system, has none left to open the file with.
    case outOfDescriptors(String)
    /// Of a stream: whoever started this process has closed it, or opened it for the other way.
    case closed
    /// Of a stream that is written to: nobody reads it any more.
    case readerGone
    /// It is there, and could not be read or written now: memory or the disk failed.
    case failed(String)
    /// Any other reason, in the system's words.
    case system(String)

    static let directory = FileError.system("it is a directory")
    static let notADirectory = FileError.system("it is not a directory")

    /// The reason that the failed call on the line above left.
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

    private static func words(for number: CInt) -> String {
        unsafe String(cString: strerror(number))
    }

    package var description: String {
        switch self {
        case .missing: "there is no such file"
        case .noPermission: "no permission to read it"
        case .readOnlyFileSystem: "its file system is read-only"
        case .notARegularFile: "it is not a regular file"
        case .closed: "it is not open"
        case .readerGone: "nobody reads it any more"
        case .tooLarge(let bytes, let limit): "it has \(bytes) bytes, may have \(limit)"
        case .changed: "it was changed while it was read"
        case .leadsOut: "it is a symbolic link that leads out of its directory"
        case .outOfDescriptors(let reason), .failed(let reason), .system(let reason): reason
        }
    }
}
