internal import Glibc

/// A walk over everything beneath a root. It remembers directories by their paths and opens each
/// anew when its turn comes, so that few descriptors are open however large the tree is.
struct TreeWalk: ~Copyable {
    private(set) var tree = FileTree()
    private let root: [UInt8]
    private let depthMax: Int
    private let leavesOutDeeper: Bool
    var isOfProject = false
    /// Names that begin with a full stop and are looked at all the same.
    var hidden = Set<String>()
    var room: TreeRoom = { _, _ in true }
    /// Directories to be looked into, by their names from the root.
    private var waiting: [[[UInt8]]] = [[]]
    private var entries = 0

    init(_ root: String, depthMax: Int, leavesOutDeeper: Bool) {
        (self.root, self.depthMax) = (Array(root.utf8), depthMax)
        self.leavesOutDeeper = leavesOutDeeper
    }

    /// The walk ends at a limit, because links that lead to each other make endless trees.
    mutating func run(_ root: borrowing RootDirectory, _ visit: (borrowing WalkedFile) -> Void) {
        while let path = waiting.popLast() {
            guard path.count < depthMax else {
                if leavesOutDeeper {
                    tree.deeper.append(joined(path))
                    continue
                }
                tree.faults.append(.tooDeep(path: joined(path), limit: depthMax))
                break
            }
            list(path, root, visit)
            guard !tree.lacksRoom else { break }
            guard entries <= entriesMax else {
                tree.faults.append(.tooMany(limit: entriesMax))
                break
            }
        }
        tree.files.sort { $0.relativePath < $1.relativePath }
        tree.faults.sort { $0.path < $1.path }
        tree.passedOver.sort()
    }

    private mutating func list(
        _ path: [[UInt8]], _ root: borrowing RootDirectory,
        _ visit: (borrowing WalkedFile) -> Void
    ) {
        // The directory was removed, or replaced by a file, during the walk.
        var following = LinkFollowing(path, beneath: root)
        guard case .directory? = try? following.follow(),
            let status = try? status(of: following.number)
        else { return }
        tree.directories.append(
            FoundDirectory(
                path: Array(([self.root] + following.names).joined(separator: [slash])),
                identity: FileIdentity(status)))
        root.seam?(.list)
        do throws(FileError) {
            let before = path.reduce(0) { $0 + $1.count + 1 }
            let names = try entryNames(of: following.number, hidden) { [room] in
                room($0, $0 * before + $1)
            }
            tree.lacksRoom = names == nil
            for name in names ?? [] {
                entries += 1
                guard entries <= entriesMax else { return }
                look(path, name, in: following.number, following.names, root, visit)
            }
        } catch {
            tree.faults.append(
                path.isEmpty
                    ? .unreadable(path: text(self.root), error)
                    : .unreadableEntry(path: joined(path), error))
        }
    }

    /// - Parameter real: the names of the directory from the root, links resolved.
    private mutating func look(
        _ path: [[UInt8]], _ name: [UInt8], in directory: CInt, _ real: [[UInt8]],
        _ root: borrowing RootDirectory, _ visit: (borrowing WalkedFile) -> Void
    ) {
        var status = stat()
        root.seam?(.look)
        let result = unsafe withCString(name) {
            unsafe fstatat(directory, $0, &status, AT_SYMLINK_NOFOLLOW)
        }
        guard result == 0 else {
            // The entry was removed after its name was read, which is no fault.
            if errno != ENOENT {
                tree.faults.append(.unreadableEntry(path: joined(path + [name]), .current()))
            }
            return
        }
        let kind = status.st_mode & S_IFMT
        guard let relativePath = validated(path + [name]) else {
            tree.faults.append(.notUTF8(path: joined(path + [name])))
            return
        }
        guard [S_IFREG, S_IFDIR, S_IFLNK].contains(kind) else {
            tree.others.append(relativePath)
            return
        }
        switch kind {
        case S_IFREG:
            let found = FoundFile(
                relativePath: relativePath, stamp: FileStamp(status), isLink: false)
            tree.files.append(found)
            visit(WalkedFile(found, name, in: directory, root.seam))
        case S_IFDIR: enter(path + [name], relativePath)
        default: follow(path + [name], relativePath, real + [name], root, visit)
        }
    }

    private mutating func enter(_ path: [[UInt8]], _ relativePath: String) {
        if isOfProject, isOfOthers(path) {
            tree.passedOver.append(relativePath)
        } else {
            waiting.append(path)
        }
    }

    private mutating func follow(
        _ path: [[UInt8]], _ relativePath: String, _ real: [[UInt8]],
        _ root: borrowing RootDirectory, _ visit: (borrowing WalkedFile) -> Void
    ) {
        var following = LinkFollowing(real, beneath: root)
        let leaf: LinkFollowing.Leaf
        do throws(LinkFollowing.Failure) {
            leaf = try following.follow()
        } catch {
            // The link itself may be gone.
            guard let target = following.target else { return }
            switch error {
            case .outside:
                tree.faults.append(.escapes(path: relativePath, to: text(target)))
            case .reason(.missing): tree.faults.append(.dangling(path: relativePath))
            case .reason(let reason):
                tree.faults.append(.unreadableEntry(path: relativePath, reason))
            }
            return
        }
        var names = following.names
        if case .entry(let name, _) = leaf { names.append(name) }
        guard !names.contains(where: isHiddenTarget) else {
            tree.faults.append(.hidden(path: relativePath, to: joined(names)))
            return
        }
        switch leaf {
        case .directory:
            guard !real.dropLast().starts(with: names) else {
                let target = names.isEmpty ? "." : joined(names)
                tree.faults.append(.cycle(path: relativePath, to: target))
                return
            }
            enter(path, relativePath)
        case .entry(let name, let status):
            guard status.st_mode & S_IFMT == S_IFREG else {
                tree.others.append(relativePath)
                return
            }
            let found = FoundFile(
                relativePath: relativePath, stamp: FileStamp(status), isLink: true)
            tree.files.append(found)
            visit(WalkedFile(found, name, in: following.number, root.seam))
        }
    }
}

/// The names of what is in a directory.
/// - Parameter areHiddenIncluded: whether names that begin with a full stop are among them.
package func namesOfFiles(
    in directory: String, areHiddenIncluded: Bool = false
) throws(FileError) -> [String] {
    let number = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw .current() }
    defer { close(number) }
    let names = try entryNames(of: number, areHiddenIncluded: areHiddenIncluded) { _, _ in true }
    return (names ?? []).map { String(decoding: $0, as: UTF8.self) }
}

/// The names in a directory; by default those that may be served.
/// - Parameters:
///   - areHiddenIncluded: whether all names that begin with a full stop are among them.
///   - hidden: those that are in any case.
/// - Returns: nil if there is no room for them.
private func entryNames(
    of directory: CInt, _ hidden: Set<String> = [], areHiddenIncluded: Bool = false,
    _ room: TreeRoom
) throws(FileError) -> [[UInt8]]? {
    // A descriptor of O_PATH cannot be read.
    let number = unsafe openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw .current() }
    guard let stream = unsafe fdopendir(number) else {
        let reason = FileError.current()
        close(number)
        throw reason
    }
    defer { unsafe closedir(stream) }
    var (names, bytes, asked) = ([[UInt8]](), 0, 0)
    while true {
        errno = 0
        guard let entry = unsafe readdir(stream) else { break }
        let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
            unsafe Array(buffer.prefix { $0 != 0 })
        }
        guard name != [dot], name != [dot, dot] else { continue }
        let isIncluded = areHiddenIncluded || !isHidden(name) || hidden.contains(text(name))
        guard isIncluded else { continue }
        names.append(name)
        bytes += name.count
        guard names.count - asked >= askedEntries else { continue }
        guard room(names.count - asked, bytes) else { return nil }
        (asked, bytes) = (names.count, 0)
    }
    // After an error, names may be missing.
    guard errno == 0 else { throw .current() }
    return asked == names.count || room(names.count - asked, bytes) ? names : nil
}

private func isHidden(_ name: [UInt8]) -> Bool { name.first == dot && name != wellKnown }

/// Whether a link must not lead there. Kubernetes mounts files as links through directories whose
/// names begin with two full stops, and replaces those.
private func isHiddenTarget(_ name: [UInt8]) -> Bool {
    isHidden(name) && !name.starts(with: [dot, dot])
}

/// Whether package managers keep in a directory what others wrote.
private func isOfOthers(_ path: [[UInt8]]) -> Bool {
    guard let name = path.last, let word = String(validating: name, as: UTF8.self) else {
        return false
    }
    // A flavor of an Android app can have this name.
    if word == "vendor" { return path.dropLast().last != Array("src".utf8) }
    return directoriesOfOthers.contains(word)
}

/// The directories of npm, Bower, jspm, Python, CocoaPods, Carthage and Xcode.
private let directoriesOfOthers: Set = [
    "node_modules", "bower_components", "jspm_packages", "site-packages", "venv", "Pods",
    "Carthage", "DerivedData",
]

private func joined(_ path: [[UInt8]]) -> String { text(Array(path.joined(separator: [slash]))) }

private func validated(_ path: [[UInt8]]) -> String? {
    String(validating: path.joined(separator: [slash]), as: UTF8.self)
}

private let wellKnown = Array(".well-known".utf8)
private let dot = UInt8(ascii: ".")
private let slash = UInt8(ascii: "/")
/// More than any site has; less than endless.
private let entriesMax = 1 << 20
/// The most entries that are remembered before there is a question about room for them.
private let askedEntries = 256
