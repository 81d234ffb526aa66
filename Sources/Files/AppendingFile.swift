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

    /// Adds a part of `source`, which must not be empty, and returns how many bytes were taken.
    package borrowing func write(
        _ source: [UInt8], _ range: Range<Int>
    ) throws(FileError) -> Int {
        precondition(range.lowerBound >= 0 && range.upperBound <= source.count && !range.isEmpty)
        while true {
            let count = unsafe source.withUnsafeBytes { bytes in
                unsafe Glibc.write(
                    number, bytes.baseAddress.map { unsafe $0 + range.lowerBound }, range.count)
            }
            if count >= 0 { return count }
            guard errno == EINTR else { throw .current() }
        }
    }
}
