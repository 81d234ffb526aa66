internal import Glibc

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

    /// The entry at a path beneath the root now.
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
