internal import LinkStore
internal import PostgreSQL
internal import Sockets

/// A database of a server that a copy of a store is written into. No node uses it before the copy is complete,
/// because its schema has no version until then. Indexes are made at the end, which takes a quarter of the time.
final class CopyTarget {
    let session: CopySession
    private let state: CopiedState
    private(set) var isComplete = false
    /// The version of the tables.
    private var version = PostgreSQLSchema.scripts.count
    /// The numbers of links and aliases that another attempt has left.
    private(set) var done = (links: 0, aliases: 0)

    /// - Throws: why nothing can be copied there, such as that other links are.
    init(_ place: PostgreSQLPlace, _ state: CopiedState) throws(StoreError) {
        session = try CopySession(place)
        self.state = state
        do throws(StoreError) {
            // The server needs a moment to end the session of an attempt that was cut.
            _ = try session.run("SELECT pg_advisory_lock($1)", .integer(Self.lockNumber))
        } catch .database(_, .busy) {
            throw .notCopied(
                "another `waymark links copy` is writing to \(place.description)",
                advice: "wait for its end")
        }
        // Another copy may have ended while this one waited for the lock.
        switch try session.tables() {
        case .nothing: try begin()
        case .foreign: throw place.error(.isForeign)
        case .copying:
            let rows = try session.run("SELECT state, links, aliases FROM waymark.copying")
            if let row = rows.first, row.text(0) == state.key,
                Self.possible.contains(row.integer(1)), Self.possible.contains(row.integer(2))
            {
                done = (row.integer(1), row.integer(2))
            } else {
                try begin()
            }
        case .schema(let schema):
            guard schema.minWriter <= PostgreSQLSchema.scripts.count else {
                throw place.error(
                    .isNewer(schema: schema.version, known: PostgreSQLSchema.scripts.count))
            }
            try look(place, schema)
        }
    }

    /// The numbers of rows that an attempt can have left.
    private static let possible = 0...(1 << 48)
    private static let (endMilliseconds, pauseMilliseconds) = (2_000, 50)

    /// The first version of the tables that has people.
    private static let peopleVersion = 3

    /// `WMCP`: the number of the lock of a copy.
    private static let lockNumber = 0x574D_4350

    /// Looks at a store that nodes can use.
    private func look(_ place: PostgreSQLPlace, _ schema: PostgreSQLSchema) throws(StoreError) {
        isComplete = try session.state().key == state.key
        guard !isComplete else { return version = schema.version }
        let found = try session.run(
            """
            SELECT (SELECT count(*) FROM waymark.link), (SELECT count(*) FROM waymark.token),
              (SELECT count(*) FROM waymark.visit_piece) + (SELECT count(*) FROM waymark.visit_hour),
              (SELECT last_link FROM waymark.store)
            """)
        let (links, tokens) = (found.first?.integer(0) ?? 0, found.first?.integer(1) ?? 0)
        let people =
            schema.version < Self.peopleVersion
            ? 0 : try session.run("SELECT count(*) FROM waymark.person").first?.integer(0) ?? 0
        // A node that was started too early counts what was asked for. Without a link, that is of none.
        let hasVisits = found.first.map { $0.integer(2) > 0 && $0.integer(3) > 0 } ?? true
        guard links == 0, tokens == 0, people == 0, !hasVisits else {
            throw .notCopied(
                "\(place.description) has \(links) links, \(tokens) tokens and \(people) people already, "
                    + "or visits of links",
                advice: "name a database without them, or remove them there with "
                    + "`DROP SCHEMA waymark CASCADE`")
        }
        // Those that were stopped just now end, too.
        let deadline = Deadline(in: Self.endMilliseconds)
        var nodes = try session.nodes()
        while nodes > 0, deadline.remaining > 0 {
            (try? Wakeup())?.wait(atMost: Self.pauseMilliseconds)
            nodes = try session.nodes()
        }
        guard nodes == 0 else {
            throw .notCopied(
                "\(place.description) is used by nodes, which have \(nodes) sessions there",
                advice: "stop them, and start them when the links are there")
        }
        try begin()
    }

    /// Sums up a table, which is empty where an older version has none.
    func sum(of table: CopiedTable) throws(StoreError) -> CopiedSum {
        table.since <= version ? try session.sum(of: table) : CopiedSum()
    }

    // MARK: Tables

    /// Makes the tables, without the indexes, in place of those of a store without links.
    private func begin() throws(StoreError) {
        let (key, deadline) = (state.key, session.deadline)
        try session.transaction { connection throws(PostgreSQLError) in
            _ = try connection.run(
                "SELECT pg_advisory_xact_lock($1)", .integer(PostgreSQLSchema.lockNumber),
                by: deadline)
            try connection.execute(Self.removal, by: deadline)
            for script in PostgreSQLSchema.scripts {
                try connection.execute(script.sql, by: deadline)
            }
            try connection.execute(
                """
                CREATE TABLE waymark.copying (
                  state text NOT NULL, links bigint NOT NULL, aliases bigint NOT NULL);
                CREATE TABLE waymark.copying_part (place bigint NOT NULL, sql text NOT NULL)
                """, by: deadline)
            _ = try connection.run(
                "INSERT INTO waymark.copying VALUES ($1, 0, 0)", .text(key), by: deadline)
            let parts = try connection.run(Self.parts, by: deadline).rows
            _ = try connection.run(
                "INSERT INTO waymark.copying_part SELECT * FROM unnest($1::bigint[], $2::text[])",
                .integers(parts.map { $0.integer(0) }), .texts(parts.map { $0.text(2) }),
                by: deadline)
            // References end before that to which they refer.
            for part in parts.reversed() {
                try connection.execute(part.text(1), by: deadline)
            }
        }
        done = (0, 0)
    }

    private static let removal = """
        DO $$ DECLARE name text; BEGIN
          FOR name IN SELECT relname FROM pg_class
            WHERE relnamespace = to_regnamespace('waymark') AND relkind = 'r'
          LOOP EXECUTE format('DROP TABLE waymark.%I CASCADE', name); END LOOP;
        END $$
        """

    /// Keys, indexes and references, with the statements that end and make them.
    private static let parts = """
        SELECT CASE contype WHEN 'f' THEN 3 ELSE 1 END::bigint AS place,
          format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
          format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname,
            pg_get_constraintdef(oid))
        FROM pg_constraint WHERE connamespace = to_regnamespace('waymark')
          AND contype IN ('p', 'u', 'f') AND conrelid NOT IN (
            'waymark.schema'::regclass, 'waymark.store'::regclass)
        UNION ALL
        SELECT 2, format('DROP INDEX %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
        FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE c.relnamespace = to_regnamespace('waymark')
          AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)
        ORDER BY 1, 3
        """

    // MARK: Rows

    /// Copies the collections, whose numbers are those of the source.
    func add(_ collections: [(number: Int, name: String)]) throws(StoreError) {
        let deadline = session.deadline
        try session.transaction { connection throws(PostgreSQLError) in
            // Those of an attempt that was cut are the same, and links may refer to them already.
            let known = try connection.run("SELECT 1 FROM waymark.collection LIMIT 1", by: deadline)
            guard known.count == 0 else { return }
            for collection in collections {
                _ = try connection.run(
                    """
                    INSERT INTO waymark.collection (id, name) OVERRIDING SYSTEM VALUE
                    VALUES ($1, $2)
                    """, .integer(collection.number), .text(collection.name), by: deadline)
            }
        }
    }

    /// Copies rows, in one transaction.
    /// - Parameters:
    ///   - isAnew: whether those that are there are removed.
    ///   - most: rows are added at most.
    ///   - next: adds the values of the next row; returns false after the last one.
    /// - Returns: the number of rows.
    func add(
        _ table: CopiedTable, anew isAnew: Bool, most: Int = .max,
        _ next: (inout PostgreSQLCopyRows) -> Bool
    ) throws(StoreError) -> Int {
        let deadline = session.deadline
        var added = 0
        try session.transaction { connection throws(PostgreSQLError) in
            if isAnew { try connection.execute("DELETE FROM \(table.relation)", by: deadline) }
            var left = most
            added = try connection.copy(into: table.target) { rows in
                left -= 1
                return left >= 0 && next(&rows)
            }
            switch table.name {
            case CopiedTable.links.name: done.links += added
            case CopiedTable.aliases.name: done.aliases += added
            default: return
            }
            _ = try connection.run(
                "UPDATE waymark.copying SET links = $1, aliases = $2", .integer(done.links),
                .integer(done.aliases), by: deadline)
        }
        return added
    }

    // MARK: The end

    /// Adds the links' own slugs, and makes the indexes.
    func complete() throws(StoreError) {
        let deadline = session.deadline
        try session.transaction { connection throws(PostgreSQLError) in
            try connection.execute(
                """
                DELETE FROM waymark.slug WHERE place = 0;
                INSERT INTO waymark.slug (collection, slug, link, place)
                SELECT collection, slug, id, 0 FROM waymark.link
                """, by: deadline)
        }
        let parts = try session.run(
            "SELECT place, sql FROM waymark.copying_part ORDER BY place, sql")
        for part in parts.rows {
            try session.transaction { connection throws(PostgreSQLError) in
                try connection.execute(part.text(1), by: deadline)
                _ = try connection.run(
                    "DELETE FROM waymark.copying_part WHERE sql = $1", .text(part.text(1)),
                    by: deadline)
            }
        }
    }

    /// Lets the next attempt begin anew, because the server does not take these rows, or has others. One that was
    /// only cut, or found the server busy, goes on.
    func discard(after error: StoreError) {
        switch error {
        case .database(_, .busy): return
        case .database, .notCopied:
            _ = try? session.execute("UPDATE waymark.copying SET state = ''")
        default: return
        }
    }

    /// Lets nodes use it.
    func finish() throws(StoreError) {
        let (deadline, state) = (session.deadline, state)
        let last = PostgreSQLSchema.scripts[PostgreSQLSchema.scripts.count - 1]
        try session.transaction { connection throws(PostgreSQLError) in
            _ = try connection.run(
                """
                UPDATE waymark.store SET generation = $1, last_link = $2, last_token = $3,
                  identity = encode($4, 'hex')::uuid
                """, .integer(state.generation), .integer(state.lastLink),
                .integer(state.lastToken), .blob(state.identity), by: deadline)
            // The last generation has a mark of its own, by which nodes know it again.
            _ = try connection.run(
                """
                INSERT INTO waymark.change (generation, mark, node, time)
                SELECT $1::bigint, decode($2, 'hex'), 'copy', extract(epoch FROM now())::bigint
                WHERE $1::bigint > 0 ON CONFLICT DO NOTHING
                """, .integer(state.generation), .text(state.mark), by: deadline)
            for table in ["collection", "audit"] {
                _ = try connection.run(
                    """
                    SELECT setval(pg_get_serial_sequence('waymark.\(table)', 'id'),
                      (SELECT greatest(max(id), 1) FROM waymark.\(table)),
                      EXISTS (SELECT FROM waymark.\(table)))
                    """, by: deadline)
            }
            _ = try connection.run(
                "INSERT INTO waymark.schema (version, min_reader, min_writer) VALUES ($1, $2, $3)",
                .integer(PostgreSQLSchema.scripts.count), .integer(last.minReader),
                .integer(last.minWriter), by: deadline)
            try connection.execute("DROP TABLE waymark.copying, waymark.copying_part", by: deadline)
        }
        try session.execute("ANALYZE waymark.link, waymark.slug")
    }
}
