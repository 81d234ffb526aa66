internal import Diagnostics
internal import JSONSyntax
private import Markup
private import URISyntax

/// One change of several links of a list.
struct SelectedLinks {
    let request: ConsoleRequest
    let api: ConsoleAPI

    /// As many as a list shows.
    static let most = 50

    /// A link that was not changed, with the reason.
    private struct Refusal {
        let id: String
        let name: String
        let findings: FormFindings
    }

    /// A change of one link, with what its undoing has to know.
    private struct Change {
        var members = [(key: String, value: JSONText)]()
        /// The tags that it adds or removes.
        var tags = [String]()
        /// The places of removed tags, where these were not the last ones in this order.
        var places = [Int]()
        /// Whether the link was already disabled, or in the archive, before an archiving.
        var wasDisabled = false
        var wasArchived = false
    }

    private var ids: [String] { request.values("id") }
    private var text: String { request.value("value").trimmed }

    func change() -> ConsoleResponse {
        guard let deed = Deed(rawValue: request.value("do")) else {
            return request.notice(.foreignChoice)
        }
        guard !ids.isEmpty, !deed.takesText || !text.isEmpty else {
            return back("nothing-selected")
        }
        guard ids.count <= Self.most else { return back("too-many-selected") }
        if deed == .extend {
            guard
                let end = try? Timestamp(
                    TypedTime.written(text, isEnd: true, request.setting.clock))
            else { return back("end-unread") }
            if end.seconds <= request.now { return back("end-is-over") }
        }
        var refused = [Refusal]()
        var (changed, same) = ([(id: String, change: Change)](), 0)
        for id in ids {
            let current = api.ask("GET", ["links", id])
            if current.status == 503 { return Console.refusal(current, of: request) }
            guard current.status == 200, let link = current.json else {
                refused.append(Refusal(id: id, name: id, findings: FormFindings(current.json)))
                continue
            }
            guard let change = change(deed, id, link) else {
                same += 1
                continue
            }
            let answer = api.ask(
                "PATCH", ["links", id], .object(change.members),
                fields: ["if-match": current.fields["ETag"] ?? "*"])
            if answer.status == 503 { return Console.refusal(answer, of: request) }
            if answer.isSuccess {
                changed.append((id, change))
            } else {
                let name = LinkWords(link, now: request.now).name
                refused.append(Refusal(id: id, name: name, findings: FormFindings(answer.json)))
            }
        }
        return refused.isEmpty
            ? done(deed, changed, same: same) : page(refused, deed, changed: changed.count)
    }

    /// The change of a link; nil if nothing of it would be different.
    private func change(_ deed: Deed, _ id: String, _ link: JSONValue) -> Change? {
        let tags = (link["tags"]?.elements ?? []).compactMap(\.text)
        // An undoing names the tags of a link that had some of them before.
        let own = request.value("value.\(id)")
        func has(_ tags: [String], _ tag: String) -> Bool { tags.contains { $0.isScalarwise(tag) } }
        let named = LinkForm.tags(own.isEmpty ? text : own)
            .reduce(into: [String]()) { if !has($0, $1) { $0.append($1) } }
        switch deed {
        case .archive, .restore: return moved(link, id, isBack: deed == .restore)
        case .extend:
            return Change(members: [
                ("until", .string(TypedTime.written(text, isEnd: true, request.setting.clock)))
            ])
        case .tag:
            let new = named.filter { !has(tags, $0) }
            return new.isEmpty
                ? nil : Change(members: [("tags", .strings(with(named, tags, id)))], tags: new)
        case .untag:
            let gone = named.filter { has(tags, $0) }
            let rest = tags.filter { !has(gone, $0) }
            guard !gone.isEmpty else { return nil }
            var change = Change(members: [("tags", .strings(rest))], tags: gone)
            if !zip(rest + gone, tags).allSatisfy({ $0.isScalarwise($1) }) {
                change.places = gone.compactMap { tag in
                    tags.firstIndex { $0.isScalarwise(tag) }
                }
            }
            return change
        }
    }

    /// The change that takes a link out of use and into the archive, or that takes this back. The undoing leaves alone
    /// what the archiving did not change, and each link that is not as the archiving has left it.
    private func moved(_ link: JSONValue, _ id: String, isBack: Bool) -> Change? {
        let isDisabled = link["state"]?.text == "disabled"
        let isArchived = link["archived"]?.boolean == true
        guard !isBack || isDisabled && isArchived else { return nil }
        var change = Change(wasDisabled: isDisabled, wasArchived: isArchived)
        if isArchived == isBack, !isBack || !request.values("away").contains(id) {
            change.members.append(("archived", isBack ? .null : .boolean(true)))
        }
        if isDisabled == isBack, !isBack || !request.values("off").contains(id) {
            change.members.append(("state", .string(isBack ? "active" : "disabled")))
        }
        return change.members.isEmpty ? nil : change
    }

    /// The tags of a link with new ones, each at the place that an undoing names, or else behind the others.
    private func with(_ named: [String], _ tags: [String], _ id: String) -> [String] {
        let places = request.value("at.\(id)").utf8.split(separator: UInt8(ascii: ","))
            .map { Int(String(decoding: $0, as: UTF8.self)) ?? .max }
        let new = named.enumerated()
            .filter { _, tag in !tags.contains { $0.isScalarwise(tag) } }
            .map { (place: $0 < places.count ? places[$0] : .max, number: $0, tag: $1) }
        return new.sorted { ($0.place, $0.number) < ($1.place, $1.number) }
            .reduce(into: tags) { $0.insert($1.tag, at: max(0, min($1.place, $0.count))) }
    }

    // MARK: Answers

    /// The list again, with what was done and all that undoes it.
    private func done(
        _ deed: Deed, _ changed: [(id: String, change: Change)], same: Int
    ) -> ConsoleResponse {
        guard !changed.isEmpty else { return back("unchanged") }
        var counted = PagePath("links").with("done", deed.rawValue)
            .with("count", "\(changed.count)")
        if same > 0 { counted = counted.with("same", "\(same)") }
        let plain = deed.takesText ? counted.with("value", text) : counted
        var path = plain
        if deed.opposite != nil {
            let all = LinkForm.tags(text)
            for (id, change) in changed {
                path = path.with("id", id)
                if change.wasDisabled { path = path.with("off", id) }
                if change.wasArchived { path = path.with("away", id) }
                if change.tags.count < all.count {
                    path = path.with("value.\(id)", LinkForm.shown(tags: change.tags))
                }
                if !change.places.isEmpty {
                    let places = change.places.map { "\($0)" }.joined(separator: ",")
                    path = path.with("at.\(id)", places)
                }
            }
        }
        // Where the texts are too long for a path, the value is, too.
        let isLong = deed.takesText && text.utf8.count > 1_000
        return list(path, orElse: isLong ? counted.with("value", "…") : plain)
    }

    /// The list again, with the same links selected.
    private func back(_ done: String) -> ConsoleResponse {
        let plain = PagePath("links").with("done", done)
        var path = plain.with("do", request.value("do")).with("value", text)
        for id in ids.prefix(Self.most) { path = path.with("id", id) }
        return list(path, orElse: plain)
    }

    /// Leads to the list. Where the texts make the URL too long for an answer, it has nothing that undoes the change: this is
    /// done, and is said.
    private func list(_ path: PagePath, orElse plain: PagePath) -> ConsoleResponse {
        let url = filtered(path).text(below: request.setting.base)
        guard url.utf8.count > Console.pathBytesMax else { return .other(url) }
        let short = filtered(plain).text(below: request.setting.base)
        return .other(
            short.utf8.count > Console.pathBytesMax
                ? plain.text(below: request.setting.base) : short)
    }

    private func filtered(_ path: PagePath) -> PagePath {
        PageWriter.bulkFilters.reduce(path) { $0.with($1, request.value("filter.\($1)")) }
    }

    private func page(_ refused: [Refusal], _ deed: Deed, changed: Int) -> ConsoleResponse {
        var frame = PageFrame(
            title: ConsoleText.links(request.setting.language), person: request.person,
            section: .links)
        (frame.status, frame.isRefused) = (422, true)
        frame.back = PagePath("links")
        return frame.response(request.setting) { page in
            page.write("<p class=\"back\">\(link: filtered(PagePath("links")), .allLinks)</p>\n")
            page.element("h1", .links)
            page.form(PagePath("links", "selected"), style: "stack")
            for name in PageWriter.bulkFilters {
                let value = request.value("filter.\(name)")
                if !value.isEmpty { page.hidden("filter.\(name)", value) }
            }
            page.message(.fault) { page in
                page.element(
                    "h2", .someNotChanged,
                    ["changed": "\(changed)", "refused": "\(refused.count)"])
                page.raw("<ul class=\"list\">\n")
                for refusal in refused { write(refusal, &page) }
                page.raw("</ul>\n")
            }
            page.bulkChoice(deed, text)
            page.raw("</form>\n")
        }
    }

    private func write(_ refusal: Refusal, _ page: inout PageWriter) {
        page.raw("<li><label class=\"box\"><input type=\"checkbox\" name=\"id\" checked")
        page.attribute("value", refusal.id)
        page.raw("> ")
        page.value(refusal.name)
        page.raw("</label>\n")
        page.link(PagePath("links", refusal.id), .link)
        for finding in refusal.findings.all {
            page.raw(" – ")
            page.finding(finding)
        }
        page.raw("</li>\n")
    }
}

extension PageWriter {
    /// The items of a list that the form for its selected links keeps.
    static let bulkFilters = LinksPage.filters + ["after"] + ListView.items

    /// The form for the selected links, above their table.
    mutating func bulkFields(_ request: ConsoleRequest) {
        // Enter on a box or in the field sends the form by its first button, and this one does nothing.
        raw("<button disabled hidden></button>\n")
        let view = ListView(request)
        for name in Self.bulkFilters {
            let value = ListView.items.contains(name) ? view.value(of: name) : request.item(name)
            if let value { hidden("filter.\(name)", value) }
        }
        let isAgain = request.item("do") != nil
        raw(isAgain ? "<details class=\"bulk\" open>" : "<details class=\"bulk\">")
        raw("<summary>")
        words(.changeSelected)
        raw("<output></output></summary>\n<button type=\"button\" class=\"all\" hidden>")
        words(.selectAll)
        raw("</button>\n")
        bulkChoice(
            request.item("do").flatMap(SelectedLinks.Deed.init) ?? .tag,
            isAgain ? request.item("value") ?? "" : "")
        raw("<p><button formmethod=\"get\"")
        attribute("formaction", PagePath("codes").text(below: setting.base))
        raw(">")
        words(.codesOfSelected)
        raw("</button></p>\n</details>\n")
    }

    /// Whether an item of a query says what the undoing of a change has to know.
    static func isOfUndoing(_ name: String) -> Bool {
        ["id", "off", "away"].contains(name)
            || ["value", "at."].contains { name.utf8.starts(with: $0.utf8) }
    }

    /// Writes the choice of a change to the selected links, and its button.
    mutating func bulkChoice(_ chosen: SelectedLinks.Deed, _ text: String) {
        raw("<div class=\"filters\">")
        let choices = SelectedLinks.Deed.offered.map { offered in
            (value: offered.deed.rawValue, text: filled(offered.text))
        }
        filter("do", .selectedDo, choices, chosen: chosen.rawValue)
        filter("value", .selectedValue) { page in
            page.raw("<input id=\"value\" name=\"value\" autocomplete=\"off\"")
            page.attribute("placeholder", page.filled(.selectedValueHint))
            page.attribute("value", text)
            page.raw(">")
        }
        write("<button>\(.changeThem)</button></div>\n")
    }
}
