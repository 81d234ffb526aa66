internal import PostgreSQL
internal import Sockets

/// The version of the tables of a store that several nodes share. They have a schema of their own in the
/// database, so that nothing of others there has the same name, and no search path matters.
///
/// A version only adds to the one before it, so that nodes of both run at once. Its row says which versions can
/// still read and write what it has made of the store.
struct PostgreSQLSchema: Equatable, Sendable {
    let version: Int
    let minReader: Int
    let minWriter: Int

    /// A version of the tables.
    struct Script: Sendable {
        /// The statements that make it of the version before it.
        let sql: String
        /// The first versions that can read and write the store then.
        var minReader = 1
        var minWriter = 1
    }

    /// The state of a database after its tables were made, or found.
    enum Outcome: Equatable {
        case ready(PostgreSQLSchema)
        /// It has none, and none are to be made.
        case isMissing
        /// Its tables were made by a later version, which this program cannot read.
        case isNewer(PostgreSQLSchema)
        /// Its schema has tables, and they are not those of a store.
        case isForeign
        /// A copy of links fills them, or has begun to.
        case isCopied
    }

    /// Makes the tables, or those that a database of an earlier version lacks. Of several nodes that do this at
    /// once, one makes them.
    /// - Parameters:
    ///   - scripts: of all versions that the program knows.
    ///   - makesTables: whether they are made where there are none.
    ///   - deadline: for all of it. A table that others use is changed when they let it.
    static func prepare(
        _ connection: PostgreSQLConnection, _ scripts: [Script] = scripts,
        makesTables: Bool = true, by deadline: Deadline
    ) throws(PostgreSQLError) -> Outcome {
        while true {
            do throws(PostgreSQLError) {
                if !makesTables, case .nothing = try find(connection, by: deadline) {
                    return .isMissing
                }
                return try attempt(connection, scripts, by: deadline)
            } catch {
                connection.rollBack()
                // Another node has the lock, or a statement is using a table.
                guard error.fault == .repeatable, deadline.remaining > 0 else { throw error }
            }
        }
    }

    /// Whether a program that knows so many versions may change the store. It still tells of itself (`node`) and shares
    /// the keys of visitors (`visit_salt`), so a version that changes these two tables must forbid to read, too.
    func isWritable(knowing versions: Int = scripts.count) -> Bool { minWriter <= versions }

    private static func attempt(
        _ connection: PostgreSQLConnection, _ scripts: [Script], by deadline: Deadline
    ) throws(PostgreSQLError) -> Outcome {
        let before = try find(connection, by: deadline)
        if let outcome = before.outcome(for: scripts) { return outcome }
        // Whoever waits for a table keeps all others from it, so nobody waits for long.
        _ = try connection.begin(
            [
                PostgreSQLStatement("SET LOCAL lock_timeout = \(lockMilliseconds)"),
                PostgreSQLStatement("SELECT pg_advisory_xact_lock($1)", .integer(lockNumber)),
            ], by: deadline)
        let found = try find(connection, by: deadline)
        if let outcome = found.outcome(for: scripts) {
            connection.rollBack()
            return outcome
        }
        // A change of an older node that is under way now may still commit after this. A version that must come after
        // all of them locks the row of the store in its first statement.
        for script in scripts[found.version...] { try connection.execute(script.sql, by: deadline) }
        let last = scripts[scripts.count - 1]
        let next = PostgreSQLSchema(
            version: scripts.count, minReader: last.minReader, minWriter: last.minWriter)
        try connection.commit(
            [
                PostgreSQLStatement(
                    """
                    INSERT INTO waymark.schema (version, min_reader, min_writer) VALUES ($1, $2, $3)
                    ON CONFLICT (one) DO UPDATE SET version = $1, min_reader = $2, min_writer = $3
                    """, .integer(next.version), .integer(next.minReader),
                    .integer(next.minWriter))
            ], by: deadline)
        return .ready(next)
    }

    /// The tables that a database has.
    enum Found {
        case nothing
        case foreign
        case copying
        case schema(PostgreSQLSchema)

        var version: Int { if case .schema(let schema) = self { schema.version } else { 0 } }

        /// Nil if tables are to be made.
        func outcome(for scripts: [Script]) -> Outcome? {
            switch self {
            case .nothing: nil
            case .foreign: .isForeign
            case .copying: .isCopied
            case .schema(let schema) where schema.version < scripts.count: nil
            case .schema(let schema):
                schema.minReader <= scripts.count ? .ready(schema) : .isNewer(schema)
            }
        }
    }

    static func find(
        _ connection: PostgreSQLConnection, by deadline: Deadline
    ) throws(PostgreSQLError) -> Found {
        let tables = try connection.run(
            """
            SELECT bool_or(relname = 'schema'), bool_or(relname = 'copying') FROM pg_class
            WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = 'waymark')
            """, by: deadline)
        guard let table = tables.first, !table.isNull(0) else { return .nothing }
        guard table.boolean(0) else { return .foreign }
        if table.boolean(1) { return .copying }
        let result: PostgreSQLResult
        do throws(PostgreSQLError) {
            result = try connection.run([selection], by: deadline)[0]
        } catch  where error.code == "42703" {
            // Its columns are others.
            return .foreign
        }
        // No node has made tables of a version that is not above 0.
        guard let row = result.first, row.integer(0) > 0 else { return .foreign }
        return .schema(PostgreSQLSchema(row, from: 0))
    }

    static let selection = PostgreSQLStatement(
        "SELECT version, min_reader, min_writer FROM waymark.schema")

    /// `WMLK`: the number of Waymark's lock in a database.
    static let lockNumber = 0x574D_4C4B
    private static let lockMilliseconds = 300
}

extension PostgreSQLSchema {
    /// Reads the columns `version`, `min_reader` and `min_writer` of a row, which begin with this one.
    init(_ row: PostgreSQLRow, from column: Int) {
        self.init(
            version: row.integer(column), minReader: row.integer(column + 1),
            minWriter: row.integer(column + 2))
    }

    /// The versions of the tables. Numbers are of eight bytes, as rows are copied in binary form, and times are
    /// seconds since 1970.
    static let scripts = [
        Script(sql: first), Script(sql: nodes), Script(sql: people), Script(sql: passkeys),
        Script(sql: certificates), Script(sql: countries), Script(sql: clock),
    ]

    /// An operator may have made the schema for a role that may make none. Slugs and aliases are in one table, so
    /// that the database itself keeps two links from having one of them. Whether letter case matters is the
    /// configuration's word, which can change; the index decides by it, under the lock of a transaction.
    private static let first = """
        DO $$ BEGIN
          IF to_regnamespace('waymark') IS NULL THEN CREATE SCHEMA waymark; END IF;
        END $$;
        CREATE TABLE waymark.schema (
          one boolean PRIMARY KEY DEFAULT true CHECK (one), version bigint NOT NULL,
          min_reader bigint NOT NULL, min_writer bigint NOT NULL);
        CREATE TABLE waymark.store (
          one boolean PRIMARY KEY DEFAULT true CHECK (one), generation bigint NOT NULL,
          last_link bigint NOT NULL, last_token bigint NOT NULL, tokens bigint NOT NULL,
          identity uuid NOT NULL);
        INSERT INTO waymark.store (generation, last_link, last_token, tokens, identity)
          VALUES (0, 0, 0, 0, gen_random_uuid());
        CREATE TABLE waymark.change (
          generation bigint PRIMARY KEY, mark bytea NOT NULL, node text NOT NULL,
          time bigint NOT NULL);
        CREATE TABLE waymark.collection (
          id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE);
        CREATE TABLE waymark.link (
          id bigint PRIMARY KEY, uid bytea NOT NULL UNIQUE CHECK (length(uid) = 16),
          collection bigint NOT NULL REFERENCES waymark.collection, slug text COLLATE "C" NOT NULL,
          destination text, details text, tags text, note text,
          disabled boolean NOT NULL, archived boolean NOT NULL, starts bigint, ends bigint,
          external_id text COLLATE "C", created bigint NOT NULL, updated bigint NOT NULL,
          deleted bigint, generation bigint NOT NULL);
        CREATE UNIQUE INDEX link_external ON waymark.link (external_id)
          WHERE external_id IS NOT NULL;
        CREATE INDEX link_order ON waymark.link (collection, uid);
        CREATE INDEX link_generation ON waymark.link (generation, id);
        CREATE TABLE waymark.slug (
          collection bigint NOT NULL REFERENCES waymark.collection,
          slug text COLLATE "C" NOT NULL, link bigint NOT NULL REFERENCES waymark.link,
          place bigint NOT NULL, CONSTRAINT slug_taken PRIMARY KEY (collection, slug));
        CREATE INDEX slug_link ON waymark.slug (link, place);
        CREATE TABLE waymark.token (
          id bigint PRIMARY KEY, name text NOT NULL, hash bytea NOT NULL UNIQUE,
          ending text NOT NULL, scopes text NOT NULL, collections text, created bigint NOT NULL,
          created_by text NOT NULL, expires bigint, used bigint);
        CREATE TABLE waymark.audit (
          id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, time bigint NOT NULL,
          actor text NOT NULL, action text NOT NULL, link bytea, before text, after text,
          first bytea, last bytea);
        CREATE INDEX audit_link ON waymark.audit (link) WHERE link IS NOT NULL;
        CREATE INDEX audit_first ON waymark.audit (first) WHERE first IS NOT NULL;
        CREATE TABLE waymark.idempotency (
          actor bigint NOT NULL, key text COLLATE "C" NOT NULL, request bytea NOT NULL,
          status bigint NOT NULL, fields text NOT NULL, content text NOT NULL,
          expires bigint NOT NULL, CONSTRAINT key_taken PRIMARY KEY (actor, key));
        \(visits)
        """

    /// The nodes that use it, by the name of each life of a process. Times are milliseconds since 1970.
    private static let nodes = """
        CREATE TABLE waymark.node (
          name text COLLATE "C" PRIMARY KEY, version text NOT NULL, configuration text NOT NULL,
          generation bigint NOT NULL, clock_offset bigint NOT NULL, started bigint NOT NULL,
          seen bigint NOT NULL)
        """

    /// The people of the console, their sign-in links and their sessions.
    private static let people = """
        CREATE TABLE waymark.person (
          id bigint PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE, role text NOT NULL,
          collections text, created bigint NOT NULL, created_by text NOT NULL);
        CREATE TABLE waymark.sign_in (
          hash bytea PRIMARY KEY, person bigint NOT NULL REFERENCES waymark.person,
          expires bigint NOT NULL);
        CREATE TABLE waymark.session (
          hash bytea PRIMARY KEY, person bigint NOT NULL REFERENCES waymark.person,
          began bigint NOT NULL, used bigint NOT NULL)
        """

    /// Passkeys of people, and the challenges that they have not answered yet. A node of an earlier version knows no
    /// passkeys, and may remove their person.
    private static let passkeys = """
        CREATE TABLE waymark.passkey (
          id bytea PRIMARY KEY,
          person bigint NOT NULL REFERENCES waymark.person ON DELETE CASCADE,
          key bytea NOT NULL, counter bigint NOT NULL, name text NOT NULL,
          created bigint NOT NULL, used bigint);
        CREATE INDEX passkey_person ON waymark.passkey (person);
        CREATE TABLE waymark.challenge (
          hash bytea PRIMARY KEY, person bigint NOT NULL, expires bigint NOT NULL)
        """

    /// Files of automatic certificates (`SharedFiles`). The one row of the state has the version of the last change, and
    /// the node whose turn it is to make changes; its time is in milliseconds since 1970. A node tells up to which version
    /// it has read them: null before it has, and for nodes of an earlier version.
    private static let certificates = """
        CREATE TABLE waymark.certificate_state (
          one boolean PRIMARY KEY DEFAULT true CHECK (one), version bigint NOT NULL,
          fence bigint NOT NULL, holder text COLLATE "C", until bigint NOT NULL);
        INSERT INTO waymark.certificate_state (version, fence, until) VALUES (0, 0, 0);
        CREATE TABLE waymark.certificate_file (
          name text COLLATE "C" PRIMARY KEY, key bytea, content bytea, version bigint NOT NULL);
        CREATE INDEX certificate_version ON waymark.certificate_file (version);
        ALTER TABLE waymark.node ADD COLUMN certificates bigint
        """

    /// The countries of visits, with the day alone. A node of an earlier version that moves a piece leaves them out.
    private static let countries = """
        CREATE TABLE waymark.visit_country (
          link bigint NOT NULL, day bigint NOT NULL, country bigint NOT NULL, count bigint NOT NULL,
          PRIMARY KEY (link, day, country))
        """

    /// The day by which old visits are deleted (`RetentionClock`). It was asked for last at a time in milliseconds since 1970.
    private static let clock = """
        CREATE TABLE waymark.visit_clock (
          one boolean PRIMARY KEY DEFAULT true CHECK (one), day bigint, doubted bigint,
          seen bigint NOT NULL, asked bigint NOT NULL)
        """

    /// Counts of visits (`PostgreSQLVisits`). The link 0 is all links together. Keys of days are to be gone after two
    /// days: a table that is not logged is in no archive of the log, and in no base backup.
    private static let visits = """
        CREATE TABLE waymark.visit_node (
          name text COLLATE "C" PRIMARY KEY, flushed bigint NOT NULL, seen bigint NOT NULL);
        CREATE TABLE waymark.visit_piece (
          node text COLLATE "C" NOT NULL, number bigint NOT NULL, bytes bytea NOT NULL,
          PRIMARY KEY (node, number));
        CREATE TABLE waymark.visit_hour (
          link bigint NOT NULL, hour bigint NOT NULL, kind bigint NOT NULL, count bigint NOT NULL,
          PRIMARY KEY (link, hour, kind));
        CREATE TABLE waymark.visit_day (
          link bigint NOT NULL, day bigint NOT NULL, kind bigint NOT NULL, count bigint NOT NULL,
          PRIMARY KEY (link, day, kind));
        CREATE TABLE waymark.visit_referrer (
          link bigint NOT NULL, day bigint NOT NULL, host text COLLATE "C" NOT NULL,
          count bigint NOT NULL, PRIMARY KEY (link, day, host));
        CREATE TABLE waymark.visit_visitor (
          link bigint NOT NULL, day bigint NOT NULL, count bigint NOT NULL, sketch bytea,
          PRIMARY KEY (link, day));
        CREATE TABLE waymark.visit_miss (
          day bigint NOT NULL, collection bigint NOT NULL, path text COLLATE "C" NOT NULL,
          count bigint NOT NULL, first bigint NOT NULL, last bigint NOT NULL,
          PRIMARY KEY (day, collection, path));
        CREATE UNLOGGED TABLE waymark.visit_salt (day bigint PRIMARY KEY, salt bytea NOT NULL)
        """
}
