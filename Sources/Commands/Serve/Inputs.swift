import Files
import SiteConfiguration
import TLS
import URISyntax

/// Everything that an origin is served from: the configuration, the files that it names, and the
/// directories that it serves. Paths are bytes, because two paths that are equal as text can be two
/// files.
struct Inputs {
    private(set) var files: Set<[UInt8]>
    private(set) var directories = Set<[UInt8]>()

    /// - Parameter environment: if nil, the configuration is the only input.
    init(configuration: String, _ environment: Environment?) {
        files = [Array(configuration.utf8)]
        guard let environment else { return }
        files.formUnion(environment.inputFiles.map { Array($0.path.utf8) })
        directories = Set(environment.inputDirectories.map { Array($0.path.utf8) })
    }

    mutating func formUnion(_ other: Inputs) {
        files.formUnion(other.files)
        directories.formUnion(other.directories)
    }

    /// Metadata by which a change of a file is noticed without reading it, by the bytes of the
    /// file's name; nil for a file that does not exist.
    typealias Stamps = [[UInt8]: FileStamp?]

    func stamps() -> Stamps {
        var stamps = Stamps()
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

    /// A hash of their names and contents, in hexadecimal digits.
    func hash() -> String {
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
        return sha256(all.flatMap { sha256($0.name) + sha256($0.content) }).hexadecimal
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

    /// The directories in which an input can change.
    func decidingDirectories() -> Set<[UInt8]> {
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
            let tree = findTree(under: text(directory))
            found.formUnion(tree.directories.map(\.path))
            for file in tree.files where file.isLink {
                found.formUnion(
                    Files.decidingDirectories(of: directory + slash + file.relativePath.utf8))
            }
        }
        return found
    }

    private func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }
}

private let slash = [UInt8(ascii: "/")]
/// The maximum size of an input.
private let inputBytesMax = 1 << 30
