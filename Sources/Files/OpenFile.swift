internal import Glibc

/// A regular file that is open, and what it was when it was opened. Several threads may read it at
/// once, each from where it likes. It is read on after it was renamed or removed.
package final class OpenFile: Sendable {
    package let stamp: FileStamp
    private let descriptor: OwnedDescriptor

    fileprivate init(_ descriptor: consuming OwnedDescriptor) throws(FileError) {
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

/// A root directory that stays open, so that files beneath it can be opened at any time and from
/// any thread. What is opened lies beneath it, whatever has become of its name.
package final class SharedRoot: Sendable {
    private let descriptor: OwnedDescriptor
    package let identity: FileIdentity

    init(_ descriptor: consuming OwnedDescriptor, _ identity: FileIdentity) {
        self.descriptor = descriptor
        self.identity = identity
    }

    /// Opens the regular file of a path beneath it; symbolic links are followed as long as they
    /// stay beneath it.
    package func open(_ path: String) throws(FileError) -> OpenFile {
        try OpenFile(openLeaf(following(path.utf8), nil))
    }

    /// What is at a path beneath the root now.
    package enum Entry: Hashable, Sendable {
        case file(FileStamp)
        case missing
        /// Something else, or a file that a symbolic link leads to.
        case other
    }

    /// Reads the metadata of what is at this path, without opening it.
    package func look(at path: [UInt8]) -> Entry {
        var following = following(path)
        do throws(LinkFollowing.Failure) {
            guard case .entry(_, let status) = try following.follow(), following.target == nil,
                status.st_mode & S_IFMT == S_IFREG
            else { return .other }
            return .file(FileStamp(status))
        } catch .reason(.missing) {
            return .missing
        } catch {
            return .other
        }
    }

    private func following(_ path: some Sequence<UInt8>) -> LinkFollowing {
        LinkFollowing(parts(of: path), descriptor.number, identity, nil)
    }
}
