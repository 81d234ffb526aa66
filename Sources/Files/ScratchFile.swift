internal import Glibc

/// A file without a name, which is gone when it is closed: for what is too much for memory and is
/// needed once. It is written to its end, and then read from its beginning.
package final class ScratchFile: Sendable {
    private let descriptor: CInt

    /// - Parameter directory: of the file system that has room for it.
    package init(in directory: String) throws(FileError) {
        descriptor = unsafe open(directory, O_TMPFILE_ | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .current() }
    }

    deinit { close(descriptor) }

    /// Appends all bytes.
    package func append(_ bytes: [UInt8]) throws(FileError) {
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { memory in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: memory[start...])
                return unsafe write(descriptor, rest.baseAddress, rest.count)
            }
            if count > 0 {
                start += count
            } else if errno != EINTR {
                throw .current()
            }
        }
    }

    /// The bytes from `position` on; none at the end.
    package func read(at position: Int, bytesMax: Int) throws(FileError) -> [UInt8] {
        var failure: FileError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: bytesMax) { memory, count in
            while true {
                let read = unsafe pread(descriptor, memory.baseAddress, bytesMax, position)
                if read >= 0 {
                    count = read
                    return
                }
                if errno != EINTR {
                    failure = .current()
                    return
                }
            }
        }
        if let failure { throw failure }
        return bytes
    }
}

/// Glibc's macro, which Swift does not import: the bit and that of directories.
private let O_TMPFILE_: CInt = 0o20000000 | O_DIRECTORY
