internal import LinkStore
internal import PostgreSQL
internal import Sockets

/// The connection to the database that several nodes share. It is made when it is needed, and made again where it
/// was lost.
final class SharedDatabase {
    let place: PostgreSQLPlace
    private let library: PostgreSQLLibrary
    private(set) var connection: PostgreSQLConnection?
    /// The number of connections that were made so far.
    private(set) var session = 0
    /// The newest history that a server has told.
    private var seen: PostgreSQLHistory?
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
        if let connection, connection.failure == nil { return connection }
        connection = nil
        if let refusal, refusal.until > Clock.monotonicMilliseconds { throw refusal.error }
        do throws(StoreError) {
            let made = try connect()
            (connection, refusal) = (made, nil)
            session += 1
            return made
        } catch {
            refusal = (error, Clock.monotonicMilliseconds + Self.refusedMilliseconds)
            throw error
        }
    }

    /// Gives the connection up.
    func disconnect() { connection = nil }

    /// Lets the next use connect, although another attempt has just failed.
    func forgetRefusal() { refusal = nil }

    private func connect() throws(StoreError) -> PostgreSQLConnection {
        let password = try place.password()
        let (primary, outcome): (PostgreSQLPrimary, PostgreSQLSchema.Outcome)
        do throws(PostgreSQLError) {
            primary = try PostgreSQLPrimary(
                library, place.location, password: password, limits: place.limits, seen: seen)
            outcome = try PostgreSQLSchema.prepare(
                primary.connection, by: Deadline(in: Self.schemaMilliseconds))
            if let setup { try primary.connection.execute(setup, by: statementDeadline) }
        } catch {
            throw failure(error)
        }
        switch outcome {
        case .ready(let schema): (self.schema, seen) = (schema, primary.history ?? seen)
        case .isForeign: throw error(.isForeign)
        case .isCopied: throw error(.isCopied)
        case .isNewer(let schema):
            throw error(
                .isNewer(schema: schema.version, known: PostgreSQLSchema.scripts.count))
        }
        return primary.connection
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
        connection = nil
        let second = try connected()
        do throws(PostgreSQLError) {
            return try body(second, statementDeadline)
        } catch {
            throw failure(error)
        }
    }
}

extension PostgreSQLPlace {
    func error(_ fault: DatabaseFault) -> StoreError { .database(place: description, fault) }

    func failure(_ error: PostgreSQLError) -> StoreError {
        switch error.fault {
        case .away, .unknown: self.error(.away(error.description))
        case .repeatable, .conflict: self.error(.busy(error.description))
        case .configuration: self.error(.refused(error.description))
        case .library: self.error(.noLibrary(error.description))
        case .rejected: .failed(error.description)
        }
    }
}
