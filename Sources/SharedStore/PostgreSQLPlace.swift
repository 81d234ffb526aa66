package import LinkStore
package import PostgreSQL

/// The location of a store's database, and the way in which a node uses it.
package struct PostgreSQLPlace: Sendable {
    let location: PostgreSQLLocation
    /// The name of the node, for operators.
    package let node: String
    /// Read for each connection, so that a new one acts at once.
    let password: @Sendable () throws(StoreError) -> String?
    /// The times that its connections wait.
    package var limits = PostgreSQLLimits()
    /// A COMMIT without an answer is looked up for this time at most.
    package var lookUpMilliseconds = 5_000
    /// The time between two looks at where the single host of a location leads. Mostly it is one server for ever.
    var ownLookMilliseconds = 30_000
    let known = KnownDatabase()
    /// The clock of the database, as far as its answers have told it.
    package let clock = StoreClock()

    package init(
        _ location: PostgreSQLLocation, node: String,
        password: @escaping @Sendable () throws(StoreError) -> String?
    ) {
        (self.location, self.node, self.password) = (location, node, password)
    }

    /// Limits the bytes of a load of all links. The limit is well above that of the links, so that a store that has grown beyond
    /// it is read, but a load that never ends is not.
    package mutating func limitLoads(toLinkBytes bytes: Int) {
        limits.loadBytes = max(4 * min(bytes, .max / 4), Self.loadBytesLeast)
    }

    /// The least limit, because the limit of links may have been lowered since they were made.
    private static let loadBytesLeast = 1 << 32

    /// The servers and the database, for people.
    package var description: String { location.description }

    /// The name of the database, and its servers.
    package var database: DatabaseName {
        DatabaseName(hosts: location.hosts.map(\.description), name: location.login.database)
    }
}

extension PostgreSQLPlace {
    /// The counts of visits in the database; a connection is made when it is needed.
    package func visits() throws(StoreError) -> any CountedVisits { try PostgreSQLVisits(self) }
}

extension LinkStore {
    /// Reads the links of a database that several nodes share.
    /// - Parameter seen: the history that this node has seen before, which an older server does not take back.
    package convenience init(
        _ place: PostgreSQLPlace, seen: KnownHistory? = nil
    ) throws(StoreError) {
        try self.init(PostgreSQLLinkRows(place, seen: seen))
    }

    /// Answers the links of a base while such a database is away.
    package convenience init(
        _ place: PostgreSQLPlace, _ base: StoreBase, because reason: StoreError
    ) throws(StoreError) {
        self.init(try PostgreSQLLinkRows(place, seen: base.history), base, because: reason)
    }
}
