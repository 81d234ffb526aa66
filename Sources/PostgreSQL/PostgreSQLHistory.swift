/// By which a database is known again: after a failover its timeline is higher, and another database, or a
/// copy by `pg_dump`, has another system.
package struct PostgreSQLHistory: Hashable, Sendable {
    package let system: Int
    package let timeline: Int

    package init(system: Int, timeline: Int) { (self.system, self.timeline) = (system, timeline) }
}

/// The role of a server, as it tells it.
package enum PostgreSQLRole: Hashable, Sendable {
    /// It takes changes. Its history is nil where it tells of none, such as a server that only speaks
    /// PostgreSQL's protocol.
    case primary(PostgreSQLHistory?)
    /// It follows another server, or takes no changes.
    case replica
}

extension PostgreSQLRole {
    /// Chooses the server that changes are written to.
    ///
    /// A primary that was given up while it was away does not know of that, and takes changes that
    /// nobody will see. Its timeline is lower than that of the server in its place.
    /// - Parameters:
    ///   - roles: of the servers, in their order; nil for one that did not answer.
    ///   - seen: the newest history that was seen before.
    /// - Returns: its index; nil if none can be written to.
    package static func choose(from roles: [PostgreSQLRole?], seen: PostgreSQLHistory?) -> Int? {
        let primaries = roles.enumerated().compactMap { index, role in
            if case .primary(let history)? = role { (index: index, history: history) } else { nil }
        }
        let known = primaries.filter { seen != nil && $0.history?.system == seen?.system }
        // Another database is used if there is nothing else: its reader notices that by the marks. But a server that
        // does not answer may have the known one.
        if seen != nil, known.isEmpty, roles.contains(where: { $0 == nil }) { return nil }
        let system = known.isEmpty ? primaries.first?.history?.system : seen?.system
        let alike = primaries.filter { $0.history?.system == system }
        var newest = alike.first
        for next in alike
        where next.history?.timeline ?? 0 > newest?.history?.timeline ?? 0 { newest = next }
        if let timeline = newest?.history?.timeline, !known.isEmpty, let seen,
            timeline < seen.timeline
        {
            return nil
        }
        return newest?.index
    }
}
