extension LinkStore {
    /// The identities of links by their numbers, in no order.
    package func ids(of numbers: [Int]) throws(StoreError) -> [LinkID] {
        try rows.ids(of: numbers)
    }

    /// Calls `body` with the notes of links, in the order of their identities.
    /// - Parameters:
    ///   - last: the link after which they begin; nil for the first.
    ///   - limit: at most so many rows are looked at.
    /// - Returns: the last link that was looked at; nil at the end.
    package func notes(
        after last: LinkID?, rows limit: Int, _ body: (LinkID, [UInt8]) -> Void
    ) throws(StoreError) -> LinkID? {
        try rows.notes(after: last, rows: limit, body)
    }
}
