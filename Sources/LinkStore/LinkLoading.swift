private import Diagnostics
package import LinkIndex

/// The links of a store that are not answered, because another program has written them so.
package struct UnansweredLinks: Equatable, Sendable {
    package private(set) var count = 0
    /// The slug of the first, and why.
    package private(set) var first: (slug: String, oddity: LinkOddity)?
    private(set) var rows = OddRows(areAll: true)

    package init() {}

    /// - Parameter row: the number of the link.
    package mutating func add(_ slug: String, _ oddity: LinkOddity, row: Int) {
        count += 1
        rows.add(row)
        if first == nil { first = (slug, oddity) }
    }

    mutating func add(_ others: UnansweredLinks) {
        count += others.count
        first = first ?? others.first
    }

    /// A text that counts them, and says what is wrong with the first; nil if there are none.
    package var fact: String? {
        guard let first else { return nil }
        let isOne = count == 1
        let links = isOne ? "a link that is" : "\(count) links that are"
        let these = isOne ? "it" : "them"
        return "\(links) not answered, because no request can have made \(these): of "
            + "\(quoted(first.slug)), \(first.oddity)"
    }

    package static func == (left: UnansweredLinks, right: UnansweredLinks) -> Bool {
        left.count == right.count && left.first?.slug == right.first?.slug
    }
}

/// The index that is built of the rows of a store.
package struct LinkLoading: ~Copyable {
    private var records = LinkRecords()
    private(set) var unanswered = UnansweredLinks()
    /// The highest number of a link that the index can have.
    private(set) var lastRow = 0
    private(set) var names = [UInt32: CollectionName]()

    package init() {}

    consuming func index(_ generation: Int) -> LinkIndex {
        LinkIndex(records, generation: generation)
    }

    /// Adds a collection.
    package mutating func add(_ name: CollectionName) { names[name.number] = name }

    /// Adds a slug of a link.
    /// - Parameters:
    ///   - row: the number of the link and that of the collection's row, the destination, the details, whether the link
    ///     is disabled, its start, its end, the time of its deletion, the slug, and for an alias the link's own
    ///     slug, else null.
    ///   - collection: the number of its name.
    ///   - oddity: what is odd about its row, so that it is not answered.
    package mutating func add(
        _ row: some StoreRow, of collection: UInt32, _ oddity: LinkOddity? = nil
    ) {
        var head = LinkRecordHead(
            collection: collection, id: UInt64(bitPattern: Int64(row.integer(0))))
        head.isAlias = !row.isNull(9)
        if !row.isNull(7) {
            head.state = .deleted
        } else {
            head.state = row.integer(4) == 0 ? .active : .disabled
            (head.from, head.until) = (row.optionalInteger(5), row.optionalInteger(6))
        }
        if oddity != nil { head.state = .disabled }
        if head.id <= LinkRecord.idMax { lastRow = max(lastRow, Int(head.id)) }
        let found = records.add(head) { part, bytes in
            switch part {
            case .slug: row.append(8, to: &bytes)
            case .destination: row.append(2, to: &bytes)
            case .details: row.append(3, to: &bytes)
            case .ownSlug: row.append(9, to: &bytes)
            }
        }
        if let oddity = found ?? oddity { unanswered.add(row.text(8), oddity, row: row.integer(0)) }
    }

    /// Numbers that others have given to links are not given again.
    package mutating func skipNumbers(to row: Int) {
        lastRow = max(lastRow, min(row, Self.skippedMax))
    }

    /// The greatest number that is skipped. Only another program writes a greater one, which would leave none for new
    /// links.
    static let skippedMax = Int(LinkRecord.idMax) / 2
}
