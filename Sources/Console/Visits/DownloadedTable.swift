internal import JSONSyntax
private import Markup

/// A table of the API for spreadsheets, which a page offers beside what it shows.
struct DownloadedTable {
    let request: ConsoleRequest
    let api: ConsoleAPI

    /// The properties by which the visits of one link are shown.
    static let ofLink = ["day", "platform", "referrer", "outcome", "country"]

    /// The visits of one link by one thing.
    func visits(ofLink id: String) -> ConsoleResponse {
        let asked = request.item("by") ?? ""
        let name = Self.ofLink.contains(asked) ? asked : "day"
        var query = [(name: "by", value: name)]
        if name == "day" {
            let own = api.ask("GET", ["links", id]).json?["collection"]?.text
            query += SiteZone(api.collections, of: own).query
        }
        return table(["links", id, "visits"], query, "visits-by-\(name).csv")
    }

    /// The paths that are of no link.
    var misses: ConsoleResponse { table(["misses"], [], "misses.csv") }

    private func table(
        _ path: [String], _ query: [(name: String, value: String)], _ file: String
    ) -> ConsoleResponse {
        let answer = api.ask("GET", path, query: query + [("format", "csv")])
        guard answer.isSuccess else { return Console.refusal(answer, of: request) }
        return ConsoleResponse(
            200, type: answer.type,
            fields: [("Content-Disposition", "attachment; filename=\"\(file)\"")], answer.content)
    }
}

extension PageWriter {
    /// The way to what is shown as a table for spreadsheets.
    mutating func download(_ path: PagePath) {
        raw("<p class=\"download\">")
        link(path, .downloadTable)
        raw("</p>\n")
    }
}
