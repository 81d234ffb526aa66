private import Diagnostics
private import URISyntax

/// The form of an import as it was filled in. What was sent once is in the page that follows, so nothing of it is kept
/// on a server: any node of a fleet goes on with it, and nothing has to be thrown away.
struct ImportForm: Sendable {
    /// The most bytes of a file or of a pasted text: about ten thousand links. It comes back with each of the pages that
    /// follow, a third longer.
    static let contentBytesMax = 2 * 1_048_576

    /// A reason for which there is nothing to import.
    enum Fault { case nothing, both, tooLong }

    private(set) var content = [UInt8]()
    /// The name of the file; empty for a pasted text.
    private(set) var name = ""
    private(set) var fault: Fault?
    let format: String
    let collection: String
    let domain: String
    /// Whether a line changes a link that exists.
    let changesExisting: Bool
    /// `Theirs=ours`, with commas between them; for a table of another kind.
    private(set) var columns: String
    /// The choices for columns, one by one.
    let picks: [Pick]
    /// Those of the site.
    private let clock: SiteClock
    /// The page on which the form was sent; nil for the first, on which an import begins.
    let step: Step?

    /// A page behind the first.
    enum Step: String { case columns, seen }

    /// A column of theirs, by its number from 0, and what of a link it is; empty if it is not kept.
    struct Pick: Sendable {
        let number: Int
        let theirs: String
        let ours: String
    }

    /// - Parameter request: what a browser has sent, or the first page, which has nothing yet.
    init(_ request: ConsoleRequest) {
        // The button of a table whose headings are of none of ours.
        let asksColumns = request.value("do") == "columns"
        format =
            asksColumns
            ? ImportFormat.columns
            : request.value("format").isEmpty ? ImportFormat.table : request.value("format")
        collection = request.value("collection")
        domain = Self.host(request.value("domain").trimmed)
        clock = request.setting.clock
        step = Step(rawValue: request.value("step"))
        picks = Self.picks(of: request)
        changesExisting = request.value("mode") == "upsert"
        columns = format == ImportFormat.columns ? request.value("columns").trimmed : ""
        let file = base64URLDecoded(request.value("file")) ?? []
        let text = Array(request.value("text").utf8)
        let isPasted = text.contains { $0 > 0x20 }
        switch (file.isEmpty, isPasted) {
        case (false, true): fault = .both
        case (false, false): (content, name) = (file, request.value("file.name"))
        case (true, true): content = text
        case (true, false):
            content = base64URLDecoded(request.value("content")) ?? []
            name = request.value("content.name")
            if content.isEmpty { fault = .nothing }
        }
        if content.count > Self.contentBytesMax { (content, fault) = ([], .tooLong) }
        if columns.isEmpty, format == ImportFormat.columns, step != nil { columns = listedPicks }
    }

    /// Whether pages offer what was chosen.
    static func isOffered(_ request: ConsoleRequest) -> Bool {
        !request.isForeign("format", ImportFormat.all)
            && !request.isForeign("mode", ["create", "upsert"])
            && !request.isForeign("do", ["check", "change", "import", "columns"])
            && !request.isForeign("step", [Step.columns.rawValue, Step.seen.rawValue])
    }

    /// The host of a URL, which people copy as a whole.
    private static func host(_ text: String) -> String {
        var rest = text.utf8[...]
        for scheme in ["https://", "http://"] where rest.starts(with: scheme.utf8) {
            rest = rest.dropFirst(scheme.utf8.count)
        }
        return String(decoding: rest.prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
    }

    private static func picks(of request: ConsoleRequest) -> [Pick] {
        request.form.compactMap { name, value in
            guard name.utf8.starts(with: "theirs.".utf8), !value.trimmed.isEmpty else { return nil }
            let text = String(decoding: name.utf8.dropFirst("theirs.".utf8.count), as: UTF8.self)
            return Int(text).map {
                Pick(number: $0, theirs: value.trimmed, ours: request.value("ours.\(text)"))
            }
        }
    }

    /// The columns that were chosen one by one.
    private var listedPicks: String {
        var (named, seen) = ([String](), Set<[UInt8]>())
        for pick in picks where seen.insert(Array(pick.theirs.utf8)).inserted {
            named.append(TableCell.listed("\(pick.theirs)=\(pick.ours)"))
        }
        return named.joined(separator: ",")
    }

    /// Whether columns were chosen, and none is the destination.
    var lacksDestination: Bool {
        step == .columns && !picks.isEmpty
            && !picks.contains { $0.ours.isScalarwise("destination") }
    }

    /// The names of columns that are not kept, as far as a page names them.
    var omittedColumns: [String] {
        let names = picks.filter(\.ours.isEmpty).map { $0.theirs.shortened(to: 60) }
        return names.count > Self.namesMax ? names.prefix(Self.namesMax) + ["…"] : names
    }

    private static let namesMax = 20

    /// Whether somebody has yet to say what the columns are.
    var needsColumns: Bool { format == ImportFormat.columns && columns.isEmpty }

    var type: String { format == ImportFormat.lines ? "application/x-ndjson" : "text/csv" }

    /// Whether people write its times, by the clocks of the site as in forms. Services write those of UTC.
    private var hasSiteTimes: Bool {
        format == ImportFormat.table || format == ImportFormat.columns
    }

    /// The query of the API's import.
    func query(isRehearsal: Bool) -> [(name: String, value: String)] {
        var query = [
            (name: "mode", value: changesExisting ? "upsert" : "create"),
            (name: "dry-run", value: isRehearsal ? "true" : "false"),
        ]
        if !collection.isEmpty { query.append(("collection", collection)) }
        if ImportFormat.services.contains(where: { $0.name == format }) {
            query.append(("format", format))
        }
        if !columns.isEmpty { query.append(("columns", columns)) }
        if !domain.isEmpty { query.append(("domain", domain)) }
        if hasSiteTimes, !clock.isUniversal { query.append(("zone", clock.name)) }
        return query
    }

    /// The form with only the lines that follow this one, and the heading of a table. Nil where no line is left, and where lines cannot be told
    /// apart.
    func rest(after line: Int) -> ImportForm? {
        var isHeading = format != ImportFormat.lines
        // A text in another encoding, or with other line ends, is not divided.
        guard !content.contains(0), !hasLoneReturn else { return nil }
        var (reader, heading, next) = (CSVReader(), 0, 0)
        if isHeading { reader.add(content) }
        while format != ImportFormat.lines, let record = try? reader.next(isEnd: true) {
            if isHeading {
                // The API takes the first line that is not blank for the heading.
                isHeading = record.cells.allSatisfy(\.trimmed.isEmpty)
                continue
            }
            if heading == 0 { heading = record.line - 1 }
            if record.line > line {
                next = record.line
                break
            }
        }
        if format == ImportFormat.lines { next = line + 1 }
        guard next > 0, let start = start(ofLine: next) else { return nil }
        var form = self
        form.content = Array(content[..<(self.start(ofLine: heading + 1) ?? 0)] + content[start...])
        return form
    }

    /// Whether a carriage return stands alone, which some tables have as their line end.
    private var hasLoneReturn: Bool {
        content.indices.contains { index in
            content[index] == 0x0D
                && (index + 1 == content.endIndex || content[index + 1] != 0x0A)
        }
    }

    /// The place at which a line begins; nil if there is none.
    private func start(ofLine line: Int) -> Int? {
        var (place, number) = (0, 1)
        while number < line {
            guard let end = content[place...].firstIndex(of: 0x0A) else { return nil }
            (place, number) = (end + 1, number + 1)
        }
        return place < content.endIndex ? place : nil
    }

    /// The fields that carry it to the next page.
    /// - Parameters:
    ///   - areChoicesHidden: whether the page does not show what was chosen.
    ///   - arePicksHidden: whether it does not show what was chosen for columns.
    func write(_ page: inout PageWriter, areChoicesHidden: Bool, arePicksHidden: Bool = true) {
        if !content.isEmpty {
            page.hidden("content", base64URL(content))
            page.hidden("content.name", name)
        }
        if arePicksHidden {
            for pick in picks {
                page.hidden("theirs.\(pick.number)", pick.theirs)
                page.hidden("ours.\(pick.number)", pick.ours)
            }
        }
        guard areChoicesHidden else { return }
        page.hidden("format", format)
        page.hidden("collection", collection)
        page.hidden("domain", domain)
        page.hidden("mode", changesExisting ? "upsert" : "create")
        // What was chosen one by one is there already.
        if picks.isEmpty, arePicksHidden { page.hidden("columns", columns) }
    }
}
