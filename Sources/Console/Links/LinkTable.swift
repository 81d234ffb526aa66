private import Diagnostics
private import JSONSyntax
private import URISyntax

/// The links of a list as a table that a spreadsheet opens (RFC 4180).
struct LinkTable {
    let request: ConsoleRequest
    let api: ConsoleAPI

    private static let linksPerQuestion = 200
    /// Whoever needs more has the export of the API.
    private static let questionsMax = 50
    /// The most links that the table has.
    static let linksMax = linksPerQuestion * questionsMax

    private static let columns = [
        "id", "collection", "slug", "url", "title", "destination", "tags", "note", "state",
        "archived", "from", "until",
        "created",
    ]

    /// Values that no spreadsheet takes for something else in a way that a person would miss.
    private static let own = ["id", "url", "state", "archived"]
    /// Columns whose cells a spreadsheet reads as times, by the clocks of the site.
    private static let times = ["from", "until", "created"]

    private var headings: [String] {
        Self.columns.map {
            Self.times.contains($0) ? "\($0) (\(request.setting.clock.name))" : $0
        }
    }

    var response: ConsoleResponse {
        var content = TableCell.mark + Array(csvLine(headings).utf8)
        var (after, isCut) = (String?.none, true)
        for _ in 0..<Self.questionsMax {
            // The newest first, in every view: in another order, each question would be a look at all links.
            var query = LinksPage.query(request, api, limit: Self.linksPerQuestion)
            query.removeAll { $0.name == "after" }
            if let after { query.append(("after", after)) }
            let answer = api.ask("GET", ["links"], query: query)
            guard answer.isSuccess else {
                return answer.status == 400
                    ? LinksPage(request, api).response : Console.refusal(answer, of: request)
            }
            let links = answer.json?["links"]?.elements ?? []
            for link in links {
                content += csvLine(cells(link)).utf8
            }
            guard let next = answer.after else {
                isCut = false
                break
            }
            after = next
        }
        // Whoever gets the file has not seen the page, which says the same.
        let name = isCut ? "list-of-links-first-\(Self.linksMax).csv" : "list-of-links.csv"
        return .file(name, type: "text/csv; charset=utf-8", content)
    }

    private func cells(_ link: JSONValue) -> [String] {
        Self.columns.map { column in
            let cell = Self.cell(column, of: link)
            if Self.times.contains(column), let time = try? Timestamp(cell) {
                return shown(time.seconds)
            }
            return Self.own.contains(column) ? cell : TableCell.protected(cell)
        }
    }

    /// A time that spreadsheets can sort and filter.
    private func shown(_ seconds: Int) -> String {
        let text = request.setting.clock.shown(seconds)
        return String(
            decoding: text.utf8.map { $0 == UInt8(ascii: "T") ? 0x20 : $0 }, as: UTF8.self)
    }

    private static func cell(_ column: String, of link: JSONValue) -> String {
        switch column {
        case "title": link["page"]?["title"]?.text ?? ""
        case "tags":
            (link["tags"]?.elements ?? []).compactMap(\.text).map(TableCell.listed)
                .joined(separator: ",")
        case "archived": link["archived"]?.boolean == true ? "true" : "false"
        default: link[column]?.text ?? ""
        }
    }
}
