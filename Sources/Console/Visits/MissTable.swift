internal import JSONSyntax
private import Markup
private import URISyntax

/// A table of misses, each with the way to make the link.
struct MissTable {
    let misses: [JSONValue]
    /// As the API lists them.
    let collections: [JSONValue]
    let person: ConsolePerson

    /// A section with the first misses, if there are any, and the way to all of them.
    /// - Parameters:
    ///   - collections: as the API lists them.
    ///   - days: the first and the last day, of UTC; nil for the last thirty.
    ///   - isOfAll: whether what is above them has a period or links of its own.
    static func writeFirst(
        _ request: ConsoleRequest, _ api: ConsoleAPI, collections: @autoclosure () -> [JSONValue],
        days: (first: String, last: String)? = nil, isOfAll: Bool = false,
        _ page: inout PageWriter
    ) {
        let answer = api.ask("GET", ["misses"], query: Self.query(days?.first, days?.last))
        let misses = answer.json?["misses"]?.elements ?? []
        guard answer.isSuccess, !misses.isEmpty else { return }
        page.raw("<section>\n")
        page.element("h2", .misses)
        page.hint(.missesLead)
        if let days, isOfAll {
            let ends = ["first": page.day(days.first), "last": page.day(days.last)]
            page.hint(.missesOfPeriod, ends)
        } else if isOfAll {
            page.hint(.missesOfAll)
        }
        MissTable(
            misses: Array(misses.prefix(firstCount)), collections: collections(),
            person: request.person
        ).write(&page)
        page.raw("<p>")
        page.link(
            PagePath("misses").with("from", days?.first).with("to", days?.last), .allMisses)
        page.raw("</p>\n</section>\n")
    }

    private static let firstCount = 5

    /// The items of a question about the misses of a period; none for the last thirty days, and for what are no days.
    static func query(_ first: String?, _ last: String?) -> [(name: String, value: String)] {
        guard let first, let last, VisitFault.isDay(first), VisitFault.isDay(last),
            !last.utf8.lexicographicallyPrecedes(first.utf8)
        else { return [] }
        return [("from", first), ("to", last)]
    }

    func write(_ page: inout PageWriter) {
        var columns: [TableColumn] = [.text(.path), .number(.times), .text(.lastTime)]
        if person.mayEdit { columns.append(.deeds) }
        page.table(.misses, style: "misses", columns) { page in
            for miss in misses.prefix(100) { write(miss, &page) }
        }
    }

    private func write(_ miss: JSONValue, _ page: inout PageWriter) {
        let path = miss["path"]?.text ?? ""
        page.raw("<tr><th scope=\"row\" class=\"long\">")
        page.value(path)
        page.raw("</th>")
        page.cell(.times, miss["count"]?.count ?? 0)
        page.cell(.lastTime, page.hour(miss["last"]?.text))
        if person.mayEdit {
            page.raw("<td>")
            if let collection = miss["collection"]?.text, let slug = slug(of: path, in: collection)
            {
                let form = PagePath("new").with("collection", collection).with("slug", slug)
                page.link(form, .makeThisLink)
            }
            page.raw("</td>")
        }
        page.raw("</tr>\n")
    }

    /// Whether a link can be called so.
    private static func canBeName(_ slug: String) -> Bool {
        let bytes = Array(slug.utf8)
        let dot = UInt8(ascii: ".")
        guard let first = bytes.first, let last = bytes.last, bytes.count <= 64,
            first != UInt8(ascii: "_"), first != dot, last != dot
        else { return false }
        return bytes.allSatisfy { $0.isLetter || $0.isDigit || "-_~.".utf8.contains($0) }
    }

    /// The part of a path after that of the collection; nil if nothing is left.
    private func slug(of path: String, in name: String) -> String? {
        let prefix = collections.first { $0["name"]?.text == name }?["prefix"]?.text ?? ""
        let parts = prefix.utf8.split(
            separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        let start = [UInt8(ascii: "/")] + parts[3]
        guard path.utf8.starts(with: start) else { return nil }
        let slug = String(decoding: path.utf8.dropFirst(start.count), as: UTF8.self)
        return Self.canBeName(slug) ? slug : nil
    }
}
