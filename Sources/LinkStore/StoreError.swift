private import Diagnostics
package import Files
internal import SQLite

/// A file of a store that a backup's has replaced.
package struct ReplacedFile: Hashable, Sendable {
    package let path: String
    /// The path of the file before; nil if there was none.
    package let kept: String?

    fileprivate var cure: String {
        kept.map { "move \(quotedPath($0)) to \(quotedPath(path))" } ?? "remove \(quotedPath(path))"
    }
}

/// A reason for which a store of links cannot be opened, or refuses an operation.
package enum StoreError: Error, Equatable, Sendable {
    /// Another process serves it.
    case isServed(path: String)
    /// `waymark links restore` is replacing it.
    case isRestored(path: String)
    /// It is another kind of file, or another program's database. It is left as it is.
    case isForeign(path: String, StoreKind = .links)
    /// A newer version of Waymark has changed its tables.
    case isNewer(path: String, schema: Int, StoreKind = .links)
    /// SQLite finds it damaged.
    case isDamaged(path: String, String)
    /// It is damaged, and its links were read before that was found, so they are in memory.
    case wasDamaged(path: String, String)
    /// It is missing or empty, and a file beside it is of a store that was there.
    case isMissing(path: String, beside: String)
    /// A file that it consists of, or its directory, belongs to somebody else.
    case isClosed(ClosedFile)
    /// Its directory is missing, or it cannot be opened otherwise.
    case cannotOpen(path: String, String)
    /// A directory, a pipe, a socket or a device has its name.
    case isNoFile(path: String, String)
    /// It was removed, or another file is in its place.
    case isGone(path: String)
    /// Another file is in its place, or none, and what it had is kept in one of this path.
    case isKept(path: String, kept: String)
    /// Another program has written into it while it is served, or has taken its log of transactions
    /// away. What is in memory may not fit to that.
    case isOverwritten(path: String)
    /// Visits that are to be restored with links are of another store.
    case countsOthers(path: String, links: String)
    /// A restore has replaced these files and has failed, and could not put those before back.
    case isLeftReplaced([ReplacedFile], String)
    /// Another program has a transaction open.
    case isHeld(path: String)
    /// The file system has no room.
    case isFull
    /// Whoever has begun a transaction takes it back.
    case refused
    /// Reading or writing failed otherwise.
    case failed(String)
    /// A store is not copied to another kind of database.
    case notCopied(String, advice: String)
    /// A database that several nodes share.
    case database(place: String, DatabaseFault)

    init(_ error: SQLiteError, path: String) {
        self =
            switch error.kind {
            case .full: .isFull
            case .notADatabase: .isForeign(path: path)
            case .damaged: .isDamaged(path: path, error.description)
            case .cannotOpen, .readOnly: .unopened(path, error.description)
            case .busy: .isHeld(path: path)
            case .constraint, .inputOutput, .other: .failed(error.description)
            }
    }

    init(_ error: FileError, path: String) {
        self =
            switch error {
            case .taken:
                StoreLocks.areOfRestore(path) ? .isRestored(path: path) : .isServed(path: path)
            case .noPermission: .unopened(path, "\(error)")
            case .missing: .cannotOpen(path: path, Self.missingPart(of: path))
            default: .cannotOpen(path: path, "\(error)")
            }
    }

    /// The part of a path that is missing: its directory, or what a symbolic link leads to, which may be why
    /// nothing can be created there.
    static func missingPart(of path: String) -> String {
        if FileStamp(of: parentDirectory(of: path)) == nil { return "the directory does not exist" }
        guard FileStamp(of: path) == nil, isSymbolicLink(path) else {
            return "\(FileError.missing)"
        }
        return
            "it is a symbolic link to a file that does not exist; name the file itself, or create "
            + "it, empty"
    }

    /// Names the file that keeps this process out: beside a store are its locks and SQLite's files.
    private static func unopened(_ path: String, _ reason: String) -> StoreError {
        for ending in ["", ".lock", "-wal"] {
            if let file = ClosedFile(at: path + ending) { return .isClosed(file) }
        }
        if let directory = ClosedFile(at: parentDirectory(of: path)) { return .isClosed(directory) }
        return .cannotOpen(path: path, reason)
    }

    /// True if only another file, or a change of this one, can help.
    package var isOfFile: Bool {
        switch self {
        case .isForeign, .isNewer, .isDamaged: true
        case .isServed, .isRestored, .isClosed, .cannotOpen, .isNoFile, .wasDamaged, .isMissing,
            .isGone, .isKept, .isOverwritten, .countsOthers, .isLeftReplaced, .isHeld, .isFull,
            .refused,
            .failed, .notCopied, .database:
            false
        }
    }

    /// True if one report is enough for both errors: they are equal, or of a database that is away, for whatever reason.
    package func isAlike(_ other: StoreError) -> Bool {
        if case .database(_, .away) = self, case .database(_, .away) = other { return true }
        return self == other
    }

    /// True if the same transaction may succeed when it is repeated.
    var isRepeatable: Bool {
        if case .database(_, .busy) = self { true } else { false }
    }

    /// The fact, and what an operator can do about it.
    package var words: (fact: String, advice: String) {
        switch self {
        case .isServed(let path):
            (
                "another process serves \(quotedPath(path))",
                "stop it, or give this environment another `store`"
            )
        case .isRestored(let path):
            (
                "`waymark links restore` is putting a backup in the place of \(quotedPath(path))",
                "wait for its end; an origin that has started tries again"
            )
        case .isForeign(let path, let kind):
            (
                "\(quotedPath(path)) is no \(kind.words)",
                kind == .links
                    ? "`store` names a file that Waymark creates; this one is left as it is"
                    : "move it away; Waymark creates this file, and leaves this one as it is"
            )
        case .isNewer(let path, let schema, let kind):
            (
                "\(quotedPath(path)) has tables of version \(schema), this program knows "
                    + "\(kind.schemaVersion)",
                "serve it with the newer Waymark, or restore a backup from before the upgrade"
            )
        case .isDamaged(let path, let reason):
            (
                "\(quotedPath(path)) is damaged: \(reason)",
                "restore a backup in its place; this one is left as it is"
            )
        case .wasDamaged(let path, let reason):
            ("\(quotedPath(path)) is damaged: \(reason)", Self.keepsMemory)
        case .isMissing(let path, let other):
            (
                "\(quotedPath(path)) is missing or empty, and \(quotedPath(other)) beside it is of a store that "
                    + "was there",
                "put the file back, or a backup in its place with `waymark links restore`; to begin "
                    + "anew without its links, `rm \(other)`"
            )
        case .isClosed(let file):
            (
                "\(quotedPath(file.path)) cannot be written: \(file.fact)",
                "let that user own it, and what is beside it, with `\(file.remedy)`"
            )
        case .cannotOpen(let path, let reason):
            (
                "\(quotedPath(path)) cannot be opened: \(reason)",
                "its directory must exist and belong to the user that runs waymark"
            )
        case .isNoFile(let path, let kind):
            (
                "\(quotedPath(path)) is \(kind), and not a file",
                "name a file that Waymark can create, or a file of stored links"
            )
        case .isGone(let path):
            (
                "\(quotedPath(path)) was removed or replaced while it is served",
                "keep what is served with `waymark links backup`, put that in its place, and "
                    + "start waymark again; links are answered as before"
            )
        case .isKept(let path, let kept):
            (
                "\(quotedPath(path)) was removed or replaced while it was served; what it had is in "
                    + quotedPath(kept),
                "look which of the two is right; `waymark links restore \(kept)` puts it in its place"
            )
        case .isOverwritten(let path):
            ("\(quotedPath(path)) was overwritten or removed while it is served", Self.keepsMemory)
        case .countsOthers(let path, let links):
            (
                "\(quotedPath(path)) counts the links of another store than \(quotedPath(links))",
                "move it away, and the links are restored without visits"
            )
        case .isLeftReplaced(let files, let reason):
            (
                "\(reason); the backup's \(inWords(files.map { quotedPath($0.path) }, "and")) cannot be "
                    + "taken back",
                files.map(\.cure).joined(separator: ", and ") + " before waymark is started"
            )
        case .isHeld(let path):
            (
                "another program has a transaction of \(quotedPath(path)) open",
                "end that program, such as a shell of sqlite3; \(Self.goesOn)"
            )
        case .isFull:
            ("the file system of the store is full", "make room; \(Self.goesOn)")
        case .refused: ("the transaction was taken back", Self.goesOn)
        case .failed(let reason): ("the store failed: \(reason)", Self.goesOn)
        case .notCopied(let fact, let advice): (fact, advice)
        case .database(let place, let fault): fault.words(place)
        }
    }

    private static let goesOn = "links that were read are answered, and it is tried again"

    /// SQLite itself may find nothing wrong, and answer less than was acknowledged.
    private static let keepsMemory =
        "keep what is served with `waymark links backup` before waymark stops; then start waymark "
        + "again, and if it refuses the file or misses links, put the copy in its place with "
        + "`waymark links restore`; links are answered as before until then, and nothing is changed"
}
