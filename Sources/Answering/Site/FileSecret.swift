import Diagnostics

/// Content that is not sent, whatever the name of its file.
enum FileSecret {
    case privateKey
    case store
    case visits

    /// Searches a part of a file.
    /// - Parameter offset: of the part in the file.
    init?(in bytes: Span<UInt8>, at offset: Int) {
        if offset == 0, let database = Self.database(bytes) {
            self = database
        } else if holdsPrivateKey(bytes) {
            self = .privateKey
        } else {
            return nil
        }
    }

    /// Waymark's databases, by SQLite's header and the number that Waymark gives them
    /// (https://sqlite.org/fileformat2.html#application_id): the store that is served, a backup, or
    /// those of another origin.
    private static func database(_ bytes: Span<UInt8>) -> FileSecret? {
        guard bytes.count >= headerBytes, has(bytes, Array("SQLite format 3\0".utf8), at: 0) else {
            return nil
        }
        if has(bytes, Array("WMLK".utf8), at: applicationID) { return .store }
        if has(bytes, Array("WMVS".utf8), at: applicationID) { return .visits }
        return nil
    }

    private static func has(_ bytes: Span<UInt8>, _ part: [UInt8], at offset: Int) -> Bool {
        part.indices.allSatisfy { bytes[offset + $0] == part[$0] }
    }

    private static let applicationID = 68
    /// The bytes of a file's beginning by which a database is recognized.
    static let headerBytes = applicationID + 4

    /// The message about a public file with this content.
    func fault(_ path: String, _ directory: PublicDirectory) -> Diagnostic {
        let (what, advice) =
            switch self {
            case .privateKey:
                ("contains a private key (PEM)", "if the key was served, replace it")
            case .store:
                (
                    "is a store of links, or a backup of one",
                    "if it was served, everybody could read its links"
                )
            case .visits:
                (
                    "is a file of visits, or a backup of one",
                    "if it was served, everybody could read its numbers"
                )
            }
        return Diagnostic(
            .error, self == .privateKey ? .privateKeyInPublic : .secretInPublic,
            at: directory.position,
            "public file \(quoted(path)) \(what)",
            advice: "move it out of \(quoted(directory.path)); \(advice)")
    }
}
