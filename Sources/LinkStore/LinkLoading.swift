private import Diagnostics
package import LinkIndex
internal import SQLite

/// The links of a store that are not answered, because another program has written them so.
package struct UnansweredLinks: Equatable, Sendable {
    package private(set) var count = 0
    /// The slug of the first, and why.
    package private(set) var first: (slug: String, oddity: LinkOddity)?

    mutating func add(_ slug: String, _ oddity: LinkOddity) {
        count += 1
        if first == nil { first = (slug, oddity) }
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
struct LinkLoading: ~Copyable {
    private var records = LinkRecords()
    private(set) var unanswered = UnansweredLinks()
    /// The highest number of a link that the index can have.
    private(set) var lastRow = 0
    private(set) var names = [UInt32: CollectionName]()

    consuming func index(_ generation: Int) -> LinkIndex {
        LinkIndex(records, generation: generation)
    }

    mutating func read(_ database: SQLiteDatabase) throws(SQLiteError) {
        var collections = [Int: UInt32]()
        let rows = try database.prepare("SELECT id, name FROM collection")
        while try rows.step() {
            let name = CollectionName(rows.text(1))
            collections[rows.integer(0)] = name.number
            names[name.number] = name
        }
        let columns = """
            l.id, l.collection, l.destination, l.details, l.disabled, l.starts, l.ends, l.deleted,
            length(l.uid)
            """
        for (sql, isAlias) in [
            ("SELECT \(columns), l.slug FROM link l", false),
            ("SELECT \(columns), a.slug, l.slug FROM alias a JOIN link l ON l.id = a.link", true),
        ] {
            let rows = try database.prepare(sql)
            while try rows.step() {
                add(rows, of: collections[rows.integer(1)] ?? 0, isAlias: isAlias)
            }
        }
    }

    private mutating func add(_ row: SQLiteStatement, of collection: UInt32, isAlias: Bool) {
        var head = row.head(of: collection, isAlias: isAlias)
        var oddity: LinkOddity?
        if head.id <= LinkRecord.idMax { lastRow = max(lastRow, Int(head.id)) }
        if row.integer(8) != 16 {
            head.state = .disabled
            oddity = .identity
        }
        let found = records.add(head) { part, bytes in
            switch part {
            case .slug: row.append(9, to: &bytes)
            case .destination: row.append(2, to: &bytes)
            case .details: row.append(3, to: &bytes)
            case .ownSlug: row.append(10, to: &bytes)
            }
        }
        if let oddity = found ?? oddity { unanswered.add(row.text(9), oddity) }
    }
}

extension SQLiteStatement {
    fileprivate func head(of collection: UInt32, isAlias: Bool) -> LinkRecordHead {
        var head = LinkRecordHead(
            collection: collection, id: UInt64(bitPattern: Int64(integer(0))))
        head.isAlias = isAlias
        guard isNull(7) else {
            head.state = .deleted
            return head
        }
        head.state = integer(4) == 0 ? .active : .disabled
        (head.from, head.until) = (optionalInteger(5), optionalInteger(6))
        return head
    }
}
