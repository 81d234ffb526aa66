import Files
import Migration

/// The directories below one that is read whose names are those of copies of directories that servers read. What a file
/// includes is none.
struct CopiedDirectories {
    private let directory: String
    private let copies: [String: String]
    /// Of the other directories, through links.
    private let identities: Set<FileIdentity>

    /// - Parameters:
    ///   - files: that would be read, by their paths below the directory.
    ///   - all: files of the directory.
    init(of files: [String], among all: [String], in directory: String) {
        let directories = Self.directories(of: all)
        let found = files.compactMap { file in
            Migration.Kind.copiedDirectory(file, among: directories).map { (file, $0) }
        }
        let names = Set(found.map(\.0))
        let included =
            found.isEmpty
            ? IncludedNames() : IncludedNames(files.filter { !names.contains($0) }, directory)
        copies = Dictionary(found.filter { !included.has($0.1) }) { first, _ in first }
        self.directory = directory
        let others = found.isEmpty ? [] : directories.subtracting(copies.values)
        identities = Set(others.compactMap { FileStamp(of: "\(directory)/\($0)/.")?.identity })
    }

    /// The copy in which a file is; nil for a file of none.
    func directory(of file: String) -> String? { copies[file] }

    /// Whether a link with another name leads to a copy, so that its files are read there.
    func isLinked(_ copy: String) -> Bool {
        FileStamp(of: "\(directory)/\(copy)/.").map { identities.contains($0.identity) } ?? false
    }

    /// The directories in which files are, and those in which these are.
    private static func directories(of files: [String]) -> Set<String> {
        var directories = Set<String>()
        for file in files {
            var path = parentDirectory(of: file)
            while directories.insert(path).inserted, path.utf8.contains(UInt8(ascii: "/")) {
                path = parentDirectory(of: path)
            }
        }
        return directories
    }
}
