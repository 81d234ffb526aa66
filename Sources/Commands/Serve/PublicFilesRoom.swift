import Files
import Services

/// The memory of public files, which is asked for as they are found: a snapshot has all of them, however small they are.
final class PublicFilesRoom {
    /// The reason for which the files are found: a reload keeps them beside those that are served.
    enum Purpose { case comparison, reload }

    private let claim: WorkMemory.Claim
    private let (entryBytes, copies): (Int, Int)
    /// The bytes that need no question.
    private let freeBytes: Int
    private var bytes = 0
    private var (pagesBytes, largestPage) = (0, 0)
    private(set) var isLacking = false

    /// - Parameter known: the files as they were found before.
    init(_ memory: WorkMemory, for purpose: Purpose, after known: some Sequence<FileTree>) {
        claim = WorkMemory.Claim(memory)
        // Measured. A reload makes answers of what was found, and what finds these.
        (entryBytes, copies) = purpose == .reload ? (2_048, 4) : (512, 2)
        var bytes = 0
        for tree in known {
            let pathBytes = tree.files.reduce(0) { $0 + $1.relativePath.utf8.count }
            bytes += (tree.files.count + tree.directories.count) * entryBytes + pathBytes * copies
        }
        // A tree takes the place of the one before; of files, what is served is shared.
        freeBytes = bytes / (purpose == .reload ? 2 : 1)
    }

    /// Claims what so many more entries take, whose paths have so many bytes.
    func take(_ entries: Int, _ pathBytes: Int) -> Bool {
        bytes += entries * entryBytes + pathBytes * copies
        return claimAll()
    }

    /// Claims what a page takes that other answers are made of: itself, and copies while it is read.
    func take(page bytes: Int) -> Bool {
        (pagesBytes, largestPage) = (pagesBytes + bytes, max(largestPage, bytes))
        return claimAll()
    }

    private func claimAll() -> Bool {
        let pages = pagesBytes + largestPage * Self.pageCopies
        isLacking = isLacking || !claim.grow(to: max(0, bytes - freeBytes) + pages)
        return !isLacking
    }

    private static let pageCopies = 4
}
