import Diagnostics
import JSONSyntax
import SiteConfiguration
import URISyntax

/// The heading of a table of links, checked once for all of its rows.
final class TableHeading: Sendable {
    struct Column: Sendable {
        /// As it is written; with its number where it is empty.
        let name: String
        /// From 1.
        let number: Int
        let column: LinkColumn?
        /// The parameter that the column has in an export of Firebase.
        var parameter: String?
        /// The name in the table of another service.
        var title: String?
    }

    /// The cells that rows have at a member: its own, and those of its members.
    private struct Node: Sendable {
        let key: String
        /// The first of its columns; members are in the order of theirs, so that a short row ends the search.
        let first: Int
        var column: Int?
        var members = [Node]()
        /// The places of members, by the bytes of their keys.
        var places = [[UInt8]: Int]()
    }

    /// A table has about thirty; spreadsheets save empty ones, too.
    static let columnsMax = 1_024
    private static let faultsMax = 20

    let columns: [Column]
    private let root: Node
    /// The column of each member of a link, by the bytes of its JSON Pointer.
    private let places: [[UInt8]: Int]
    /// A cell is the whole value of its member, but for what has columns of its own.
    let mergeDepth: MergeDepth

    /// - Parameter titles: the names in the table of another service; empty for a table of ours.
    init(_ cells: [String], titles: [String] = []) throws(Problem) {
        var (columns, faults, numbers) = ([Column](), [PointedFault](), [[UInt8]: Int]())
        var more = 0
        // To look for what is meant costs more than to read a column.
        func add(_ fault: @autoclosure () -> PointedFault) {
            if faults.count < Self.faultsMax { faults.append(fault()) } else { more += 1 }
        }
        for (index, cell) in cells.enumerated() {
            let (name, number) = (withoutBlanks(cell), index + 1)
            let column = name.isEmpty ? nil : Self.column(name)
            columns.append(
                Column(
                    name: name, number: number, column: column,
                    title: index < titles.count ? titles[index] : nil))
            if name.isEmpty { continue }
            if column == nil {
                add(
                    PointedFault(
                        "", .unknownKey,
                        "column \(number) is \(quoted(name)): no member is called so",
                        advice: Self.advice(on: name)))
            }
            if let first = numbers.updateValue(number, forKey: Array(name.utf8)) {
                add(
                    PointedFault(
                        "", .duplicateKey,
                        "the columns \(first) and \(number) are both \(quoted(name))",
                        advice: "remove one of them"))
            }
        }
        self.columns = columns
        guard faults.isEmpty else {
            if more > 0 {
                faults.append(PointedFault(moreThanKept: more, "columns are wrong"))
            }
            throw .invalid(faults)
        }
        var root = Node(key: "", first: 0)
        var places = [[UInt8]: Int]()
        for (index, column) in columns.enumerated() {
            guard let path = column.column?.path else { continue }
            Self.add(index, path[...], to: &root)
            places[Array("/\(path.joined(separator: "/"))".utf8)] = index
        }
        (self.root, self.places, mergeDepth) = (root, places, Self.depth(of: root))
    }

    /// The columns that the table of another service becomes.
    convenience init(_ columns: [(name: String, title: String)]) throws(Problem) {
        try self.init(columns.map(\.name), titles: columns.map(\.title))
    }

    /// The columns of an export of Firebase: what each is for, where that is known.
    /// - Parameters:
    ///   - names: as the first line has them; empty if it is a row.
    ///   - shown: the parameters that a member of the link comes from, by its JSON Pointer.
    init(parameters: [String], names: [String], shown: [(pointer: String, parameters: [String])]) {
        columns = parameters.enumerated().map { index, parameter in
            Column(
                name: withoutBlanks(index < names.count ? names[index] : ""), number: index + 1,
                column: nil, parameter: parameter.isEmpty ? nil : parameter)
        }
        var places = [[UInt8]: Int]()
        for (index, parameter) in parameters.enumerated() where !parameter.isEmpty {
            places[Array("/\(parameter)".utf8)] = index
        }
        for (pointer, sources) in shown where places[Array(pointer.utf8)] == nil {
            places[Array(pointer.utf8)] =
                sources.lazy.compactMap { places[Array("/\($0)".utf8)] }.first
        }
        (self.places, root, mergeDepth) = (places, Node(key: "", first: 0), .line)
    }

    private static func depth(of node: Node) -> MergeDepth {
        var depth = MergeDepth()
        depth.replaces = node.column != nil && node.members.isEmpty
        depth.replacesOthers = node.column != nil
        for member in node.members { depth.set(Self.depth(of: member), at: member.key) }
        return depth
    }

    // MARK: Headings

    static func column(_ name: String) -> LinkColumn? {
        if let found = TableColumns.informative.first(where: { $0.name == name }) {
            return LinkColumn([name], found.form)
        }
        return LinkColumn(name)
    }

    private static let known = LinkColumn.headings + TableColumns.informative.map(\.name)
    private static let folded = Dictionary(
        known.map { (fold($0), $0) }, uniquingKeysWith: { first, _ in first })

    /// A heading without what people change: letter case, blanks, and what joins words.
    static func fold(_ name: String) -> String {
        String(
            decoding: name.utf8.compactMap { byte in
                switch byte {
                case 0x41...0x5A: byte | 0x20
                case 0x20, 0x09, 0x0A, 0x0D, 0xA0, UInt8(ascii: "_"), UInt8(ascii: "-"),
                    UInt8(ascii: "."):
                    nil
                default: byte
                }
            }, as: UTF8.self)
    }

    static func nearest(to name: String) -> String? {
        guard name.utf8.count <= nameBytesMax else { return nil }
        return folded[fold(name)] ?? nearestName(to: name, among: known)
    }

    private static func advice(on name: String) -> String {
        guard name.utf8.count <= nameBytesMax else { return "remove the column" }
        if let meant = folded[fold(name)] { return "write \(meant)" }
        if let advice = LinkColumn.advice(on: name) { return advice }
        if let near = nearestName(to: name, among: known) { return didYouMean(near) }
        return "remove the column; an export as CSV shows the names"
    }

    static let nameBytesMax = 64

    /// True if a line is the heading of a table, and not a link in JSON.
    static func isLike(_ cells: [String]) -> Bool {
        let names = cells.map(withoutBlanks)
        return names.contains { known.contains($0) } && !names.contains { $0.utf8.contains(0x7B) }
    }

    /// Paths are as short as the grammar of links is deep.
    private static func add(_ column: Int, _ path: ArraySlice<String>, to node: inout Node) {
        guard let key = path.first else {
            node.column = column
            return
        }
        let index: Int
        if let found = node.places[Array(key.utf8)] {
            index = found
        } else {
            index = node.members.count
            node.places[Array(key.utf8)] = index
            node.members.append(Node(key: key, first: column))
        }
        add(column, path.dropFirst(), to: &node.members[index])
    }

    /// True if the texts of a column have no blanks around them, so that a cell's are its table's: of
    /// names, URLs, actions and times.
    private static func isUnblanked(_ name: String) -> Bool {
        unblanked.contains(name)
            || ["web.", "after."].contains { name.utf8.starts(with: $0.utf8) }
    }

    private static let unblanked: Set<String> = [
        "id", "url", "collection", "slug", "destination", "state", "from", "until", "web", "after",
        "page.image", "created", "updated", "deleted", "archived",
    ]

    // MARK: Rows

    /// The column that shows a member of a link; nil if none does.
    func name(at pointer: String) -> String? {
        var end = Array(pointer.utf8)[...]
        while !end.isEmpty {
            if let index = places[Array(end)] {
                let column = columns[index]
                if let title = column.title { return title }
                return column.name.isEmpty ? "column \(column.number)" : column.name
            }
            guard let slash = end.lastIndex(of: UInt8(ascii: "/")) else { break }
            end = end[..<slash]
        }
        return nil
    }

    /// Refuses a row with more cells than columns, or a cell without a heading.
    /// - Parameter isStrict: whether a cell needs a heading.
    func check(_ record: CSVReader.Record, isStrict: Bool) throws(Problem) {
        try Self.check(record, columns.count) { !isStrict || !columns[$0].name.isEmpty }
    }

    /// - Parameters:
    ///   - count: of the columns.
    ///   - isNamed: whether a column may have cells.
    static func check(
        _ record: CSVReader.Record, _ count: Int, _ isNamed: (Int) -> Bool
    ) throws(Problem) {
        let stray = record.cells.indices.first { index in
            !record.cells[index].isEmpty && (index >= count || !isNamed(index))
        }
        guard stray != nil || record.excess > 0 else { return }
        guard record.cells.count <= count, record.excess == 0 else {
            throw refusal(
                "the line has \(record.cells.count + record.excess) cells, the heading has \(count)",
                "write quotes around a cell that has the separator")
        }
        throw refusal(
            "cell \((stray ?? 0) + 1) has no heading", "write its heading, or remove the cell")
    }

    private static func refusal(_ fact: String, _ advice: String) -> Problem {
        .invalid([PointedFault("", .tableForm, fact, advice: advice)])
    }

    /// The link of a row.
    /// - Parameters:
    ///   - zone: of times that name none; nil for UTC.
    ///   - notes: what of it is not kept.
    func json(
        _ cells: [String], in zone: ZoneRules?, _ notes: inout [PointedFault]
    ) throws(Problem) -> JSONText {
        var faults = [PointedFault]()
        // A row costs what it has, whatever its heading has.
        let cells = Array(cells.prefix((cells.lastIndex { !$0.isEmpty } ?? -1) + 1))
        let found = members(of: root, at: "", cells, &faults)
        guard faults.isEmpty else { throw .invalid(faults) }
        var damage = RowNotes()
        for (column, cell) in zip(columns, cells) {
            guard let own = column.column, let words = SpreadsheetText.damage(cell) else {
                continue
            }
            damage.append(
                PointedFault(
                    "/" + own.path.joined(separator: "/"), .wrongValue,
                    "\(quoted(cell)) is \(words)",
                    advice: "write what it was, if it is not meant"))
        }
        notes += damage.all
        return .object(found.compactMap { Self.timed($0, $1, zone, &notes) })
    }

    /// A member, whose time is written as links have it: a spreadsheet writes times in the form of its language.
    private static func timed(
        _ key: String, _ value: JSONText, _ zone: ZoneRules?, _ notes: inout [PointedFault]
    ) -> (key: String, value: JSONText)? {
        guard case .string(let text) = value else { return (key, value) }
        func note(_ words: String) {
            notes.append(PointedFault("/\(key)", .wrongValue, "\(quoted(text)) \(words)"))
        }
        switch key {
        case "created", "updated":
            if let found = TableTime(text, isEnd: false, zone: zone) {
                return (key, .string(found.time.description))
            }
            note("is not kept: it is no time with its zone")
            return nil
        case "from", "until":
            guard (try? Timestamp(text)) == nil,
                let found = TableTime(text, isEnd: key == "until", zone: zone)
            else { return (key, value) }
            if let remark = found.remark { note(remark) }
            return (key, .string(found.time.description))
        default: return (key, value)
        }
    }

    private func members(
        of node: Node, at pointer: String, _ cells: [String], _ faults: inout [PointedFault]
    ) -> [(key: String, value: JSONText)] {
        node.members.prefix { $0.first < cells.count }.compactMap { member in
            value(of: member, at: "\(pointer)/\(member.key)", cells, &faults).map {
                (member.key, $0)
            }
        }
    }

    private func value(
        of node: Node, at pointer: String, _ cells: [String], _ faults: inout [PointedFault]
    ) -> JSONText? {
        let own = node.column.flatMap { cell(at: $0, pointer, cells, &faults) }
        let members = members(of: node, at: pointer, cells, &faults)
        guard let own, !members.isEmpty else {
            return own ?? (members.isEmpty ? nil : .object(members))
        }
        guard case .object(let present) = own else {
            faults.append(
                PointedFault(
                    pointer, .duplicateKey,
                    "it has a value, and \(quoted(members[0].key)) of it has a column of its own",
                    advice: "leave one of the two cells empty"))
            return own
        }
        let names = Set(present.map { Array($0.key.utf8) })
        for member in members where names.contains(Array(member.key.utf8)) {
            faults.append(
                PointedFault(
                    "\(pointer)/\(member.key)", .duplicateKey,
                    "\(quoted(member.key)) is here and in a column of its own",
                    advice: "leave one of the two out"))
        }
        return .object(present + members)
    }

    private func cell(
        at index: Int, _ pointer: String, _ cells: [String], _ faults: inout [PointedFault]
    ) -> JSONText? {
        guard index < cells.count, !cells[index].isEmpty, let form = columns[index].column?.form
        else { return nil }
        let column = columns[index]
        let text = SpreadsheetText.read(
            TableCell.unprotected(cells[index]), trims: Self.isUnblanked(column.name))
        switch form {
        case .text: return .string(text)
        case .flag:
            if let truth = TableCell.truth(text) { return .boolean(truth) }
            faults.append(
                PointedFault(
                    pointer, .wrongValue, "it must be true or false, not \(quoted(text))",
                    advice: "write true or false, or what spreadsheets write for them in their "
                        + "language, such as WAHR and FALSCH"))
            return nil
        case .number:
            if let number = Int(text) { return .number(number) }
            faults.append(
                PointedFault(
                    pointer, .wrongValue, "it must be a number, not \(quoted(text))",
                    advice: "write its digits alone"))
            return nil
        case .list:
            if let texts = TableList.texts(text) { return .strings(texts) }
            faults.append(
                PointedFault(
                    pointer, .tableForm, "a quote is not closed, or text follows it",
                    advice: "write quotes only around one with a comma: mail,\"one, two\""))
            return nil
        case .json:
            guard text.utf8.first == UInt8(ascii: "{") || text.utf8.first == UInt8(ascii: "[")
            else { return .string(text) }
            let document = JSONDocument(Array(text.utf8), file: "")
            if document.diagnostics.isEmpty, let root = document.root {
                // Marks that the cell has as escapes are looked for before its keys are compared.
                guard !text.hasTooManyMarks, let fault = root.faultOfMarks else {
                    return root.written
                }
                faults.append(.marks(pointer + fault.pointer, "the cell"))
                return nil
            }
            faults += document.diagnostics.map { finding in
                let place = finding.position.map { " (at its byte \($0.column))" } ?? ""
                return PointedFault(
                    pointer, finding.rule, finding.message + place, advice: finding.advice)
            }
            return nil
        }
    }
}
