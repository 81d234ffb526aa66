internal import Glibc

/// An open directory, from which only files beneath it are read. A file is examined and read
/// through one descriptor. So an entry that is replaced by a symbolic link, at any moment, leads
/// to nothing outside.
package struct RootDirectory: ~Copyable {
    private let descriptor: OwnedDescriptor
    package let identity: FileIdentity
    let seam: TreeSeam?

    /// Opens the directory of this path. The path itself is the operator's: its links are followed.
    package init(_ path: String) throws(FileError) {
        try self.init(path, seam: nil)
    }

    init(_ path: String, seam: TreeSeam?) throws(FileError) {
        let number = unsafe open(path, searchOnly | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw .current() }
        let opened = OwnedDescriptor(number)
        identity = FileIdentity(try status(of: number))
        descriptor = opened
        self.seam = seam
    }

    var number: CInt { descriptor.number }

    /// The same directory for files to be opened later, from any thread.
    package consuming func shared() -> SharedRoot { SharedRoot(descriptor, identity) }

    /// Reads the regular file of a path beneath it whole; symbolic links are followed as long as
    /// they stay beneath it.
    /// - Parameter bytesMax: a larger file is refused before it is read.
    package borrowing func read(_ path: String, bytesMax: Int) throws(FileError) -> FileContent {
        let following = LinkFollowing(parts(of: path.utf8), beneath: self)
        let file = try openLeaf(following, seam)
        return try readWhole(file.number, bytesMax: bytesMax, seam)
    }
}

/// Reads the regular file of this path whole. The way to its directory is the operator's, whose
/// links are followed. Where the file itself is a link, it must stay beneath that directory.
/// - Parameter bytesMax: a larger file is refused before it is read.
package func readFileOfItsDirectory(
    _ path: String, bytesMax: Int
) throws(FileError) -> FileContent {
    let name = path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.count
    let directory = String(decoding: path.utf8.dropLast(name), as: UTF8.self)
    let root = try RootDirectory(directory.isEmpty ? "." : directory)
    return try root.read(
        String(decoding: path.utf8.suffix(name), as: UTF8.self), bytesMax: bytesMax)
}

/// Reads a regular file beneath a directory; no name of `path` may be that of a symbolic link. It
/// takes two descriptors.
/// - Parameter bytesMax: a larger file is refused before it is read.
package func readFile(
    _ path: [String], directlyBeneath directory: String, bytesMax: Int
) throws(FileError) -> FileContent {
    try readFile(path, directlyBeneath: directory, bytesMax: bytesMax, seam: nil)
}

func readFile(
    _ path: [String], directlyBeneath directory: String, bytesMax: Int, seam: TreeSeam?
) throws(FileError) -> FileContent {
    let number = unsafe open(directory, searchOnly | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw .current() }
    var entry = OwnedDescriptor(number)
    for (index, name) in path.enumerated() {
        seam?(.look)
        let isLast = index == path.count - 1
        let flags = isLast ? O_RDONLY : searchOnly | O_DIRECTORY
        guard let next = openEntry(Array(name.utf8), in: entry.number, flags) else {
            throw .current()
        }
        entry = next
    }
    return try readWhole(entry.number, bytesMax: bytesMax, seam)
}

/// Opens the file that a path leads to.
func openLeaf(
    _ following: consuming LinkFollowing, _ seam: TreeSeam?
) throws(FileError) -> OwnedDescriptor {
    let leaf: LinkFollowing.Leaf
    do throws(LinkFollowing.Failure) {
        leaf = try following.follow()
    } catch {
        switch error {
        case .outside: throw .leadsOut
        case .reason(let reason): throw reason
        }
    }
    guard case .entry(let name, _) = leaf else { throw .notARegularFile }
    return try openFound(name, in: following.number, seam)
}

/// Opens a file whose metadata was read before.
/// - Throws: `changed` when a symbolic link is in its place by now.
func openFound(
    _ name: [UInt8], in directory: CInt, _ seam: TreeSeam?
) throws(FileError) -> OwnedDescriptor {
    seam?(.open)
    guard let file = openEntry(name, in: directory, O_RDONLY) else {
        throw errno == ELOOP ? .changed : .current()
    }
    return file
}

/// The text of a name or path; what is not UTF-8 in it stands as U+FFFD.
func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }

/// A step of a walk. Another process may replace files before each of them.
enum TreePoint: CaseIterable {
    /// The metadata of an entry is about to be read.
    case look
    /// A link was found, and its target is about to be read.
    case link
    /// A directory was opened, and is about to be listed.
    case list
    /// A file's metadata was read, and the file is about to be opened.
    case open
    /// A file was opened, and is about to be read.
    case read
}

/// A test's work before such a step; nil outside of tests.
typealias TreeSeam = (TreePoint) -> Void
