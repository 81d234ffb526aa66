extension LinkStore {
    /// The identities of links by their numbers, in no order.
    package func ids(of numbers: [Int]) throws(StoreError) -> [LinkID] { try rows.ids(of: numbers) }

    /// Calls `body` with the links whose notes have a text, in the order of their identities. ASCII letters of either case
    /// are the same.
    /// - Parameters:
    ///   - text: at least two bytes of ASCII without a zero byte.
    ///   - last: the link after which they begin; nil for the first.
    ///   - limit: at most so many rows are looked at.
    /// - Returns: the last link that was looked at; nil at the end.
    package func links(
        withNote text: [UInt8], after last: LinkID?, rows limit: Int, _ body: (LinkID) -> Void
    ) throws(StoreError) -> LinkID? {
        try rows.links(withNote: text, after: last, rows: limit, body)
    }

    /// Those of the next links in the order of a list that are among some, of which only numbers and identities are read.
    /// - Parameters:
    ///   - last: the link after which they begin.
    ///   - rows: at most so many links are looked at.
    ///   - limit: at most so many are found.
    ///   - isAmong: whether a number is that of one of them.
    /// - Returns: the links, and the last that was looked at; nil at the end.
    package func ids(
        _ filter: LinkFilter, after last: LinkID?, rows: Int, limit: Int, _ isAmong: (Int) -> Bool
    ) throws(StoreError) -> (ids: [LinkID], last: LinkID?) {
        try self.rows.ids(filter, after: last, rows: rows, limit: limit, isAmong)
    }
}
