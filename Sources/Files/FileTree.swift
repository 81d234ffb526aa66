internal import Glibc

/// A file found under a directory.
package struct FoundFile: Hashable, Sendable {
    /// Its path under the directory, parts separated by `/`.
    package let relativePath: String
    package let stamp: FileStamp
    /// Whether a symbolic link leads to it.
    package let isLink: Bool

    /// One that no symbolic link leads to.
    package init(relativePath: String, stamp: FileStamp) {
        self.init(relativePath: relativePath, stamp: stamp, isLink: false)
    }

    init(relativePath: String, stamp: FileStamp, isLink: Bool) {
        (self.relativePath, self.stamp, self.isLink) = (relativePath, stamp, isLink)
    }
}

/// A directory that was looked into.
package struct FoundDirectory: Hashable, Sendable {
    /// The bytes of its path, no name in which was that of a symbolic link below the root.
    package let path: [UInt8]
    package let identity: FileIdentity
}

/// Everything under a directory that was found, or kept from being found.
package struct FileTree: Sendable {
    /// Regular files, in order of their paths.
    package internal(set) var files = [FoundFile]()
    package internal(set) var directories = [FoundDirectory]()
    package internal(set) var faults = [FileTreeError]()
    /// Paths of what is neither a file nor a directory, such as a pipe, in no order.
    package internal(set) var others = [String]()
    /// Paths of directories that were passed over, because they have packages of others.
    package internal(set) var passedOver = [String]()
    /// Paths of directories that were left out, because they are too deep, in no order.
    package internal(set) var deeper = [String]()
    /// Whether the walk has ended because there was no room to remember more.
    package internal(set) var lacksRoom = false

    /// One in which nothing was found.
    package init() {}

    /// Of these files alone.
    package init(_ files: [FoundFile]) { self.files = files }

    /// Whether the same files and faults were found.
    package func isSame(as other: FileTree) -> Bool {
        files == other.files && faults == other.faults
    }

    /// Whether the directory itself does not exist.
    package var isOfMissing: Bool {
        guard directories.isEmpty, faults.count == 1, case .unreadable(_, .missing) = faults[0]
        else { return false }
        return true
    }

    /// The index of the file with this path.
    package func index(of path: [UInt8]) -> Int? {
        let name = String(decoding: path, as: UTF8.self)
        var (low, high) = (0, files.count)
        while low < high {
            let middle = (low + high) / 2
            if files[middle].relativePath < name { low = middle + 1 } else { high = middle }
        }
        // Names that are equal as text may be those of two files.
        while low < files.count, files[low].relativePath == name {
            if files[low].relativePath.utf8.elementsEqual(path) { return low }
            low += 1
        }
        return nil
    }

    /// The same with other files in the place of those with their paths.
    package func replacing(_ changed: [FoundFile]) -> FileTree {
        var tree = self
        for file in changed {
            guard let index = index(of: Array(file.relativePath.utf8)) else { continue }
            tree.files[index] = file
        }
        return tree
    }
}

/// Answers whether a walk may remember so many entries more, whose paths have so many bytes.
package typealias TreeRoom = (_ entries: Int, _ pathBytes: Int) -> Bool

/// Something under a directory that cannot be served.
package enum FileTreeError: Error, Hashable, Sendable {
    /// The directory itself cannot be read.
    case unreadable(path: String, FileError)
    /// Something in it cannot, by its path under the directory.
    case unreadableEntry(path: String, FileError)
    /// A symbolic link to nothing.
    case dangling(path: String)
    /// A symbolic link to a directory that contains it.
    case cycle(path: String, to: String)
    /// A symbolic link that leads out of the directory.
    case escapes(path: String, to: String)
    /// A symbolic link to what is hidden by its name.
    case hidden(path: String, to: String)
    /// A name that is not UTF-8, with U+FFFD for what is not.
    case notUTF8(path: String)
    case tooDeep(path: String, limit: Int)
    case tooMany(limit: Int)

    /// The path that it concerns, which faults are sorted by.
    package var path: String {
        switch self {
        case .unreadable(let path, _), .unreadableEntry(let path, _), .dangling(let path),
            .cycle(let path, _), .escapes(let path, _), .hidden(let path, _), .notUTF8(let path),
            .tooDeep(let path, _):
            path
        case .tooMany: ""
        }
    }
}

/// Every regular file under `directory`, in order of their paths. Symbolic links are followed as
/// long as they stay inside; names that begin with a full stop are left out, but for
/// `.well-known`.
package func findFiles(
    under directory: String, depthMax: Int = 32
) throws(FileTreeError) -> [FoundFile] {
    let tree = findTree(under: directory, depthMax: depthMax)
    if let fault = tree.faults.first { throw fault }
    return tree.files
}

/// The same with the directories in which files were looked for, and with everything that is wrong.
/// - Parameter leavesOutDeeper: whether directories beyond `depthMax` are left out. Else they are a
///   fault, and the search ends there.
/// - Parameter isOfProject: whether directories with packages of others are passed over.
/// - Parameter hidden: names that begin with a full stop and are looked at all the same.
/// - Parameter room: ends the search where it has none.
package func findTree(
    under directory: String, depthMax: Int = 32, leavesOutDeeper: Bool = false,
    isOfProject: Bool = false, including hidden: Set<String> = [],
    within room: @escaping TreeRoom = { _, _ in true }
) -> FileTree {
    do throws(FileError) {
        return try RootDirectory(directory).walk(
            directory, depthMax: depthMax, leavesOutDeeper: leavesOutDeeper,
            isOfProject: isOfProject, including: hidden, within: room
        ) { _ in }
    } catch {
        var tree = FileTree()
        tree.faults = [.unreadable(path: directory, error)]
        return tree
    }
}

/// A file that a walk stands at.
package struct WalkedFile: ~Copyable {
    package let found: FoundFile
    private let name: [UInt8]
    private let directory: CInt
    private let seam: TreeSeam?

    init(_ found: FoundFile, _ name: [UInt8], in directory: CInt, _ seam: TreeSeam?) {
        (self.found, self.name, self.directory) = (found, name, directory)
        self.seam = seam
    }

    /// Whether this process may read it, as far as can be told without opening it.
    package borrowing func checkPermission() throws(FileError) {
        let result = unsafe withCString(name) { unsafe faccessat(directory, $0, R_OK, AT_EACCESS) }
        guard result == 0 || errno != EACCES else { throw .noPermission }
    }

    /// Reads it whole.
    /// - Parameter bytesMax: a larger file is refused before it is read.
    package borrowing func read(bytesMax: Int) throws(FileError) -> FileContent {
        let file = try openFound(name, in: directory, seam)
        return try readWhole(file.number, bytesMax: bytesMax, seam)
    }

    /// Reads it in pieces of 64 KiB, all but the last, of which none stays in memory.
    /// - Parameter bytesMax: a larger file is refused before it is read.
    package borrowing func read(bytesMax: Int, each take: ([UInt8]) -> Void) throws(FileError) {
        let file = try openFound(name, in: directory, seam)
        seam?(.read)
        try readPieces(file.number, bytesMax: bytesMax, take)
    }
}

extension RootDirectory {
    /// Walks over every regular file beneath it, in no order, and returns them in order of their
    /// paths. Symbolic links are followed as long as they stay beneath it; names that begin with a
    /// full stop are left out, but for `.well-known`. However large the tree is, four descriptors
    /// are open at once, and one more for the file that is read.
    /// - Parameters:
    ///   - path: how the directory is named in the paths of directories.
    ///   - leavesOutDeeper: whether directories beyond `depthMax` are left out. Else they are a
    ///     fault, and the walk ends there.
    ///   - isOfProject: whether directories with packages of others are passed over.
    ///   - hidden: names that begin with a full stop and are looked at all the same.
    ///   - room: ends the walk where it has none.
    ///   - visit: may read the file.
    package borrowing func walk(
        _ path: String, depthMax: Int = 32, leavesOutDeeper: Bool = false,
        isOfProject: Bool = false, including hidden: Set<String> = [],
        within room: @escaping TreeRoom = { _, _ in true },
        _ visit: (borrowing WalkedFile) -> Void
    ) -> FileTree {
        var walk = TreeWalk(path, depthMax: depthMax, leavesOutDeeper: leavesOutDeeper)
        (walk.isOfProject, walk.hidden, walk.room) = (isOfProject, hidden, room)
        walk.run(self, visit)
        return walk.tree
    }
}
