extension LinkStore {
    /// The identities of links by their numbers, in no order.
    package func ids(of numbers: [Int]) throws(StoreError) -> [LinkID] {
        try rows.ids(of: numbers)
    }

    /// The notes of links in the order of their identities.
    /// - Parameters:
    ///   - last: the link after which they begin; nil for the first.
    ///   - limit: at most so many.
    package func notes(
        after last: LinkID?, limit: Int
    ) throws(StoreError) -> [(id: LinkID, note: String)] {
        try rows.notes(after: last, limit: limit)
    }
}
