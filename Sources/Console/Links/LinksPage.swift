private import Diagnostics
private import JSONSyntax
private import Markup
private import URISyntax

/// The list of links, with search and filters.
struct LinksPage {
    private let request: ConsoleRequest
    private let answer: ConsoleAPI.Answer
    /// Whether the order that was asked for is that of visits, which cannot be read now.
    private let lacksVisits: Bool
    /// Whether there are links, and all of them are in the archive.
    private var areAllArchived = false
    private let collections: [String]
    private let view: ListView
    /// The visits of the links that are shown; nil if they cannot be read now.
    private let visits: [String: Int]?

    /// The link that was deleted last, as it is now.
    private var deleted: LinkWords?

    private static let linksPerPage = 50
    static let filters = ["q", "collection", "tag", "state"]

    init(_ request: ConsoleRequest, _ api: ConsoleAPI) {
        self.request = request
        view = ListView(request)
        (answer, lacksVisits) = Self.list(
            request, api, view.order, limit: Self.linksPerPage, [("count", "true")])
        if request.item("done") == "deleted", let id = request.item("link") {
            let one = api.ask("GET", ["links", id])
            let json = one.isSuccess || one.status == 410 ? one.json : nil
            deleted = json.map { LinkWords($0, now: request.now) }
        }
        let known = api.collections
        collections = known.compactMap { $0["name"]?.text }
        let links = answer.json?["links"]?.elements ?? []
        let isWithVisits = view.columns.contains(.visits)
        visits = isWithVisits ? Self.visits(of: links, days: view.days, api) : nil
        if answer.isSuccess, !isFiltered, answer.json?["links"]?.elements?.isEmpty == true {
            let all = api.ask("GET", ["links"], query: [("archived", "true"), ("limit", "1")])
            areAllArchived = all.json?["links"]?.elements?.isEmpty == false
        }
    }

    /// The visits of links in the last days, by their ids; those of all of them are one question.
    private static func visits(
        of links: [JSONValue], days: Int, _ api: ConsoleAPI
    ) -> [String: Int]? {
        let ids = links.compactMap { $0["id"]?.text }
        guard !ids.isEmpty else { return [:] }
        let answer = api.ask(
            "GET", ["visits"],
            query: [
                ("by", "link"), ("days", "\(days)"),
                ("link", ids.joined(separator: ",")),
            ])
        guard answer.isSuccess, let rows = answer.json?["rows"]?.elements else { return nil }
        var visits = [String: Int]()
        for row in rows { visits[row["link"]?.text ?? ""] = row["visits"]?.count }
        return visits
    }

    /// The slug in the URL of a link, which people paste to find it; nil if the text is none. The longest prefix is that of its collection.
    private static func slug(of text: String, _ api: ConsoleAPI) -> String? {
        guard text.utf8.contains(UInt8(ascii: "/")) else { return nil }
        let typed = hostAndPath(text)
        let known = api.collections.compactMap { $0["prefix"]?.text }.map(hostAndPath)
        // People leave out the host, too, and the slash behind it.
        let paths = known.map { Array($0.drop { $0 != UInt8(ascii: "/") }) }
        let prefixes = (known + paths + paths.map { Array($0.dropFirst()) })
            .filter { !$0.isEmpty && typed.starts(with: $0) }
        guard let prefix = prefixes.max(by: { $0.count < $1.count }) else { return nil }
        let path = typed.dropFirst(prefix.count).prefix { !"?#".utf8.contains($0) }
        let slug = path.last == UInt8(ascii: "/") ? path.dropLast() : path
        return String(decoding: slug, as: UTF8.self).nonempty
    }

    /// A URL without its scheme and port, and with its host in lower case.
    private static func hostAndPath(_ url: String) -> [UInt8] {
        let bytes = Array(url.utf8)
        let scheme = ["https://", "http://"].first { scheme in
            bytes.starts(with: scheme.utf8) { $0.foldedToLowerCase == $1 }
        }
        let rest = bytes.dropFirst(scheme?.utf8.count ?? 0)
        let path = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        let host = rest[..<path].prefix { $0 != UInt8(ascii: ":") }
        return host.map(\.foldedToLowerCase) + rest[path...]
    }

    /// Lists what a request asks for. Links are listed also where no visits can be read: the newest first.
    /// - Parameters:
    ///   - isFirst: whether the list begins with its first page, whatever the request says.
    /// - Returns: the answer, and whether it lacks the visits that the order needs.
    static func list(
        _ request: ConsoleRequest, _ api: ConsoleAPI, _ chosen: ListView.Order, limit: Int,
        _ more: [(name: String, value: String)] = [], isFirst: Bool = false
    ) -> (answer: ConsoleAPI.Answer, lacksVisits: Bool) {
        func ask(_ order: ListView.Order) -> ConsoleAPI.Answer {
            var query = query(request, api, order: order, limit: limit) + more
            // A place in another order is none in this one.
            if isFirst || order != chosen { query.removeAll { $0.name == "after" } }
            return api.ask("GET", ["links"], query: query)
        }
        let first = ask(chosen)
        let lacksVisits = chosen.days != nil && first.status == 503
        return (lacksVisits ? ask(.newest) : first, lacksVisits)
    }

    /// The items with which the API lists what a request asks for.
    static func query(
        _ request: ConsoleRequest, _ api: ConsoleAPI, order: ListView.Order = .newest, limit: Int
    ) -> [(name: String, value: String)] {
        let used = ListView.isOfEnding(request.item("state")) ? order.ofEnding : order
        var query = used.query + [("limit", "\(limit)")]
        if let text = request.item("q")?.trimmed.nonempty {
            query.append(("q", slug(of: text, api) ?? text))
        }
        for name in ["collection", "tag", "after"] {
            if let value = request.item(name)?.trimmed.nonempty { query.append((name, value)) }
        }
        switch request.item("state") {
        case "active": query.append(("state", "active"))
        case "disabled": query.append(("state", "disabled"))
        case "ending":
            query += [("state", "active"), ("ends-within", "\(OverviewAlerts.days)")]
        case "all": query.append(("archived", "true"))
        case "archived": query.append(("archived", "only"))
        default: break
        }
        return query
    }

    var response: ConsoleResponse {
        if answer.status == 503 || answer.status == 429 { return request.notice(.init(answer)) }
        let title = ConsoleText.links(request.setting.language)
        var frame = PageFrame(title: title, person: request.person, section: .links)
        frame.status = answer.isSuccess ? 200 : answer.status
        let links = (answer.json?["links"]?.elements ?? []).map { LinkWords($0, now: request.now) }
        return frame.response(request.setting) { page in
            page.raw("<div class=\"top\">\n")
            page.element("h1", .links)
            if request.person.mayEdit, !collections.isEmpty {
                page.link(PagePath("new"), style: "button primary", .newLink)
                page.link(PagePath("import"), style: "button", .importLinks)
            }
            page.raw("</div>\n")
            if let deleted {
                page.banner(request, of: deleted)
            } else {
                page.banner(request)
            }
            writeFilters(&page)
            if lacksVisits { page.hint(.visitsUnavailable) }
            if !answer.isSuccess {
                page.message(.fault) { page in
                    for finding in FormFindings(answer.json).all {
                        page.raw("<p>")
                        page.finding(finding)
                        page.raw("</p>\n")
                    }
                }
            } else if links.isEmpty {
                writeEmpty(&page)
            } else {
                writeCount(&page)
                writeTable(links, &page)
                writePaging(&page)
            }
        }
    }

    private var isFiltered: Bool {
        Self.filters.contains { request.item($0) != nil } || request.item("after") != nil
    }

    /// Whether the whole archive was asked for, and nothing else.
    private var isOfArchive: Bool {
        request.item("state") == "archived" && request.item("after") == nil
            && ["q", "collection", "tag"].allSatisfy { request.item($0)?.trimmed.nonempty == nil }
    }

    private func writeFilters(_ page: inout PageWriter) {
        page.raw("<form method=\"get\" class=\"filters\" role=\"search\"")
        page.attribute("action", PagePath("links").text(below: page.setting.base))
        page.raw(">\n")
        page.filter("q", .search) { page in
            page.raw("<input type=\"search\" id=\"q\" name=\"q\" autocomplete=\"off\"")
            page.attribute("placeholder", page.filled(.searchHint))
            page.attribute("value", request.item("q") ?? "")
            page.raw(">")
        }
        // Also one that is asked for, and that the configuration has no more.
        let asked = request.item("collection")
        let others = asked.map { name in
            collections.contains { $0.isScalarwise(name) } ? [] : [name]
        }
        let names = collections + (others ?? [])
        if names.count > 1 || asked != nil {
            let choices = [("", page.filled(.all))] + names.map { ($0, $0) }
            page.filter("collection", .collection, choices, chosen: asked ?? "")
        }
        page.filter("tag", .tag) { page in
            page.raw("<input id=\"tag\" name=\"tag\" autocomplete=\"off\"")
            page.attribute("value", request.item("tag") ?? "")
            page.raw(">")
        }
        let states: [(String, ConsoleText)] = [
            ("", .notArchived), ("active", .onlyActive), ("disabled", .onlyDisabled),
            ("ending", .onlyEnding), ("all", .withArchived), ("archived", .onlyArchived),
        ]
        page.filter(
            "state", .state, states.map { ($0.0, page.filled($0.1)) },
            chosen: request.item("state") ?? "")
        view.writeOrder(&page)
        page.write("<button>\(.search)</button>\n")
        if isFiltered { page.link(view.kept(by: PagePath("links")), .showAll) }
        view.writeColumns(&page)
        page.raw("</form>\n")
    }

    private func writeEmpty(_ page: inout PageWriter) {
        if isOfArchive {
            page.empty(.archiveEmpty) { $0.element("p", .archiveEmptyHint) }
        } else if isFiltered {
            page.empty(.noLinkFound) { $0.element("p", .noLinkFoundHint) }
        } else if areAllArchived {
            page.empty(.allArchived) { page in
                page.raw("<p>")
                page.link(view.kept(by: PagePath("links").with("state", "archived")), .showArchive)
                page.raw("</p>\n")
            }
        } else if collections.isEmpty {
            page.empty(.noLinkYet) { $0.element("p", .noCollectionLead) }
        } else {
            page.empty(.noLinkYet) { page in
                page.element("p", .noLinkYetLead)
                page.raw("<ol>\n")
                for step in [ConsoleText.firstStep, .secondStep, .thirdStep] {
                    page.element("li", step)
                }
                page.raw("</ol>\n")
                guard request.person.mayEdit, !collections.isEmpty else { return }
                page.raw("<p>")
                page.link(PagePath("new"), style: "button primary", .makeFirstLink)
                page.raw("</p>\n")
            }
        }
    }

    /// Says how many links there are on all pages.
    private func writeCount(_ page: inout PageWriter) {
        guard let count = answer.json?["count"]?.count else { return }
        let isExact = answer.json?["countIsExact"]?.boolean == true
        page.raw("<p class=\"hint\">")
        page.words(
            isExact ? count == 1 ? .oneLink : .severalLinks : .atLeastLinks,
            ["count": page.numeral(count)])
        page.raw("</p>\n")
    }

    private func writeTable(_ links: [LinkWords], _ page: inout PageWriter) {
        let mayEdit = request.person.mayEdit
        let selected = Set(request.query.filter { $0.name == "id" }.map(\.value))
        if mayEdit {
            page.form(PagePath("links", "selected"), style: "list")
            page.bulkFields(request)
        }
        if view.columns.count > Self.columnsMax {
            page.scrolled(.links, style: "broad") { writeRows(links, selected, &$0) }
        } else {
            writeRows(links, selected, &page)
        }
        if mayEdit { page.raw("</form>\n") }
        var table = PagePath("links.csv")
        for name in Self.filters { table = table.with(name, request.item(name)) }
        page.write("<p>\(link: table, .listAsTable)</p>\n<p>")
        var codes = PagePath("codes")
        for name in Self.filters { codes = codes.with(name, request.item(name)) }
        page.write("\(link: codes.with("order", view.value(of: "order")), .codesOfList)</p>\n")
        let isWhole =
            answer.json?["countIsExact"]?.boolean == true
            && answer.json?["count"]?.count ?? .max <= LinkTable.linksMax
        guard answer.fields["Link"] != nil, !isWhole else { return }
        page.write("<p class=\"hint\">\(.tableIsCut, ["count": page.numeral(LinkTable.linksMax)])")
        if request.person.mayEdit { page.write(" \(link: PagePath("import"), .exportLinks)") }
        page.raw("</p>\n")
    }

    /// A table of more columns scrolls by itself where the window has no room for it.
    private static let columnsMax = ListColumn.usual.count + 1

    private func writeRows(
        _ links: [LinkWords], _ selected: Set<String>, _ page: inout PageWriter
    ) {
        let mayEdit = request.person.mayEdit
        page.table(.links, view.headings) { page in
            for link in links {
                page.raw("<tr><th scope=\"row\" class=\"link\">")
                if mayEdit {
                    page.write("<input type=\"checkbox\" name=\"id\" value=\"\(link.id)\"")
                    if selected.contains(link.id) { page.raw(" checked") }
                    page.attribute("aria-label", page.filled(.select, ["name": link.listedName]))
                    page.raw("> ")
                }
                page.linkName(link)
                page.raw("</th>")
                for column in view.columns {
                    page.cell(column, of: link, in: view, visits: visits.map { $0[link.id] ?? 0 })
                }
                page.raw("</tr>\n")
            }
        }
    }

    private func writePaging(_ page: inout PageWriter) {
        guard answer.after != nil || request.item("after") != nil else { return }
        var path = PagePath("links")
        for name in Self.filters { path = path.with(name, request.item(name)) }
        path = lacksVisits ? path.with("columns", view.value(of: "columns")) : view.kept(by: path)
        var ways = [(path: PagePath, text: ConsoleText)]()
        if request.item("after") != nil { ways.append((path, .firstPage)) }
        if let after = answer.after { ways.append((path.with("after", after), .nextPage)) }
        page.paging(.morePages, ways)
    }
}

extension PageWriter {
    /// The name of a link, which leads to its page, and its URL.
    mutating func linkName(_ link: LinkWords) {
        self.link(PagePath("links", link.id), style: "name") { $0.value(link.listedName) }
        write("<span class=\"address\">\(link.shortURL)</span>")
    }
}
