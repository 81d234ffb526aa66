package import LinkIndex

/// The links of a store that nodes share, as one of them knows them: what it needs to answer them while the database
/// is away, and to go on from there with the changes of others.
package struct StoreBase: Sendable {
    package let index: LinkIndex
    let names: [CollectionName]
    /// The greatest identity.
    let lastID: LinkID?
    /// The highest number of a link.
    let lastRow: Int
    /// See `LinkStore.identity`.
    let identity: [UInt8]
    package let history: KnownHistory

    /// Whether the store has ever had a link.
    package var hasHadLinks: Bool { lastRow > 0 }

    /// Whether it is a base of this store, and not of another one.
    package func isOf(_ store: LinkStore) -> Bool { identity == store.identity }

    /// The version of the base: two bases with the same one are the same.
    package var version: Version { Version(generation: index.generation, history: history) }

    /// The generation of a base, and its history: after a failover, a base without a change is another one, so that
    /// the primary before is known to be old after a start, too.
    package struct Version: Hashable, Sendable {
        let generation: Int
        let history: KnownHistory

        package init(generation: Int, history: KnownHistory) {
            (self.generation, self.history) = (generation, history)
        }
    }
}

/// A place in the history of a database that nodes share, by which the database is known again.
package struct KnownHistory: Hashable, Sendable {
    /// The mark of the generation; nil for the first one, and for one that an operator has set.
    package let mark: [UInt8]?
    /// The system and the timeline of the server; nil where it tells of none.
    package let system: Int?
    package let timeline: Int?

    package init(mark: [UInt8]?, system: Int?, timeline: Int?) {
        (self.mark, self.system, self.timeline) = (mark, system, timeline)
    }
}

/// The name of a database, and the servers where a configuration looks for it.
package struct DatabaseName: Equatable, Sendable, CustomStringConvertible {
    package let hosts: [String]
    package let name: String

    package init(hosts: [String], name: String) { (self.hosts, self.name) = (hosts, name) }

    /// Whether both can be one database: a server may have come, and another one have gone.
    func canBe(_ other: DatabaseName) -> Bool {
        name == other.name && hosts.contains(where: other.hosts.contains)
    }

    package var description: String { "\(hosts.joined(separator: ","))/\(name)" }
}

extension LinkStore {
    /// The base of the links that are answered; nil where a base could not be known again: the store belongs to one
    /// process, or its generation has no mark.
    package var base: StoreBase? {
        guard let history = rows.history, history.mark != nil || index.generation == 0 else {
            return nil
        }
        return StoreBase(
            index: index, names: Array(names.values), lastID: lastID, lastRow: lastRow,
            identity: identity, history: history)
    }
}
