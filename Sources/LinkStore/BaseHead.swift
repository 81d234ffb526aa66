internal import LinkIndex

/// The values of a base besides the records of its index, as its file has them.
struct BaseHead {
    let database: DatabaseName
    let generation: Int
    /// The number of records.
    let slugs: Int
    let history: KnownHistory
    private let lastRow: Int
    private let lastID: LinkID?
    private let identity: [UInt8]
    private let names: [CollectionName]

    init(_ base: StoreBase, of database: DatabaseName) {
        self.database = database
        (generation, slugs) = (base.index.generation, base.index.count)
        (history, lastRow, lastID) = (base.history, base.lastRow, base.lastID)
        (identity, names) = (base.identity, base.names)
    }

    var version: StoreBase.Version { StoreBase.Version(generation: generation, history: history) }

    func base(_ index: LinkIndex) -> StoreBase {
        StoreBase(
            index: index, names: names, lastID: lastID, lastRow: lastRow, identity: identity,
            history: history)
    }

    var bytes: [UInt8] {
        var values = BaseValues([])
        values.add(database.name)
        values.add(database.hosts.count)
        for host in database.hosts { values.add(host) }
        values.add(generation)
        values.add(slugs)
        values.add(history.mark)
        values.add(history.system)
        values.add(history.timeline)
        values.add(lastRow)
        values.add(lastID?.bytes)
        values.add(Optional(identity))
        values.add(names.count)
        for name in names { values.add(name.description) }
        return values.bytes
    }

    init(_ bytes: [UInt8]) throws(BaseFault) {
        var values = BaseValues(bytes)
        let name = try values.text()
        var hosts = [String]()
        for _ in 0..<(try values.count()) { hosts.append(try values.text()) }
        database = DatabaseName(hosts: hosts, name: name)
        (generation, slugs) = (try values.count(), try values.count())
        history = KnownHistory(
            mark: try values.optionalBytes(), system: try values.optionalInteger(),
            timeline: try values.optionalInteger())
        lastRow = try values.count()
        lastID = try values.optionalBytes().flatMap { LinkID($0) }
        identity = try values.optionalBytes() ?? []
        var names = [CollectionName]()
        for _ in 0..<(try values.count()) { names.append(CollectionName(try values.text())) }
        self.names = names
        try values.end()
    }
}
