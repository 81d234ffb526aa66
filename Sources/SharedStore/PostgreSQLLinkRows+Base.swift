internal import LinkStore
internal import PostgreSQL

// The place in the database's history up to which a node knows it, also after a restart.

extension PostgreSQLLinkRows {
    var history: KnownHistory? {
        let newest = place.known.newest
        return KnownHistory(mark: known.mark, system: newest?.system, timeline: newest?.timeline)
    }

    func resume(at history: KnownHistory, lastRow row: Int, of identity: [UInt8]) {
        // No count of changes of tokens is negative: whatever they are now is news.
        known = KnownStore(mark: history.mark, lastRow: row, tokens: -1, identity: identity)
    }
}

extension KnownHistory {
    /// The history of the server, where it has told it.
    var ofServer: PostgreSQLHistory? {
        guard let system, let timeline else { return nil }
        return PostgreSQLHistory(system: system, timeline: timeline)
    }
}
