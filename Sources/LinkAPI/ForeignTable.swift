import Diagnostics
import URISyntax

/// A table of another service, as rows of a table of ours. Columns that are not kept are told once, and values that are
/// lost at their rows.
struct ForeignTable: Sendable {
    /// Nil for a table of which only the operator knows what its columns are.
    private let service: ForeignService?
    /// The columns that the operator names, in place of what is known of them.
    private let named: [(theirs: String, use: ForeignUse)]
    /// The host of the short links; else that of the first row.
    private var host: String?
    /// Whether the operator has named the host.
    private let hasNamedHost: Bool
    /// Of times that name none; nil for UTC.
    private let zone: ZoneRules?

    /// By the number of a column of theirs.
    private var uses = [ForeignUse?]()
    private var titles = [String]()
    /// The first column whose cells are hosts.
    private var hostColumn: Int?
    /// By the name of a column of ours, its place.
    private var places = [String: Int]()

    /// - Parameters:
    ///   - columns: `Theirs=ours`, with commas between them.
    ///   - host: the only one whose short links are taken.
    ///   - zone: of times that name none; nil for UTC.
    init(
        _ service: ForeignService?, columns: String?, host: String?, zone: ZoneRules?
    ) throws(Problem) {
        (self.service, self.host, self.zone) = (service, host, zone)
        hasNamedHost = host != nil
        named = try columns.map(Self.read) ?? []
    }

    // MARK: Columns

    private static func read(_ columns: String) throws(Problem) -> [(String, ForeignUse)] {
        guard let texts = TableList.texts(columns) else {
            throw Problem(
                .query,
                "columns is \(quoted(columns)): a quote is not closed, or text follows it")
        }
        // Each column looks for its name among them.
        guard texts.count <= TableHeading.columnsMax else {
            throw Problem(
                .query,
                "columns has \(texts.count) names, may have \(TableHeading.columnsMax), as many as a table has columns"
            )
        }
        var (found, seen) = ([(String, ForeignUse)](), Set<String>())
        for text in texts {
            guard let sign = text.utf8.lastIndex(of: UInt8(ascii: "=")) else {
                throw Problem(
                    .query,
                    "columns has \(quoted(text)), must have Theirs=ours with commas between, "
                        + "such as \"Long URL=destination,Code=slug\"")
            }
            let theirs = withoutBlanks(String(text[..<sign]))
            let ours = withoutBlanks(String(text[text.utf8.index(after: sign)...]))
            guard !theirs.isEmpty, seen.insert(theirs).inserted else {
                throw Problem(
                    .query,
                    "columns names \(theirs.isEmpty ? "no column of theirs" : "\(quoted(theirs)) twice")"
                        + " in \(quoted(text))")
            }
            guard let use = ours.isEmpty ? .ignored("") : ForeignUse(heading: ours)
            else {
                // An export has further columns, which no import keeps.
                let nearest =
                    ForeignUse.heading(near: ours)
                    ?? TableHeading.nearest(to: ours).flatMap {
                        ForeignUse(heading: $0) == nil ? nil : $0
                    }
                throw Problem(
                    .query,
                    "columns has \(quoted(text)): no column of ours is called \(quoted(ours))"
                        + (nearest.map { "; \(didYouMean($0))" } ?? ""))
            }
            found.append((theirs, use))
        }
        return found
    }

    /// Reads the first line.
    /// - Returns: the heading of the rows that follow, and notes on what of them is not kept.
    mutating func heading(
        _ cells: [String]
    ) throws(Problem) -> (heading: TableHeading, notes: [PointedFault]) {
        titles = cells.map(withoutBlanks)
        takePositions()
        try checkNames()
        var (notes, ours) = ([PointedFault](), [(name: String, title: String)]())
        var more = 0
        uses = titles.map(use)
        hostColumn = uses.firstIndex(of: .host)
        for (index, use) in uses.enumerated() where !titles[index].isEmpty {
            if let heading = use?.heading {
                guard places[heading] == nil else { continue }
                places[heading] = ours.count
                ours.append((heading, titles[index]))
            } else if let fact = Self.reason(use) {
                // To look for advice costs more than to read a name.
                guard notes.count < Self.notesMax else {
                    more += 1
                    continue
                }
                notes.append(
                    PointedFault(
                        "", .unknownKey,
                        "column \(index + 1), \(quoted(titles[index])), is not kept: \(fact.words)",
                        advice: use == nil ? Self.advice(on: titles[index]) : fact.advice))
            }
        }
        if places["destination"] == nil, let desktop = places["web.desktop"] {
            ours[desktop].name = "destination"
            places["destination"] = desktop
        }
        guard places["destination"] != nil else { throw noDestination }
        // A row without a slug of its own has it from the others.
        if places["aliases"] != nil, places["slug"] == nil {
            places["slug"] = ours.count
            ours.append(("slug", ours[places["aliases"] ?? 0].title))
        }
        if more > 0 {
            notes.append(PointedFault(moreThanKept: more, "columns are not kept"))
        }
        return (try TableHeading(ours), notes)
    }

    private static let notesMax = 20

    /// Gives each column that is named by its position that name: `#3` is the third column. So a column can be named that has no heading, or
    /// the same as another one. A heading that is written like this comes first.
    private mutating func takePositions() {
        let written = Set(titles.map { Array($0.utf8) })
        for (theirs, _) in named where theirs.utf8.first == UInt8(ascii: "#") {
            // Digits as a number is written, so that a column has one name, and no sign.
            guard !written.contains(Array(theirs.utf8)),
                let number = Int(theirs.dropFirst()), number >= 1, number <= titles.count,
                theirs.utf8.elementsEqual("#\(number)".utf8)
            else { continue }
            titles[number - 1] = theirs
        }
    }

    private func use(of title: String) -> ForeignUse? {
        if let own = named.first(where: { $0.theirs.isScalarwise(title) }) { return own.use }
        if title.utf8.count > TableHeading.nameBytesMax { return nil }
        guard let service else { return ForeignUse(heading: title) }
        let name = TableHeading.fold(title)
        if let better = service.spare[name],
            titles.contains(where: { TableHeading.fold($0) == better })
        {
            return .ignored("")
        }
        return service.uses[name]
    }

    /// The advice on a column of which nothing is known: what it may be.
    private static func advice(on title: String) -> String {
        let near = ForeignUse.heading(near: title)
        return "columns=\(quoted("\(title)=\(near ?? "ours")")) (--columns) "
            + (near == nil ? "says what it is, if it is of use" : "keeps it, if that is what it is")
    }

    private static func reason(_ use: ForeignUse?) -> (words: String, advice: String?)? {
        switch use {
        case nil: ("nothing is known of it", nil)
        // The operator has said so.
        case .ignored(let reason): reason.isEmpty ? nil : (reason, nil)
        default: nil
        }
    }

    /// Whether the operator has said that columns of this name are not kept.
    private func isLeftOut(_ title: String) -> Bool {
        named.contains { $0.theirs.isScalarwise(title) && $0.use == .ignored("") }
    }

    private func checkNames() throws(Problem) {
        var (numbers, faults) = ([[UInt8]: Int](), [PointedFault]())
        for (index, title) in titles.enumerated() where !title.isEmpty {
            guard faults.count < Self.notesMax else { break }
            guard let first = numbers.updateValue(index + 1, forKey: Array(title.utf8)),
                !isLeftOut(title)
            else { continue }
            faults.append(
                PointedFault(
                    "", .duplicateKey,
                    "the columns \(first) and \(index + 1) are both \(quoted(title))",
                    advice: "remove one of them"))
        }
        let short = titles.filter { !$0.isEmpty && $0.utf8.count <= TableHeading.nameBytesMax }
        for (theirs, _) in named where numbers[Array(theirs.utf8)] == nil {
            // To look for what is meant costs more than to read a name.
            guard faults.count < Self.notesMax else { break }
            let near =
                theirs.utf8.count > TableHeading.nameBytesMax
                ? nil : nearestName(to: theirs, among: short)
            faults.append(
                PointedFault(
                    "", .unknownKey,
                    "columns (--columns) names \(quoted(theirs)), and the table has no such column",
                    advice: near.map(didYouMean) ?? "write it as the first line of the table does"))
        }
        guard faults.isEmpty else { throw .invalid(faults) }
    }

    private var noDestination: Problem {
        .invalid([
            PointedFault(
                "", .tableForm,
                "no column is the destination of the links"
                    + (service.map { ": the first line is none of an export of \($0.title)" } ?? ""),
                advice: "name it: columns=\"Theirs=destination\" (--columns)")
        ])
    }

    // MARK: Rows

    /// The cells of a row under the heading of ours, and notes on what of it is not kept.
    mutating func row(
        _ line: CSVReader.Record
    ) throws(Problem) -> (cells: [String], notes: [PointedFault]) {
        try TableHeading.check(line, titles.count) { !titles[$0].isEmpty }
        let record = line.cells
        var (cells, notes) = ([String](repeating: "", count: places.count), RowNotes())
        var (slug, others, hosts) = ("", [(index: Int, text: String)](), [String]())
        var campaign = CampaignCells()
        for (index, cell) in record.enumerated() where index < uses.count && !cell.isEmpty {
            guard let use = uses[index] else { continue }
            let text = SpreadsheetText.read(TableCell.unprotected(cell), trims: true)
            if text.isEmpty { continue }
            switch use {
            case .slug:
                let link = try ShortLinkText(text)
                hosts += [link.host].compactMap { $0 }
                take(link.slug, as: &slug, index, &notes)
            case .code:
                let code = text.utf8.first == UInt8(ascii: "/") ? String(text.dropFirst()) : text
                take(code, as: &slug, index, &notes)
            case .aliases:
                others += ForeignValue.list(text).map { (index, $0) }
            case .host: hosts.append(ShortLinkText.host(text, isSecure: true))
            case .campaign(let name): campaign.add(name, text, index)
            case .lost(let reason):
                notes.append(note(index, "\(quoted(text)) is not kept: \(reason)"))
            default:
                fill(&cells, use, index, cell, text, &notes)
            }
        }
        var aliases = try aliases(others, besides: slug, &hosts, &notes)
        if hosts.isEmpty, let hostColumn {
            if hasNamedHost, let host {
                let fact = "it is empty, and the link is taken for one of \(quoted(host))"
                notes.append(note(hostColumn, fact))
            } else {
                hosts = [""]
            }
        }
        try check(hosts)
        if slug.isEmpty, !aliases.isEmpty { slug = aliases.removeFirst() }
        if slug.isEmpty, service != nil, uses.contains(.code) { throw .noShortName }
        aliases.removeAll { $0.isScalarwise(slug) }
        set(&cells, "slug", slug)
        set(&cells, "aliases", TableList.cell(aliases))
        campaign.fill(&cells, at: places["destination"]) { notes.append(note($0, $1())) }
        return (cells, notes.all)
    }

    /// The other names of a row, in whatever order its columns are. One of another domain is not kept, but where the row has
    /// none of its own: such a row is of that domain.
    private func aliases(
        _ cells: [(index: Int, text: String)], besides slug: String, _ hosts: inout [String],
        _ notes: inout RowNotes
    ) throws(Problem) -> [String] {
        var (aliases, foreign) = ([String](), String?.none)
        for (index, text) in cells {
            let link = try ShortLinkText(text)
            if let own = host ?? hosts.first, let other = link.host, !own.isScalarwise(other) {
                foreign = foreign ?? other
                notes.append(note(index, "\(quoted(text)) is not kept: it is of another domain"))
                continue
            }
            hosts += [link.host].compactMap { $0 }
            aliases.append(link.slug)
        }
        if slug.isEmpty, aliases.isEmpty, let foreign { hosts.append(foreign) }
        return aliases
    }

    /// Text of theirs has no apostrophe for spreadsheets, which a cell of ours may have.
    private func set(_ cells: inout [String], _ heading: String, _ text: String) {
        if let place = places[heading], !text.isEmpty { cells[place] = TableCell.protected(text) }
    }

    private func fill(
        _ cells: inout [String], _ use: ForeignUse, _ index: Int, _ cell: String, _ text: String,
        _ notes: inout RowNotes
    ) {
        var value = text
        switch use {
        // As in the form of the console.
        case .text("destination"): value = addressWithScheme(text)
        case .text: value = TableCell.unprotected(cell)
        case .tags: value = TableList.cell(ForeignValue.list(text))
        case .id(let name): value = "\(name):\(text)"
        case .time(let heading):
            guard let found = TableTime(text, isEnd: heading == "until", zone: zone) else { break }
            value = found.time.description
            if heading != "created", let remark = found.remark {
                notes.append(note(index, "\(quoted(text)) \(remark)"))
            }
        case .flag:
            guard let truth = ForeignValue.truth(text) else { break }
            if !truth { return }
            value = "true"
        case .disabled, .password:
            // A password may be any text, such as "no"; and what is in doubt answers nobody.
            let truth = use == .password ? TableCell.truth(text) : ForeignValue.truth(text)
            guard truth != false else { return }
            value = "disabled"
            notes.append(
                note(
                    index,
                    use == .password
                        ? "the password is not kept, and the link is made as disabled"
                        : "the link is made as disabled"))
        case .slug, .code, .aliases, .host, .campaign, .ignored, .lost: return
        }
        guard let heading = use.heading, let place = places[heading] else { return }
        let written = TableCell.protected(value)
        if cells[place].isEmpty {
            cells[place] = written
        } else if !cells[place].isScalarwise(written) {
            notes.append(
                note(index, "\(quoted(text)) is not kept: another column is the \(heading), too"))
        }
    }

    private func take(
        _ found: String, as slug: inout String, _ index: Int, _ notes: inout RowNotes
    ) {
        if slug.isEmpty {
            slug = found
        } else if !slug.isScalarwise(found) {
            notes.append(
                note(index, "\(quoted(found)) is not kept: another column is the slug, too"))
        }
    }

    private func note(_ index: Int, _ fact: String) -> PointedFault {
        PointedFault("", .wrongValue, "column \(index + 1), \(quoted(titles[index])): \(fact)")
    }

    /// A table has the links of one domain: of two, equal slugs would be one link here. An empty cell is the service's own
    /// domain, which has no name in its table.
    private mutating func check(_ hosts: [String]) throws(Problem) {
        for host in hosts {
            guard let own = self.host else {
                self.host = host
                continue
            }
            guard !own.isScalarwise(host) else { continue }
            let fact =
                if host.isEmpty {
                    "the row names no domain, and those that are imported are of \(quoted(own))"
                } else if own.isEmpty {
                    "the short link is one of \(quoted(host)), and the rows that are imported name no domain"
                } else {
                    "the short link is one of \(quoted(host)), and those that are imported are of \(quoted(own))"
                }
            throw .invalid([
                PointedFault(
                    "/slug", .wrongValue, fact,
                    advice: host.isEmpty
                        ? "write its domain, or import such rows from a table of their own"
                        : "import the table once for each domain, with domain=HOST (--domain)")
            ])
        }
    }
}
