package import LinkIndex

/// The rows of a store in a database, and the transactions that change them: what `LinkStore` needs of a
/// database, whichever it is. Rows decide nothing about links and keep none of them in memory.
///
/// Functions that change rows are called in a transaction only. What they write can be read in it.
package protocol LinkRows: AnyObject {
    /// The path of the file, or the place of the database, for people.
    var path: String { get }
    /// The name and the version of the database; nil while that is not known.
    var software: String? { get }
    /// The reason for which nothing can be changed until the store is opened again.
    var fault: StoreError? { get }
    /// Whether several nodes change the rows.
    var isShared: Bool { get }
    /// A descriptor that can be read when others may have committed something; nil where no notifications come.
    var newsSource: Int? { get }
    /// The version of the tables that were upgraded when it was opened; nil if none were.
    var upgradedFrom: Int? { get }
    /// The reason for which notes have no index that they should have.
    var noteFault: StoreError? { get }

    /// Reads everything that answers.
    func load(_ loading: inout LinkLoading) throws(StoreError) -> LoadedRows
    /// The identity by which the file of visits knows that it counts the links of this store; empty if there is none.
    func identity() -> [UInt8]
    /// Notes that all links are in memory now.
    func noteRead()
    /// Checks that the links that are answered are whole, which reads all of them.
    func checkServed() throws(StoreError)
    /// Checks that the database is where it was, and is used by nobody who may not.
    func checkPresence() throws(StoreError)
    /// Writes a copy of a store of these rows to a file.
    func copy(of store: LinkStore, to path: String) throws(StoreError)
    func close() throws(StoreError)

    // MARK: Bases

    /// The place in the history of the database up to which its links are known; nil where nobody else changes them.
    var history: KnownHistory? { get }
    /// Goes on from a place up to which a base has the links.
    /// - Parameters:
    ///   - row: the highest number of a link.
    ///   - identity: that of the store.
    func resume(at history: KnownHistory, lastRow row: Int, of identity: [UInt8])

    // MARK: Transactions

    var isInTransaction: Bool { get }
    /// The failure of the first statement of the open transaction that has failed, also of one that reads; nil if there is none.
    var statementFailure: StoreError? { get }
    /// Begins a transaction. Nobody else changes the store until it ends.
    /// - Parameter generation: up to which everything is known.
    /// - Returns: what others have committed since; nil where there are no others.
    func begin(after generation: Int) throws(StoreError) -> StoreNews?
    /// Makes the transaction last. If it throws, nothing of the transaction is in the database.
    func commit(_ change: CommittedChange) throws(StoreError)
    /// The pages that transactions have written to the disk since this was asked, also those that were refused; 0 where
    /// that is not known.
    func takeWrittenPages() -> Int
    /// Takes the transaction back, if there is one.
    func rollBack()
    /// The commits of others after a generation; nil where there are no others.
    func news(after generation: Int) throws(StoreError) -> StoreNews?

    // MARK: Nodes

    /// See `LinkStore.announce`, `fleet` and `leave`.
    func announce(
        _ report: NodeReport, generation: Int, at now: Int
    ) throws(StoreError) -> StoreFleet?
    func fleet(askingAll isAsking: Bool) throws(StoreError) -> StoreFleet?
    func leave()

    // MARK: Links

    func link(_ key: LinkKey) throws(StoreError) -> NumberedLink?
    func hasCollection(_ name: String) throws(StoreError) -> Bool
    /// The numbers of collections that were looked up.
    var collections: [String: Int] { get set }
    func insert(_ link: NumberedLink, collection: Int) throws(StoreError)
    /// Writes further slugs of a link, and when it was changed.
    func insertAliases(_ slugs: [String], of link: NumberedLink, collection: Int) throws(StoreError)
    /// See `LinkStore.links(_:after:upTo:limit:bytesMax:)`.
    func links(
        _ filter: LinkFilter, after last: LinkID?, upTo end: LinkID?, limit: Int, bytesMax: Int
    ) throws(StoreError) -> [NumberedLink]
    /// See `LinkStore.forEachLink(_:after:upTo:_:)`.
    func forEachLink(
        _ filter: LinkFilter, after last: LinkID?, upTo end: LinkID?, _ body: (LinkKeys) -> Void
    ) throws(StoreError)
    /// See `LinkStore.link(_:after:rows:)`.
    func link(_ filter: LinkFilter, after last: LinkID?, rows: Int) throws(StoreError) -> LinkID?
    /// See `LinkStore.changes(after:in:limit:bytesMax:rows:)`.
    func changes(
        after place: ChangePlace, upTo generation: Int, in collections: [String]?, limit: Int,
        bytesMax: Int, rows most: Int
    ) throws(StoreError) -> (links: [StoredLink], last: ChangePlace?)
    /// See `LinkStore.facts(after:limit:)`.
    func facts(after row: Int, limit: Int) throws(StoreError) -> [LinkFacts]
    /// See `LinkStore.facts(of:)`.
    func facts(of ids: [LinkID]) throws(StoreError) -> [LinkFacts]
    /// See `LinkStore.ids(of:)`.
    func ids(of numbers: [Int]) throws(StoreError) -> [LinkID]
    /// See `LinkStore.ids(_:after:rows:limit:_:)`.
    func ids(
        _ filter: LinkFilter, after last: LinkID?, rows: Int, limit: Int, _ isAmong: (Int) -> Bool
    ) throws(StoreError) -> (ids: [LinkID], last: LinkID?)
    /// See `LinkStore.links(withNote:after:rows:_:)`.
    func links(
        withNote text: [UInt8], after last: LinkID?, rows limit: Int, _ body: (LinkID) -> Void
    ) throws(StoreError) -> LinkID?
    /// Facts of links in the order of their last changes.
    /// - Returns: the facts, and the place of the last of them; nil at the end.
    func facts(
        changedAfter place: ChangePlace, upTo generation: Int, limit: Int
    ) throws(StoreError) -> (facts: [LinkFacts], last: ChangePlace?)
    /// The mark of the history that a generation is of, in hexadecimal digits.
    func historyMark(at generation: Int) throws(StoreError) -> String

    // MARK: Tokens

    /// - Returns: the number of the token.
    func add(_ token: StoredToken, hash: [UInt8]) throws(StoreError) -> Int
    /// Lets other nodes read the tokens again.
    func noteTokens() throws(StoreError)

    // MARK: Statements

    // Tables that both kinds of database have are read and written by the same statements. The parameters of a
    // statement, `$1` and so on, appear in this order in it.

    associatedtype Row: StoreRow
    associatedtype Value: StoreValue
    /// The beginning of the names of all tables.
    static var prefix: String { get }
    /// The number of bytes of a text, in SQL.
    static func byteCount(of column: String) -> String
    /// Reads the results of a query, each made of its row. Those that are nil are left out.
    func read<Result>(
        _ sql: String, _ values: [Value], _ make: (Row) -> Result?
    ) throws(StoreError) -> [Result]
    /// The same of a statement that writes.
    func change<Result>(
        _ sql: String, _ values: [Value], _ make: (Row) -> Result?
    ) throws(StoreError) -> [Result]
    /// Runs a statement that writes one row.
    func write(_ sql: String, _ values: [Value]) throws(StoreError)
    /// Runs a statement that writes any number of rows.
    func write(anyRows sql: String, _ values: [Value]) throws(StoreError)
    /// Removes the rows of a table for which a condition holds.
    func remove(
        from table: String, where condition: String, _ values: [Value]
    ) throws(StoreError)
}

extension LinkRows {
    package var noteFault: StoreError? { nil }
    package var history: KnownHistory? { nil }
    package func resume(at history: KnownHistory, lastRow row: Int, of identity: [UInt8]) {}
    package func announce(
        _ report: NodeReport, generation: Int, at now: Int
    ) throws(StoreError) -> StoreFleet? {
        nil
    }
    package func fleet(askingAll isAsking: Bool) throws(StoreError) -> StoreFleet? { nil }
    package func leave() {}
    package func takeWrittenPages() -> Int { 0 }
}

/// A link with its number, which the index and visits have.
package typealias NumberedLink = (row: Int, link: StoredLink)

/// By which a link is found in the rows.
package enum LinkKey: Sendable {
    case id(LinkID)
    case row(Int)
    case externalID(String)
    /// Its own slug, or else an alias, as it is written.
    case slug(collection: String, String)
}

/// Entries of the audit that are read.
package enum AuditSelection: Sendable {
    /// The latest ones before a number, of one link or of all. None is read after so many bytes of links.
    case latest(of: LinkID?, before: Int?, limit: Int, bytesMax: Int)
    /// The last one of several links that were made at once, of which the first does not come after this one.
    case making(LinkID)
    /// The first one of a link after a number.
    case next(of: LinkID, after: Int)
}

/// The values that a load has found besides the links.
package struct LoadedRows: Sendable {
    let generation: Int
    /// The greatest identity.
    let lastID: LinkID?

    package init(generation: Int, lastID: LinkID?) {
        (self.generation, self.lastID) = (generation, lastID)
    }
}

/// The commits of other nodes since a known generation.
package struct StoreNews: Sendable {
    /// The generation that they have reached.
    package let generation: Int
    /// The highest number of a link; 0 if none was ever made.
    let lastRow: Int
    package var changes = [LinkChange]()
    /// Links that have changed and are not answered.
    package var unanswered = UnansweredLinks()
    /// The names of the collections of these links, also several times.
    package var collections = [String]()
    /// The greatest identity of these links.
    package var lastID: LinkID?
    /// Whether another node wants to know at once which generation this one has.
    package var isAsked = false
    /// Whether tokens have changed.
    package var hasTokens = false
    /// Whether the history is another one than that of the known generation, so that everything is read anew.
    package var isOtherHistory = false
    /// The identity of the store of another history.
    package var identity = [UInt8]()

    package init(generation: Int, lastRow: Int) {
        (self.generation, self.lastRow) = (generation, lastRow)
    }
}

/// The change that a transaction has made.
package struct CommittedChange: Sendable {
    /// Nil if it has changed no link.
    package let generation: Int?
    /// The highest number of a link.
    package let lastRow: Int
}
