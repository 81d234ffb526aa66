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

    /// - Parameter request: what a browser has sent, or the first page, which has nothing yet.
    init(_ request: ConsoleRequest) {
        format = request.value("format").isEmpty ? ImportFormat.table : request.value("format")
        collection = request.value("collection")
        domain = request.value("domain").trimmed
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
        if columns.isEmpty, format == ImportFormat.columns {
            columns = Self.columns(of: request)
        }
    }

    /// The columns that were chosen one by one.
    private static func columns(of request: ConsoleRequest) -> String {
        var (named, seen) = ([String](), Set<[UInt8]>())
        for (name, value) in request.form where name.utf8.starts(with: "theirs.".utf8) {
            let number = String(decoding: name.utf8.dropFirst("theirs.".utf8.count), as: UTF8.self)
            let theirs = value.trimmed
            guard !theirs.isEmpty, seen.insert(Array(theirs.utf8)).inserted else { continue }
            named.append(TableCell.listed("\(theirs)=\(request.value("ours.\(number)"))"))
        }
        return named.joined(separator: ",")
    }

    /// Whether somebody has yet to say what the columns are.
    var needsColumns: Bool { format == ImportFormat.columns && columns.isEmpty }

    var type: String {
        format == ImportFormat.lines ? "application/x-ndjson" : "text/csv"
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
        return query
    }

    /// The fields that carry it to the next page.
    /// - Parameter areChoicesHidden: whether the page does not show what was chosen.
    func write(_ page: inout PageWriter, areChoicesHidden: Bool) {
        if !content.isEmpty {
            page.hidden("content", base64URL(content))
            page.hidden("content.name", name)
        }
        guard areChoicesHidden else { return }
        page.hidden("format", format)
        page.hidden("collection", collection)
        page.hidden("domain", domain)
        page.hidden("mode", changesExisting ? "upsert" : "create")
        page.hidden("columns", columns)
    }
}
