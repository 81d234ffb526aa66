import Diagnostics
import LinkIndex
import LinkStore
import Synchronization

// What an import remembers of the lines before: of so many things, and not more.

/// The files that lines name and the site does not have. Each is noted once: many lines have the same
/// picture, and an answer would be longer than the content by far.
final class MissingFiles: Sendable {
    private let noted = Mutex(Set<[UInt8]>())

    /// True if the file was not noted before.
    func isFirst(_ path: String, of collection: ServedCollection) -> Bool {
        noted.withLock { noted in
            noted.count < Self.filesMax
                && noted.insert(Array("\(collection.name) \(path)".utf8)).inserted
        }
    }

    private static let filesMax = 1_000
}

/// The links that the rows of a table are of. Of two rows of one link, nobody knows which is right, and
/// in a table there is no order in which they would be changes.
final class TableRows: Sendable {
    private let lines = Mutex([LinkID: Int]())

    /// The fault of a row whose link an earlier row has; nil for the first of a link, also when it is written
    /// again because its transaction is.
    func repetition(of link: StoredLink?, in line: ImportedLine) -> PointedFault? {
        guard let earlier = self.line(of: link), earlier != line.number else { return nil }
        return PointedFault(
            "", .duplicateKey, "the row in line \(earlier) is of the same link",
            advice: "keep the row that is right")
    }

    /// The number of the row that is of a link.
    func line(of link: StoredLink?) -> Int? {
        link.flatMap { link in lines.withLock { $0[link.id] } }
    }

    func note(_ link: StoredLink?, _ line: ImportedLine) {
        guard let link else { return }
        lines.withLock { lines in
            guard lines.count < Self.rowsMax else { return }
            lines[link.id] = line.number
        }
    }

    private static let rowsMax = 250_000
}
