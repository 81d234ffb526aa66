internal import Glibc

/// A file that is only added to, or standard output: what logs are written to. Closed with its
/// owner; standard output stays open.
package struct AppendingFile: ~Copyable {
    private let number: CInt
    private let isOwned: Bool

    /// Standard output.
    package init() {
        number = STDOUT_FILENO
        isOwned = false
    }

    /// Opens the file of this path, or makes it, for its owner to write and its group to read.
    package init(path: String) throws(FileError) {
        // Without O_NONBLOCK a pipe that nobody reads would hold its writer.
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK
        number = unsafe open(path, flags, 0o640)
        guard number >= 0 else { throw .current() }
        isOwned = true
    }

    deinit { if isOwned { close(number) } }

    /// Adds bytes, of which there must be some, and returns how many were taken.
    package borrowing func write(_ bytes: Span<UInt8>) throws(FileError) -> Int {
        precondition(!bytes.isEmpty)
        let number = number
        while true {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Glibc.write(number, bytes.baseAddress, bytes.count)
            }
            if count >= 0 { return count }
            guard errno == EINTR else { throw .current() }
        }
    }
}
