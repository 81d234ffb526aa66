/// A table of a store, as a copy from one kind of database to the other takes it: in both of them, its rows are read
/// with the same columns in the same order.
package struct CopiedTable: Sendable {
    /// The name of its rows for people, in the plural.
    package let name: String
    package let columns: [Column]
    /// Whether it is of the file of visits.
    let isOfVisits: Bool
    /// The table of a file, and statements for it.
    let file: String
    let fileSelection: String
    let fileInsertion: String
    /// Statements for a server: a query, and the target of a COPY, which may have columns besides.
    package let selection: String
    package let target: String
    /// The table of the server.
    package let relation: String
    package let addition: Addition
    /// The first version of a server's tables that has it.
    package let since: Int

    /// The columns that the table of a server has besides.
    package enum Addition: Sendable {
        case nothing
        /// The node of a piece, which is none.
        case node
        /// The maker and the time of a change.
        case maker
    }

    /// A column, and the values that it has.
    package struct Column: Sendable {
        package enum Kind: Sendable { case number, flag, text, blob }

        let name: String
        package let kind: Kind
    }

    /// - Parameters:
    ///   - columns: their names, those of texts with a `$`, of blobs with a `#`, and of flags with a `?` behind them.
    ///   - order: the columns that no two rows have the same values of.
    private init(
        _ name: String, _ file: String, _ database: String, _ columns: String, order: String,
        isOfVisits: Bool = false, fileSelection: String? = nil, fileInsertion: String? = nil,
        selection: String? = nil, target: String? = nil, addition: Addition = .nothing,
        since: Int = 1
    ) {
        (self.addition, self.since) = (addition, since)
        (self.name, self.file, self.isOfVisits) = (name, file, isOfVisits)
        let all = columns.utf8.split(separator: UInt8(ascii: " ")).map(Self.column)
        let names = all.map(\.name).joined(separator: ", ")
        let places = all.map { _ in "?" }.joined(separator: ", ")
        self.columns = all
        self.fileSelection = fileSelection ?? "SELECT \(names) FROM \(file) ORDER BY \(order)"
        self.fileInsertion = fileInsertion ?? "INSERT INTO \(file) (\(names)) VALUES (\(places))"
        relation = "waymark.\(database)"
        self.selection = selection ?? "SELECT \(names) FROM waymark.\(database) ORDER BY \(order)"
        self.target = target ?? "waymark.\(database) (\(names))"
    }

    private static func column(_ word: Substring.UTF8View.SubSequence) -> Column {
        let kind: Column.Kind =
            switch word.last {
            case UInt8(ascii: "$"): .text
            case UInt8(ascii: "#"): .blob
            case UInt8(ascii: "?"): .flag
            default: .number
            }
        return Column(
            name: String(decoding: kind == .number ? word : word.dropLast(), as: UTF8.self),
            kind: kind)
    }

    // MARK: The tables

    /// Numbers of collections are those of the other store, too.
    package static let collections = CopiedTable(
        "collections", "collection", "collection", "id name$", order: "id")

    package static let links = CopiedTable(
        "links", "link", "link",
        """
        id uid# collection slug$ destination$ details$ tags$ note$ disabled? archived? starts ends \
        external_id$ created updated deleted generation
        """, order: "id")

    /// The server has them in one table with the links' own slugs.
    package static let aliases = CopiedTable(
        "aliases", "alias", "slug", "link place collection slug$", order: "link, place",
        fileSelection: """
            SELECT link, row_number() OVER (PARTITION BY link ORDER BY id) AS place, collection, slug
            FROM alias ORDER BY link, place
            """, fileInsertion: "INSERT INTO alias (link, collection, slug) VALUES (?1, ?3, ?4)",
        selection: """
            SELECT link, row_number() OVER (PARTITION BY link ORDER BY place) AS place, collection, slug
            FROM waymark.slug WHERE place > 0 ORDER BY link, place
            """, target: "waymark.slug (link, place, collection, slug)")

    /// Those of which a client that follows changes knows where it was. A file has fewer than a server.
    package static let marks = CopiedTable(
        "marks of the history", "history", "change", "generation mark#", order: "generation",
        target: "waymark.change (generation, mark, node, time)", addition: .maker)

    /// All others, which are copied anew each time, as are the marks.
    package static let others =
        [
            CopiedTable(
                "tokens", "token", "token",
                "id name$ hash# ending$ scopes$ collections$ created created_by$ expires used",
                order: "id"),
            CopiedTable(
                "entries of the audit", "audit", "audit",
                "id time actor$ action$ link# before$ after$ first# last#", order: "id"),
            CopiedTable(
                "answers to repeated requests", "idempotency", "idempotency",
                "actor key$ request# status fields$ content$ expires", order: "actor, key"),
            // Their sessions are of the origin that they have signed in to.
            CopiedTable(
                "people", "person", "person", "id name$ role$ collections$ created created_by$",
                order: "id", since: 3),
            CopiedTable(
                "passkeys", "passkey", "passkey",
                "id# person key# counter name$ created used", order: "id", since: 4),
        ] + visits

    private static let visits = [
        CopiedTable(
            "hours of visits", "hour", "visit_hour", "link hour kind count",
            order: "hour, link, kind", isOfVisits: true),
        CopiedTable(
            "days of visits", "day", "visit_day", "link day kind count", order: "day, link, kind",
            isOfVisits: true),
        CopiedTable(
            "referrers", "referrer", "visit_referrer", "link day host$ count",
            order: "day, link, host", isOfVisits: true),
        CopiedTable(
            "countries of visits", "country", "visit_country", "link day country count",
            order: "day, link, country", isOfVisits: true, since: 6),
        CopiedTable(
            "days of visitors", "visitor", "visit_visitor", "link day count sketch#",
            order: "day, link", isOfVisits: true),
        // A file has at most so many of a day, and remembers how far each count may be off.
        CopiedTable(
            "paths of no link", "miss", "visit_miss", "day collection path$ count first last",
            order: "day, collection, path", isOfVisits: true,
            fileInsertion: """
                INSERT INTO miss (day, collection, path, count, first, last, error)
                VALUES (?, ?, ?, ?, ?, ?, 0)
                """,
            selection: """
                SELECT day, collection, path, count, first, last FROM (
                  SELECT *, row_number() OVER (PARTITION BY day ORDER BY count DESC, path) AS place
                  FROM waymark.visit_miss) m
                WHERE place <= \(VisitStore.pathsMax) ORDER BY day, collection, path
                """),
        CopiedTable(
            "keys of days", "salt", "visit_salt", "day salt#", order: "day", isOfVisits: true),
        CopiedTable(
            "pieces of visits", "piece", "visit_piece", "number bytes#", order: "number",
            isOfVisits: true,
            fileSelection:
                "SELECT row_number() OVER (ORDER BY row) AS number, bytes FROM piece ORDER BY number",
            fileInsertion: "INSERT INTO piece (row, bytes) VALUES (?, ?)",
            selection: """
                SELECT row_number() OVER (ORDER BY node, number) AS number, bytes
                FROM waymark.visit_piece ORDER BY node, number
                """, target: "waymark.visit_piece (number, bytes, node)", addition: .node),
    ]
}

/// A row that is copied, with its columns by their numbers from 0.
package protocol CopiedRow {
    func isNull(_ column: Int) -> Bool
    func integer(_ column: Int) -> Int
    func append(_ column: Int, to bytes: inout [UInt8])
}

extension CopiedRow {
    /// The bytes of a text as both kinds of database can have them: no text of a server has a zero byte.
    package func textBytes(_ column: Int) -> [UInt8] {
        var bytes = [UInt8]()
        append(column, to: &bytes)
        guard bytes.contains(0) else { return bytes }
        return bytes.flatMap { $0 == 0 ? Array("%00".utf8) : [$0] }
    }

    package func blob(_ column: Int) -> [UInt8] {
        var bytes = [UInt8]()
        append(column, to: &bytes)
        return bytes
    }
}

/// The number of a table's rows, and a hash of all of them in whatever order: the sum of their hashes (FNV-1a,
/// whose bits are mixed at the end). It finds what was lost or changed by accident.
package struct CopiedSum: Equatable, Sendable {
    package private(set) var count = 0
    package private(set) var hash: UInt64 = 0

    package init() {}

    package mutating func add(_ row: some CopiedRow, _ columns: [CopiedTable.Column]) {
        var state: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x0100_0000_01B3 }
        for (index, column) in columns.enumerated() {
            guard !row.isNull(index) else {
                add(0)
                continue
            }
            switch column.kind {
            case .number, .flag:
                add(1)
                // A file can have any number for a flag; what it means is copied.
                let value = row.integer(index)
                let flag = value == 0 ? 0 : 1
                let number = UInt64(bitPattern: Int64(column.kind == .flag ? flag : value))
                for shift in 0..<8 { add(UInt8(truncatingIfNeeded: number >> UInt64(8 * shift))) }
            case .text, .blob:
                let bytes = column.kind == .text ? row.textBytes(index) : row.blob(index)
                add(2)
                for shift in 0..<4 { add(UInt8(truncatingIfNeeded: bytes.count >> (8 * shift))) }
                for byte in bytes { add(byte) }
            }
        }
        state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB
        count += 1
        hash &+= state ^ (state >> 31)
    }
}

/// The state of a store that is copied, by which another attempt knows whether it goes on with the same links.
package struct CopiedState: Equatable, Sendable {
    package var identity = [UInt8]()
    package var generation = 0
    /// Of the history, in hexadecimal digits.
    package var mark = ""
    /// The highest numbers that were given to links and tokens.
    package var lastLink = 0
    package var lastToken = 0

    package init() {}

    /// One line of text that no other state of links has.
    package var key: String {
        let digits = identity.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
        return "\(digits) \(generation) \(mark)"
    }
}
