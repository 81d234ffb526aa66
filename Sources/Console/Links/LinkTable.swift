private import JSONSyntax

/// The links of a list as a table that a spreadsheet opens (RFC 4180).
struct LinkTable {
    let request: ConsoleRequest
    let api: ConsoleAPI

    private static let linksPerQuestion = 200
    /// Whoever needs more has the export of the API.
    private static let questionsMax = 50

    private static let columns = [
        "url", "title", "destination", "tags", "note", "state", "archived", "from", "until",
        "created",
    ]

    var response: ConsoleResponse {
        // The mark by which spreadsheets know UTF-8.
        var content: [UInt8] = [0xEF, 0xBB, 0xBF]
        Self.write(Self.columns, &content)
        var after: String?
        for _ in 0..<Self.questionsMax {
            var query = LinksPage.query(request, limit: Self.linksPerQuestion)
            query.removeAll { $0.name == "after" }
            if let after { query.append(("after", after)) }
            let answer = api.ask("GET", ["links"], query: query)
            guard answer.isSuccess else { return Console.refusal(answer, of: request) }
            let links = answer.json?["links"]?.elements ?? []
            for link in links { Self.write(Self.cells(link), &content) }
            guard answer.fields["Link"] != nil, let last = links.last?["id"]?.text else { break }
            after = last
        }
        return ConsoleResponse(
            200, type: "text/csv; charset=utf-8",
            fields: [("Content-Disposition", "attachment; filename=\"links.csv\"")], content)
    }

    private static func cells(_ link: JSONValue) -> [String] {
        columns.map { column in
            switch column {
            case "title": link["page"]?["title"]?.text ?? ""
            case "tags": (link["tags"]?.elements ?? []).compactMap(\.text).joined(separator: ", ")
            case "archived": link["archived"]?.boolean == true ? "true" : "false"
            default: link[column]?.text ?? ""
            }
        }
    }

    /// A line. A text that a spreadsheet would compute has an apostrophe before it.
    static func write(_ cells: [String], _ content: inout [UInt8]) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { content.append(UInt8(ascii: ",")) }
            content.append(UInt8(ascii: "\""))
            if let first = cell.utf8.first, "=+-@\t\r".utf8.contains(first) {
                content.append(UInt8(ascii: "'"))
            }
            for byte in cell.utf8 {
                if byte == UInt8(ascii: "\"") { content.append(byte) }
                content.append(byte)
            }
            content.append(UInt8(ascii: "\""))
        }
        content += [0x0D, 0x0A]
    }
}
