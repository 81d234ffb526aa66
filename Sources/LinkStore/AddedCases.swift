internal import LinkIndex

/// The slugs that a transaction adds to collections whose letter case matters, and which of those that differ in
/// nothing else is of the link that was made first. The index finds that one should case not matter any
/// more: by itself the one with the lowest number, which is the same unless an import has brought older links.
struct AddedCases {
    /// The first of each, of links that were made after all others.
    private var latest = [SlugKey: Slug]()
    /// The first of each that had to be compared.
    private var compared = [SlugKey: Slug]()
    /// The first of each that the index would not find by itself.
    private var preferred = [SlugKey: SlugName]()

    /// A slug of a link.
    struct Slug {
        let name: SlugName
        /// The number of the link.
        let row: UInt64
        let id: LinkID

        init(_ record: LinkRecord, _ id: LinkID) {
            name = SlugName(collection: record.collection, slug: record.slug)
            (row, self.id) = (record.id, id)
        }
    }

    /// The slugs that the index is to prefer (`LinkIndex.preferring`).
    var firsts: [SlugName] { Array(preferred.values) }

    /// Adds a slug of a link that was made after all others.
    mutating func add(_ slug: Slug) {
        let key = SlugKey(slug.name)
        if latest[key] == nil { latest[key] = slug }
    }

    /// Adds a slug of any link.
    /// - Parameters:
    ///   - index: without the changes of the transaction.
    ///   - lookup: the memory of a search.
    mutating func add(
        _ slug: Slug, in index: LinkIndex, _ rows: any LinkRows, _ lookup: inout LinkLookup
    ) throws(StoreError) {
        let key = SlugKey(slug.name)
        var first = compared[key] ?? latest[key]
        if compared[key] == nil,
            index.find(slug.name.collection, slug.name.slug.span, isExact: false, &lookup)
        {
            var found = LinkRecord(lookup.record)
            found.slug = Array(lookup.slug)
            first = try rows.identity(ofRow: Int(found.id)).map { Slug(found, $0) }
        }
        guard let first else {
            compared[key] = slug
            return
        }
        guard first.row != slug.row else { return }
        let isBefore = slug.id.isBefore(first.id)
        compared[key] = isBefore ? slug : first
        if isBefore || slug.row < first.row { preferred[key] = (isBefore ? slug : first).name }
    }

    /// The slugs that an index of all links is to prefer, because its numbers alone would find others.
    static func firsts(
        of index: LinkIndex, in rows: any LinkRows
    ) throws(StoreError) -> [SlugName] {
        guard rows.ordersByIdentity else { return [] }
        var all = [(name: SlugName, row: UInt64)]()
        index.forEachOfSeveralCases { all.append(($0, $1)) }
        var firsts = [SlugKey: (name: SlugName, row: UInt64, id: LinkID, lowest: UInt64)]()
        for (name, row) in all {
            guard let id = try rows.identity(ofRow: Int(row)) else { continue }
            let key = SlugKey(name)
            let lowest = min(firsts[key]?.lowest ?? row, row)
            if let first = firsts[key], !id.isBefore(first.id) {
                firsts[key]?.lowest = lowest
            } else {
                firsts[key] = (name, row, id, lowest)
            }
        }
        return firsts.values.filter { $0.row != $0.lowest }.map(\.name)
    }
}

extension SlugKey {
    /// A slug in any letter case.
    fileprivate init(_ name: SlugName) { self.init(name.collection, name.slug, isExact: false) }
}
