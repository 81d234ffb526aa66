internal import Files
internal import SQLite

/// A store in files that no process serves, as the source of a copy. It is locked as long as this is there.
package final class CopiedFile {
    package let state: CopiedState
    private let links: SQLiteLinkRows
    private let visits: VisitTables?
    /// Whether there is a file of visits, and it counts the links of another store.
    package let hasOtherVisits: Bool

    /// - Throws: why it cannot be copied; also if it is not whole.
    package init(_ path: String) throws(StoreError) {
        guard let stamp = FileStamp(of: path), stamp.bytes > 0 else {
            throw .cannotOpen(path: path, StoreError.missingPart(of: path))
        }
        if let fault = findStoreFault(path) { throw fault }
        let links = try SQLiteLinkRows(path)
        self.links = links
        try links.file.check()
        // A store that has none gets one.
        _ = links.identity()
        var state = try links.sqlite { () throws(SQLiteError) in try CopiedState(links.database) }
        guard FileStamp(of: path + ".visits") != nil else {
            (self.state, visits, hasOtherVisits) = (state, nil, false)
            return
        }
        let tables = try VisitTables(path + ".visits")
        try tables.file.check()
        hasOtherVisits = ![[], state.identity].contains(tables.state.store)
        visits = hasOtherVisits ? nil : tables
        if !hasOtherVisits { state.lastLink = max(state.lastLink, tables.state.links) }
        self.state = state
    }

    package func close() throws(StoreError) {
        try links.close()
        try visits?.file.close()
    }

    /// The names of its collections, and their numbers.
    package func collections() throws(StoreError) -> [(number: Int, name: String)] {
        var found = [(number: Int, name: String)]()
        let rows = try rows(of: .collections)
        while try rows.next() {
            found.append((rows.integer(0), String(decoding: rows.textBytes(1), as: UTF8.self)))
        }
        return found
    }

    /// The rows of a table, after so many that are there already.
    package func rows(of table: CopiedTable, after count: Int = 0) throws(StoreError) -> CopiedRows
    {
        guard let file = table.isOfVisits ? visits?.file : links.file else { return CopiedRows() }
        return try CopiedRows(file.database, table, after: count, path: file.path)
    }

    package func sum(of table: CopiedTable) throws(StoreError) -> CopiedSum {
        try rows(of: table).sum(table)
    }
}

/// Rows of a table of a file, one after the other.
package final class CopiedRows: CopiedRow {
    /// Nil where there is no such file.
    private let statement: SQLiteStatement?
    private let path: String

    fileprivate init() { (statement, path) = (nil, "") }

    init(
        _ database: SQLiteDatabase, _ table: CopiedTable, after count: Int = 0, path: String
    ) throws(StoreError) {
        self.path = path
        do throws(SQLiteError) {
            statement = try database.prepare("\(table.fileSelection) LIMIT -1 OFFSET \(count)")
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Goes to the next row.
    /// - Returns: whether there is one.
    package func next() throws(StoreError) -> Bool {
        do throws(SQLiteError) {
            return try statement?.step() ?? false
        } catch {
            throw StoreError(error, path: path)
        }
    }

    func sum(_ table: CopiedTable) throws(StoreError) -> CopiedSum {
        var sum = CopiedSum()
        while try next() { sum.add(self, table.columns) }
        return sum
    }

    package func isNull(_ column: Int) -> Bool { statement?.isNull(column) ?? true }
    package func integer(_ column: Int) -> Int { statement?.integer(column) ?? 0 }
    package func append(_ column: Int, to bytes: inout [UInt8]) {
        statement?.append(column, to: &bytes)
    }
}
