internal import LinkStore
internal import PostgreSQL
internal import Sockets

/// The connection to the database that several nodes share. It is made when it is needed, and made again where it
/// was lost.
final class SharedDatabase {
    let place: PostgreSQLPlace
    private let library: PostgreSQLLibrary
    /// The server that is used now.
    private var primary: PostgreSQLPrimary?
    var connection: PostgreSQLConnection? { primary?.connection }
    /// The number of connections that were made so far.
    private(set) var session = 0
    /// As the tables have it, when it was read last.
    private(set) var schema: PostgreSQLSchema?
    /// The reason for which there is no connection, and when it is tried again.
    private var refusal: (error: StoreError, until: Int)?
    /// Sets up each session further.
    private let setup: String?

    /// Loads the library.
    /// - Parameter setup: a statement that sets up each session further.
    init(_ place: PostgreSQLPlace, setup: String? = nil) throws(StoreError) {
        (self.place, self.setup) = (place, setup)
        do throws(PostgreSQLError) {
            library = try PostgreSQLLibrary()
        } catch {
            throw .database(place: place.description, .noLibrary(error.description))
        }
    }

    func error(_ fault: DatabaseFault) -> StoreError { place.error(fault) }

    func failure(_ error: PostgreSQLError) -> StoreError { place.failure(error) }

    // MARK: Connecting

    /// The connection, which is made if there is none.
    func connected() throws(StoreError) -> PostgreSQLConnection {
        if let primary, primary.connection.failure == nil {
            if let successor = place.known.successor(of: primary.history) {
                self.primary = nil
                throw error(
                    .isReplaced("\(successor), and the server that was used has a lower one"))
            }
            place.known.look(library, place, besides: primary)
            let isUsedUp = primary.connection.isOverfull && !primary.connection.isInTransaction
            guard isUsedUp else { return primary.connection }
        }
        primary = nil
        if let refusal, refusal.until > Clock.monotonicMilliseconds { throw refusal.error }
        do throws(StoreError) {
            let made = try connect()
            (primary, refusal) = (made, nil)
            session += 1
            return made.connection
        } catch {
            refusal = (error, Clock.monotonicMilliseconds + Self.refusedMilliseconds)
            throw error
        }
    }

    /// Gives the connection up.
    func disconnect() { primary = nil }

    /// Lets the next use connect, although another attempt has just failed.
    func forgetRefusal() { refusal = nil }

    private func connect() throws(StoreError) -> PostgreSQLPrimary {
        let password = try place.password()
        let (primary, outcome): (PostgreSQLPrimary, PostgreSQLSchema.Outcome)
        do throws(PostgreSQLError) {
            primary = try PostgreSQLPrimary(
                library, place.location, password: password, limits: place.limits,
                seen: place.known.newest)
            outcome = try PostgreSQLSchema.prepare(
                primary.connection, makesTables: !place.known.isRead,
                by: Deadline(in: Self.schemaMilliseconds))
            if let setup { try primary.connection.execute(setup, by: statementDeadline) }
        } catch {
            throw failure(error)
        }
        switch outcome {
        case .ready(let schema):
            try checkStore(at: primary.connection)
            self.schema = schema
            place.known.note(primary.history, of: primary.host)
        case .isMissing: throw error(.isEmpty)
        case .isForeign: throw error(.isForeign)
        case .isCopied: throw error(.isCopied)
        case .isNewer(let schema):
            throw error(.isNewer(schema: schema.version, known: PostgreSQLSchema.scripts.count))
        }
        return primary
    }

    /// Refuses a store that no link was ever made in, and that stands in the place of the one whose links the node
    /// has read: visits would be counted there, and lists would be empty.
    private func checkStore(at connection: PostgreSQLConnection) throws(StoreError) {
        guard let known = place.known.store else { return }
        let result: PostgreSQLResult
        do throws(PostgreSQLError) {
            result = try connection.run(
                "SELECT identity, last_link FROM waymark.store", by: statementDeadline)
        } catch {
            throw failure(error)
        }
        guard let row = result.first else { throw error(.isForeign) }
        guard row.bytes(0) == known || row.integer(1) > 0 else { throw error(.isEmpty) }
    }

    /// Requests do not wait for each attempt to connect.
    private static let refusedMilliseconds = 1_000
    private static let schemaMilliseconds = 10_000

    var statementDeadline: Deadline { Deadline(in: place.limits.statementMilliseconds) }

    /// Does something outside of a transaction; again, on a new connection, if that was lost meanwhile. A server
    /// that has not answered in time is not asked again, so that its failure is known after that time.
    func repeating<Value>(
        _ body: (PostgreSQLConnection, Deadline) throws(PostgreSQLError) -> Value
    ) throws(StoreError) -> Value {
        let before = connection
        let first = try connected()
        do throws(PostgreSQLError) {
            return try body(first, statementDeadline)
        } catch {
            if error.isTimeOver {
                refusal = (failure(error), Clock.monotonicMilliseconds + Self.refusedMilliseconds)
            }
            guard before === first, error.fault == .away, refusal == nil else {
                throw failure(error)
            }
        }
        primary = nil
        let second = try connected()
        do throws(PostgreSQLError) {
            return try body(second, statementDeadline)
        } catch {
            throw failure(error)
        }
    }
}

extension SharedDatabase {
    // MARK: The tables' version

    /// Notes what a newer program may have made of the tables meanwhile.
    /// - Throws: if this one cannot read them any more.
    func note(_ next: PostgreSQLSchema) throws(StoreError) {
        schema = next
        if next.minReader > PostgreSQLSchema.scripts.count, let writingFault { throw writingFault }
    }

    /// The reason for which this program must not change the tables, because a newer one has made them.
    var writingFault: StoreError? {
        guard let schema, !schema.isWritable() || schema.minReader > PostgreSQLSchema.scripts.count
        else { return nil }
        let (version, known) = (schema.version, PostgreSQLSchema.scripts.count)
        return error(
            schema.minReader > known
                ? .isNewer(schema: version, known: known)
                : .isUnwritable(schema: version, known: known))
    }

    /// Refuses to write where a newer program has forbidden it, unless that is over.
    func checkWritable() throws(StoreError) {
        _ = try connected()
        guard writingFault != nil else { return }
        let result = try repeating { connection, deadline throws(PostgreSQLError) in
            try connection.run([PostgreSQLSchema.selection], by: deadline)[0]
        }
        guard let row = result.first else { throw error(.isForeign) }
        try note(PostgreSQLSchema(row, from: 0))
        if let writingFault { throw writingFault }
    }
}

extension PostgreSQLPlace {
    func error(_ fault: DatabaseFault) -> StoreError { .database(place: description, fault) }

    func failure(_ error: PostgreSQLError) -> StoreError {
        // The name of a table is no number (`PostgreSQLStatement.writing`).
        if error.code == "22P02", let table = PostgreSQLStatement.tableName(in: error.description) {
            return self.error(.refused("a trigger on \(table) keeps rows from being written"))
        }
        if error.constraint == "change_pkey" {
            return self.error(
                .refused("its generation was set back: nodes have made the next one already"))
        }
        return switch error.fault {
        case .away, .unknown: self.error(.away(error.description))
        case .repeatable, .conflict: self.error(.busy(error.description))
        case .configuration: self.error(.refused(error.description))
        case .library: self.error(.noLibrary(error.description))
        case .rejected: .failed(error.description)
        }
    }
}
