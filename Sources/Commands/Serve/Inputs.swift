import Answering
import Files
import SiteConfiguration
import TLS
import URISyntax

/// Everything that an origin is served from: the configuration, the files and the theme that it
/// names, which are read when a snapshot is built, and the public directories, whose files are only
/// found then. Paths are bytes: two that are equal as text may be two files.
struct Inputs {
    private let configuration: [UInt8]
    private(set) var files: Set<[UInt8]>
    private(set) var directories = Set<[UInt8]>()
    private(set) var publicDirectories = Set<[UInt8]>()
    /// Those that need not exist; they are empty then, as for the sites.
    private var optionalDirectories = Set<[UInt8]>()
    /// The directory of whose files only those of sites are read.
    private var sitesDirectory: [UInt8]?
    /// Files that the origin writes itself, wherever they are.
    private var ownFiles = Set<String>()

    /// - Parameters:
    ///   - environment: if nil, the configuration is the only input.
    ///   - sites: those that are served, also as they were before.
    init(configuration: String, _ environment: Environment?, sites: [Site]) {
        self.configuration = Array(configuration.utf8)
        files = [self.configuration]
        guard let environment else { return }
        files.formUnion(environment.inputFiles.map { Array($0.path.utf8) })
        for site in environment.sites + sites {
            files.formUnion(site.inputFiles.map { Array($0.path.utf8) })
            publicDirectories.insert(Array(site.publicDirectory.path.utf8))
            if site.mayLackPublicDirectory {
                optionalDirectories.insert(Array(site.publicDirectory.path.utf8))
            }
            if let theme = site.presentation.theme { directories.insert(Array(theme.path.utf8)) }
        }
        sitesDirectory = environment.sitesDirectory.map { Array($0.path.utf8) }
        if let sitesDirectory { directories.insert(sitesDirectory) }
        ownFiles = environment.writtenFiles
    }

    mutating func formUnion(_ other: Inputs) {
        files.formUnion(other.files)
        directories.formUnion(other.directories)
        publicDirectories.formUnion(other.publicDirectories)
        optionalDirectories.formUnion(other.optionalDirectories)
        if sitesDirectory == nil { sitesDirectory = other.sitesDirectory }
        ownFiles.formUnion(other.ownFiles)
    }

    /// Whether a file of a directory is read. If a log or a store were, each reload would be the
    /// reason for the next.
    /// - Parameter own: the files that the origin writes itself.
    private func isRead(
        _ file: FoundFile, in directory: [UInt8], besides own: Set<FileIdentity>
    ) -> Bool {
        let name = file.relativePath.utf8
        guard directory != sitesDirectory else {
            return !name.contains(slash[0]) && name.suffix(5).elementsEqual(".yaml".utf8)
        }
        return !own.contains(file.stamp.identity)
    }

    private func findOwnFiles() -> Set<FileIdentity> {
        directories.isEmpty ? [] : Set(ownFiles.compactMap { FileIdentity(of: $0) })
    }

    /// The public files as they are now.
    func findPublicFiles() -> PublicTrees { findPublicFiles { _, _ in true } }

    /// The same; nil if there is no room for them.
    func findPublicFiles(within room: PublicFilesRoom) -> PublicTrees? {
        let trees = findPublicFiles(room.take)
        return room.isLacking ? nil : trees
    }

    private func findPublicFiles(_ room: @escaping TreeRoom) -> PublicTrees {
        PublicTrees(
            publicDirectories.map { directory in
                let tree = findTree(under: text(directory), within: room)
                let isMissing = optionalDirectories.contains(directory) && tree.isOfMissing
                return (directory, isMissing ? FileTree() : tree)
            })
    }

    /// The stamps that tell that a file has changed, by the bytes of its name and without reading
    /// it; nil for one that is not there.
    typealias Stamps = [[UInt8]: FileStamp?]

    func stamps() -> Stamps {
        var stamps = Stamps(minimumCapacity: files.count)
        for path in files { stamps[path] = .some(FileStamp(of: path)) }
        let own = findOwnFiles()
        for directory in directories {
            let (root, tree) = (text(directory), findTree(under: text(directory)))
            for file in tree.files where isRead(file, in: directory, besides: own) {
                stamps[directory + slash + file.relativePath.utf8] = .some(file.stamp)
            }
            // A fault that makes a directory unusable may lie far below it.
            for fault in tree.faults { stamps[Array("\(root): \(fault)".utf8)] = .some(nil) }
        }
        return stamps
    }

    /// The bytes of the configuration, and of the files of sites.
    func configurationBytes(_ stamps: Stamps) -> Int {
        stamps.reduce(0) { sum, file in
            let isRead =
                file.key == configuration || file.key.suffix(5).elementsEqual(".yaml".utf8)
            return sum + (isRead ? min(file.value?.bytes ?? 0, inputBytesMax) : 0)
        }
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
        let own = findOwnFiles()
        for directory in directories {
            let root = text(directory)
            do throws(FileError) {
                let tree = try RootDirectory(root).walk(root) { file in
                    guard isRead(file.found, in: directory, besides: own) else { return }
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
    /// - Parameter trees: the public files.
    func decidingDirectories(_ trees: PublicTrees) -> Set<[UInt8]> {
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
        for directory in publicDirectories {
            found.formUnion(Files.decidingDirectories(of: directory))
            found.insert(directory)
            addDirectories(of: trees[directory] ?? FileTree(), directory)
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
