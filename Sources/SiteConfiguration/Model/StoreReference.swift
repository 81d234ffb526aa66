package import Diagnostics
package import PostgreSQL

/// The place of an environment's stored links.
package enum StoreReference: Equatable, Sendable {
    /// A file, which belongs to one process.
    case file(FileReference)
    /// A database of a server, which several nodes share.
    case database(DatabaseReference)

    /// The path of the file; or the servers with the name of the database, for people.
    package var path: String {
        switch self {
        case .file(let file): file.path
        case .database(let database): database.name
        }
    }

    /// The file with the password of the database; nil where there is none.
    package var password: FileReference? {
        if case .database(let database) = self { database.password } else { nil }
    }

    /// The files with the secrets that encrypt what nodes share besides links, the current one first.
    package var secrets: [FileReference] {
        if case .database(let database) = self { database.secrets } else { [] }
    }

    /// Nil for a file.
    package var database: DatabaseReference? {
        if case .database(let database) = self { database } else { nil }
    }

    /// Nil for a database.
    package var file: FileReference? { if case .file(let file) = self { file } else { nil } }
}

/// A database as a configuration names it.
package struct DatabaseReference: Equatable, Sendable {
    package let location: PostgreSQLLocation
    /// The file with the password; nil where the server asks for none.
    package let password: FileReference?
    /// The files with secrets that all nodes have, the current one first.
    package let secrets: [FileReference]
    package let position: SourcePosition

    /// The servers and the database, for people.
    package var name: String { location.description }
}
