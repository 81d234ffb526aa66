private import JSONSyntax
private import Markup

/// A table of the API for spreadsheets, which a page offers beside what it shows.
struct DownloadedTable {
    let request: ConsoleRequest
    let api: ConsoleAPI

    /// The visits of one link by one thing, in the period of its page.
    func visits(ofLink id: String) -> ConsoleResponse {
        let name = LinkVisits.property(request)
        let own = api.ask("GET", ["links", id]).json?["collection"]?.text
        let visits = LinkVisits(request, api, id: id, api.collections, of: own)
        // The page says what is wrong with the period.
        guard visits.fault == nil else { return OneLinkPage(request, api, id: id).response }
        let file = "visits-by-\(name).csv"
        return table(["links", id, "visits"], visits.query(by: name), file) {
            name == "day" ? visits.withPeople($0) : $0
        }
    }

    /// The paths that are of no link.
    var misses: ConsoleResponse {
        let query = MissTable.query(request.item("from"), request.item("to"))
        return table(["misses"], query, "misses.csv")
    }

    private func table(
        _ path: [String], _ query: [(name: String, value: String)], _ file: String,
        _ content: ([UInt8]) -> [UInt8] = { $0 }
    ) -> ConsoleResponse {
        let answer = api.ask("GET", path, query: query + [("format", "csv")])
        guard answer.isSuccess else { return Console.refusal(answer, of: request) }
        return .file(file, type: answer.type, content(answer.content))
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
