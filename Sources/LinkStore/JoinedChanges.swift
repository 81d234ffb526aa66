/// The requests that change links in one transaction, and which of them changes which link.
///
/// At most one of them changes a link. All changes of a transaction have one generation, which is the entity tag of the
/// link. After a second change, a client that has read the link after the first would still have the current entity tag.
package struct JoinedChanges {
    private var request = 0
    private var links = [Int: Int]()

    /// The fate of the changes.
    package enum Outcome: Equatable, Sendable {
        /// All that were begun were made.
        case done
        /// None was made, and each can be tried by itself.
        case undone
        /// Nobody knows whether they were made, or the database is away, so that none was begun.
        case unknown(StoreError)
    }

    /// Begins the next request.
    mutating func begin() { request += 1 }

    /// Notes that the current request changes a link.
    /// - Returns: false if another one has changed it.
    mutating func take(_ row: Int) -> Bool {
        // One that is alone may change a link twice.
        guard request > 0 else { return true }
        return links.updateValue(request, forKey: row).map { $0 == request } ?? true
    }
}
