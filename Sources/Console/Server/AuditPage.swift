private import JSONSyntax
private import Markup

/// All changes, the last first.
struct AuditPage {
    let request: ConsoleRequest
    let api: ConsoleAPI

    var response: ConsoleResponse {
        var query = [(name: String, value: String)]()
        for name in ["before", "link"] {
            if let value = request.item(name) { query.append((name, value)) }
        }
        let answer = api.ask("GET", ["audit"], query: query)
        guard answer.isSuccess || answer.isRefused else {
            return Console.refusal(answer, of: request)
        }
        return ServerPage(request: request, tab: .audit).response { page in
            guard answer.isSuccess else { return page.hint(.auditForAll) }
            let entries = answer.json?["entries"]?.elements ?? []
            guard !entries.isEmpty else { return page.hint(.nothingChanged) }
            page.table(.audit, [.text(.time), .text(.who), .text(.what), .text(.link)]) { page in
                for entry in entries { write(entry, &page) }
            }
            guard answer.fields["Link"] != nil, let last = entries.last?["number"]?.count else {
                return
            }
            let older = PagePath("audit").with("before", "\(last)")
                .with("link", request.item("link"))
            page.paging(.olderChanges, [(older, .olderChanges)])
        }
    }

    private func write(_ entry: JSONValue, _ page: inout PageWriter) {
        page.write("<tr><td class=\"quiet\">\(page.moment(entry["time"]?.text))")
        page.write("</td><td class=\"who\">\(entry["actor"]?.text ?? "")</td><td>")
        let action = entry["action"]?.text ?? ""
        if let deed = AuditDeed(action) {
            page.value(deed.words(page))
        } else {
            page.foreign(action)
        }
        if action == "import", entry["link"]?.text == nil { writeCounts(entry["after"], &page) }
        page.raw("</td><td>")
        if let id = entry["link"]?.text {
            let state = entry["after"]?.members == nil ? entry["before"] : entry["after"]
            let name = state?["page"]?["title"]?.text ?? state?["slug"]?.text ?? id
            page.link(PagePath("links", id)) { $0.value(name) }
        }
        page.raw("</td></tr>\n")
    }

    /// The numbers of links that an import has made and changed.
    private func writeCounts(_ counts: JSONValue?, _ page: inout PageWriter) {
        let parts: [(name: String, text: ConsoleText)] = [
            ("created", .importedNew), ("changed", .importedChanged),
        ]
        let words = parts.compactMap { part in
            counts?[part.name]?.count.map { page.filled(part.text, ["count": page.numeral($0)]) }
        }
        if !words.isEmpty { page.value(" (\(words.joined(separator: ", ")))") }
    }
}
