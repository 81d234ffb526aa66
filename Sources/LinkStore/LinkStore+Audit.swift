/// An entry of the audit, which is only added to.
package struct AuditEntry: Sendable {
    /// Seconds since 1970.
    package var time: Int
    /// The name of the token.
    package var actor: String
    package var action: String
    package var link: LinkID?
    /// The link in JSON.
    package var before: String?
    package var after: String?
    /// The identities of the first and the last link that an import has made.
    package var made: (first: LinkID, last: LinkID)?

    package init(time: Int, actor: String, action: String, link: LinkID?) {
        (self.time, self.actor, self.action, self.link) = (time, actor, action, link)
    }

    /// The bytes of those texts that can be long.
    package var byteCount: Int { (before?.utf8.count ?? 0) + (after?.utf8.count ?? 0) }
}

extension LinkStore {
    /// Adds an entry; only in a transaction.
    package func add(_ entry: AuditEntry) throws(StoreError) { try rows.add(entry) }

    package typealias NumberedEntry = (number: Int, entry: AuditEntry)

    /// The latest entries, the last one first.
    /// - Parameters:
    ///   - number: only those before it; each has its own.
    ///   - bytesMax: none is read after so many bytes of links (`AuditEntry.byteCount`).
    package func audit(
        before number: Int?, limit: Int, bytesMax: Int = .max
    ) throws(StoreError) -> [NumberedEntry] {
        try rows.entries(.latest(of: nil, before: number, limit: limit, bytesMax: bytesMax))
    }

    /// The same of a link. The first one of a link that was made with others is theirs; what the link
    /// was then, the next entry says, or the link itself.
    package func audit(
        of link: LinkID, before number: Int?, limit: Int, bytesMax: Int = .max
    ) throws(StoreError) -> [NumberedEntry] {
        var found = try rows.entries(
            .latest(of: link, before: number, limit: limit, bytesMax: bytesMax))
        guard var making = try rows.entries(.making(link)).first, let made = making.entry.made,
            !link.isBefore(made.first), !made.last.isBefore(link),
            making.number < number ?? .max, found.count < limit
        else { return found }
        let place = found.firstIndex { $0.number < making.number } ?? found.endIndex
        // Those between the last one and this one were not read.
        let bytes = found.reduce(0) { $0 + $1.entry.byteCount }
        guard place < found.endIndex || bytes < bytesMax else { return found }
        let next = try rows.entries(.next(of: link, after: making.number)).first
        (making.entry.link, making.entry.after) = (link, next?.entry.before)
        found.insert(making, at: place)
        return found
    }
}
