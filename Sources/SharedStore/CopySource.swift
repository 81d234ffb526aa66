internal import LinkStore
internal import PostgreSQL
internal import Sockets

/// A database of a server as the source of a copy: everything as it was at one moment. Nodes can change it
/// meanwhile, and the copy has nothing of that.
final class CopySource {
    let session: CopySession
    let state: CopiedState

    init(_ place: PostgreSQLPlace) throws(StoreError) {
        let session = try CopySession(place)
        self.session = session
        switch try session.tables() {
        case .nothing:
            throw .notCopied(
                "\(place.description) has no stored links",
                advice: "name the database that the nodes have in their `store`")
        case .foreign: throw place.error(.isForeign)
        case .copying: throw place.error(.isCopied)
        case .schema(let schema):
            guard schema.minReader <= PostgreSQLSchema.scripts.count else {
                throw place.error(
                    .isNewer(schema: schema.version, known: PostgreSQLSchema.scripts.count))
            }
        }
        let deadline = session.deadline
        _ = try session.use { connection throws(PostgreSQLError) in
            try connection.begin(
                [
                    PostgreSQLStatement(
                        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                ], by: deadline)
        }
        state = try session.state()
    }

    /// Calls `body` with the rows of a table.
    func read(
        _ table: CopiedTable, after count: Int, most: Int,
        _ body: (PostgreSQLCopyReader) -> Void
    ) throws(StoreError) {
        try session.use { connection throws(PostgreSQLError) in
            try connection.copy("\(table.selection) LIMIT \(most) OFFSET \(count)", body)
        }
    }

    /// The changes that nodes have made since.
    func missed() throws(StoreError) -> Int {
        let deadline = session.deadline
        _ = try session.use { connection throws(PostgreSQLError) in
            try connection.commit(by: deadline)
        }
        return try session.state().generation - state.generation
    }
}
