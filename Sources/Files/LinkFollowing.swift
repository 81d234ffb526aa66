internal import Glibc

/// Follows a path beneath a root directory, component by component. The kernel never follows a
/// symbolic link here: each is read, and its target is walked in its place, so that what is opened
/// at the end lies beneath the root, even if files are replaced meanwhile.
///
/// A link may leave the root on its way, through `..` or an absolute target, and come back to it.
/// What it passes outside is only a place to go through (O_PATH), and the root is known again by
/// its identity, not by its name.
struct LinkFollowing: ~Copyable {
    private let root: CInt
    private let rootIdentity: FileIdentity
    private let seam: TreeSeam?
    /// The directory in which it stands; nil for the root itself.
    private var directory: OwnedDescriptor?
    /// Its descriptor.
    private(set) var number: CInt
    /// The names that lead there from the root; none of them was a link.
    private(set) var names = [[UInt8]]()
    private var isOutside = false
    /// The parts still to go, the next one last.
    private var waiting: [[UInt8]]
    private var linksLeft = linksMax
    /// The target of the first link.
    private(set) var target: [UInt8]?

    /// The end of a path.
    enum Leaf {
        case directory
        /// Anything else, in the directory that was reached.
        case entry(name: [UInt8], stat)
    }

    /// The reason why it leads to nothing that may be opened.
    enum Failure: Error {
        case outside
        case reason(FileError)
    }

    init(_ path: [[UInt8]], beneath root: borrowing RootDirectory) {
        self.init(path, root.number, root.identity, root.seam)
    }

    init(_ path: [[UInt8]], _ root: CInt, _ identity: FileIdentity, _ seam: TreeSeam?) {
        self.root = root
        number = root
        rootIdentity = identity
        self.seam = seam
        waiting = path.reversed()
    }

    mutating func follow() throws(Failure) -> Leaf {
        while let name = waiting.popLast() {
            if name == parent {
                try goUp()
                continue
            }
            seam?(.look)
            guard let entry = openEntry(name, in: number, searchOnly) else {
                throw .reason(.current())
            }
            let status = try reason { () throws(FileError) in try Files.status(of: entry.number) }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: enter(entry, FileIdentity(status), name)
            case S_IFLNK: try follow(entry)
            default:
                guard waiting.isEmpty else { throw .reason(.missing) }
                guard !isOutside else { throw .outside }
                return .entry(name: name, status)
            }
        }
        guard !isOutside else { throw .outside }
        return .directory
    }

    private mutating func follow(_ link: borrowing OwnedDescriptor) throws(Failure) {
        linksLeft -= 1
        errno = ELOOP
        guard linksLeft >= 0 else { throw .reason(.current()) }
        seam?(.link)
        guard let target = unsafe linkTarget("", in: link.number) else { throw .reason(.current()) }
        self.target = self.target ?? target
        waiting += parts(of: target).reversed()
        if target.first == UInt8(ascii: "/") { try leave(through: "/", of: AT_FDCWD) }
    }

    private mutating func enter(
        _ entry: consuming OwnedDescriptor, _ identity: FileIdentity, _ name: [UInt8]
    ) {
        if isOutside, identity == rootIdentity { return returnToRoot() }
        number = entry.number
        directory = consume entry
        if !isOutside { names.append(name) }
    }

    /// Within the root, what is above is known by its names: the directory may have been moved out
    /// since it was opened, and the kernel would go up from where it is now.
    private mutating func goUp() throws(Failure) {
        guard !isOutside, !names.isEmpty else { return try leave(through: "..", of: number) }
        waiting += names.dropLast().reversed()
        returnToRoot()
    }

    private mutating func leave(through path: StaticString, of start: CInt) throws(Failure) {
        guard let entry = openEntry(Array(path.description.utf8), in: start, searchOnly) else {
            throw .reason(.current())
        }
        let status = try reason { () throws(FileError) in try Files.status(of: entry.number) }
        (names, isOutside) = ([], true)
        enter(entry, FileIdentity(status), [])
    }

    private mutating func returnToRoot() {
        directory = nil
        number = root
        (names, isOutside) = ([], false)
    }

    private func reason<Value>(_ body: () throws(FileError) -> Value) throws(Failure) -> Value {
        do throws(FileError) { return try body() } catch { throw .reason(error) }
    }
}

private let parent = Array("..".utf8)
