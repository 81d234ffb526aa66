internal import Glibc

/// A regular file that is open, and what it was when it was opened. Several threads may read it at
/// once, each from where it likes. It is read on after it was renamed or removed.
package final class OpenFile: Sendable {
    package let stamp: FileStamp
    private let descriptor: OwnedDescriptor

    /// Opens the file of a path that a person names; symbolic links are followed.
    package convenience init(path: String) throws(FileError) {
        try self.init(openFile(path))
    }

    init(_ descriptor: consuming OwnedDescriptor) throws(FileError) {
        let status = try status(of: descriptor.number)
        self.descriptor = descriptor
        stamp = FileStamp(status)
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notARegularFile }
    }

    /// Fills a part of `bytes` with what the file has from `offset` on.
    /// - Throws: `changed` when the file has other content than when it was opened, or is shorter;
    ///   what is in `bytes` then must not be used.
    package func read(
        into bytes: inout [UInt8], _ range: Range<Int>, from offset: Int
    ) throws(FileError) {
        let filled = try unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe fill(
                UnsafeMutableRawBufferPointer(rebasing: bytes[range]), from: descriptor.number,
                at: offset)
        }.get()
        guard filled == range.count else { throw .changed }
        try check()
    }

    /// Whether it has the content still that it was opened with.
    package var isUnchanged: Bool { (try? check()) != nil }

    /// Reads it whole.
    /// - Throws: `changed` as above.
    package func readWhole() throws(FileError) -> [UInt8] {
        var filled = Result<Int, FileError>.success(0)
        // Memory that was not written to yet costs nothing: it is written to once.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: stamp.bytes) { bytes, count in
            unsafe filled = fill(
                UnsafeMutableRawBufferPointer(bytes), from: descriptor.number, at: 0)
            count = (try? filled.get()) ?? 0
        }
        guard try filled.get() == stamp.bytes else { throw .changed }
        try check()
        return bytes
    }

    /// The kernel writes the time of a change before the change itself.
    private func check() throws(FileError) {
        let now = FileStamp(try status(of: descriptor.number))
        guard now.hasContent(of: stamp) else { throw .changed }
    }
}
