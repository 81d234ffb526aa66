import Answering
import Files
import SiteConfiguration

/// The public files of all sites as they were found, by their directories.
struct PublicTrees: Sendable {
    private(set) var all: [[UInt8]: FileTree]

    init(_ trees: [(directory: [UInt8], tree: FileTree)] = []) {
        all = Dictionary(trees, uniquingKeysWith: { first, _ in first })
    }

    /// The files that these sites were built from.
    init(_ sites: SiteTable) {
        self.init(sites.sites.map { (Array($0.source.publicDirectory.path.utf8), $0.publicTree) })
    }

    subscript(directory: [UInt8]) -> FileTree? {
        get { all[directory] }
        set { all[directory] = newValue }
    }

    func isSame(as other: PublicTrees) -> Bool {
        all.count == other.all.count
            && all.allSatisfy { other[$0]?.isSame(as: $1) ?? false }
    }

    /// The directory that contains this path; nil if none does. Of directories in one another it is
    /// the innermost.
    func directory(of path: [UInt8]) -> [UInt8]? {
        var end = path.count
        while let found = path[..<end].lastIndex(of: slash) {
            if all[Array(path[..<found])] != nil { return Array(path[..<found]) }
            end = found
        }
        return nil
    }
}

private let slash = UInt8(ascii: "/")
