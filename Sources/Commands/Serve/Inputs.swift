import Files
import SiteConfiguration
import TLS
import URISyntax

/// Everything that an origin is served from: the configuration, the files and the theme that it
/// names, which are read when a snapshot is built, and the public directory, whose files are only
/// found then. Paths are bytes: two that are equal as text may be two files.
struct Inputs {
    private(set) var files: Set<[UInt8]>
    private(set) var directories = Set<[UInt8]>()
    private(set) var publicDirectory: [UInt8]?

    /// - Parameter environment: if nil, the configuration is the only input.
    init(configuration: String, _ environment: Environment?) {
        files = [Array(configuration.utf8)]
        guard let environment else { return }
        files.formUnion(environment.inputFiles.map { Array($0.path.utf8) })
        directories = Set(
            environment.sites.map(\.presentation.theme).compactMap(\.self).map {
                Array($0.path.utf8)
            })
        publicDirectory = Array(environment.sites[0].publicDirectory.path.utf8)
    }

    mutating func formUnion(_ other: Inputs) {
        files.formUnion(other.files)
        directories.formUnion(other.directories)
        publicDirectory = other.publicDirectory ?? publicDirectory
    }

    /// The public files as they are now.
    func findPublicFiles() -> FileTree {
        publicDirectory.map { findTree(under: text($0)) } ?? FileTree()
    }

    /// What tells of a file that is read, by the bytes of its name and without reading it, that it
    /// has changed; nil for one that is not there.
    typealias Stamps = [[UInt8]: FileStamp?]

    func stamps() -> Stamps {
        var stamps = Stamps(minimumCapacity: files.count)
        for path in files { stamps[path] = .some(FileStamp(of: path)) }
        for directory in directories {
            let (root, tree) = (text(directory), findTree(under: text(directory)))
            for file in tree.files {
                stamps[directory + slash + file.relativePath.utf8] = .some(file.stamp)
            }
            // A fault that makes a directory unusable may lie far below it.
            for fault in tree.faults { stamps[Array("\(root): \(fault)".utf8)] = .some(nil) }
        }
        return stamps
    }

    /// Whether these are the stamps of all inputs still.
    func haveStamps(_ stamps: Stamps) -> Bool {
        // A directory can have new files.
        guard directories.isEmpty, stamps.count == files.count else {
            return self.stamps() == stamps
        }
        return stamps.allSatisfy { path, stamp in FileStamp(of: path) == stamp }
    }

    /// A hash of the names and contents of what is read.
    func hash() -> [UInt8] {
        var all = [(name: [UInt8], content: [UInt8])]()
        for path in files {
            all.append(
                (
                    path,
                    hash { take throws(FileError) in
                        try readFile(text(path), bytesMax: inputBytesMax, each: take)
                    }
                ))
        }
        for directory in directories {
            let root = text(directory)
            do throws(FileError) {
                let tree = try RootDirectory(root).walk(root) { file in
                    let name = directory + slash + file.found.relativePath.utf8
                    all.append(
                        (
                            name,
                            hash { take throws(FileError) in
                                try file.read(bytesMax: inputBytesMax, each: take)
                            }
                        ))
                }
                for fault in tree.faults { all.append((Array("\(root): \(fault)".utf8), [0])) }
            } catch {
                all.append((directory, [0]))
            }
        }
        all.sort { $0.name.lexicographicallyPrecedes($1.name) }
        return sha256(all.flatMap { sha256($0.name) + sha256($0.content) })
    }

    /// A file that cannot be read has a hash too, which changes when it can be read.
    private func hash(_ read: (([UInt8]) -> Void) throws(FileError) -> Void) -> [UInt8] {
        var content = [UInt8]()
        do throws(FileError) {
            try read { content += sha256($0) }
            return content
        } catch {
            return [0]
        }
    }

    /// The directories in which one of them can change.
    /// - Parameter tree: the public files.
    func decidingDirectories(_ tree: FileTree) -> Set<[UInt8]> {
        var found = directories
        // The same directories decide over all files of one directory that are no links.
        var parents = Set<ArraySlice<UInt8>>()
        let decided = files.filter { path in
            parents.insert(path[..<(path.lastIndex(of: slash[0]) ?? 0)]).inserted
                || isSymbolicLink(text(path))
        }
        for path in decided.union(directories) {
            found.formUnion(Files.decidingDirectories(of: path))
        }
        for directory in directories {
            addDirectories(of: findTree(under: text(directory)), directory)
        }
        if let publicDirectory {
            found.formUnion(Files.decidingDirectories(of: publicDirectory))
            found.insert(publicDirectory)
            addDirectories(of: tree, publicDirectory)
        }
        return found

        func addDirectories(of tree: FileTree, _ root: [UInt8]) {
            found.formUnion(tree.directories.map(\.path))
            for file in tree.files where file.isLink {
                found.formUnion(
                    Files.decidingDirectories(of: root + slash + file.relativePath.utf8))
            }
        }
    }

    private func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }
}

private let slash = [UInt8(ascii: "/")]
/// The maximum size of an input.
private let inputBytesMax = 1 << 30
