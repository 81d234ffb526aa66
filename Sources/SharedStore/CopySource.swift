internal import LinkStore
internal import PostgreSQL
internal import Sockets

/// A database of a server as the source of a copy: everything as it was at one moment. Nodes can change it
/// meanwhile, and the copy has nothing of that.
final class CopySource {
    let session: CopySession
    let state: CopiedState
    /// The version of its tables.
    private let version: Int

    init(_ place: PostgreSQLPlace) throws(StoreError) {
        let session = try CopySession(place)
        self.session = session
        let tables = try session.tables()
        version = tables.version
        switch tables {
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
        guard table.since <= version else { return }
        try session.use { connection throws(PostgreSQLError) in
            try connection.copy("\(table.selection) LIMIT \(most) OFFSET \(count)", body)
        }
    }

    func sum(of table: CopiedTable) throws(StoreError) -> CopiedSum {
        table.since <= version ? try session.sum(of: table) : CopiedSum()
    }

    /// The changes that nodes have made since.
    func missed() throws(StoreError) -> Int {
        let deadline = session.deadline
        _ = try session.use { connection throws(PostgreSQLError) in
            try connection.commit(by: deadline)
        }
        return max(0, try session.state().generation &- state.generation)
    }
}
