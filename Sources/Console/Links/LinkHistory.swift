private import Diagnostics
internal import JSONSyntax
private import Markup

/// The changes of a link, the last first.
struct LinkHistory {
    private let entries: [JSONValue]
    private let link: LinkWords
    /// Whether the person may take changes back.
    private let mayEdit: Bool

    /// - Parameter audit: the API's list of changes of the link.
    init(_ audit: JSONValue?, of link: LinkWords, mayEdit: Bool) {
        entries = Array((audit?["entries"]?.elements ?? []).prefix(30))
        (self.link, self.mayEdit) = (link, mayEdit)
    }

    /// The link's fields in which an entry differs from what was before; nil if it has not changed fields.
    static func changes(
        _ entry: JSONValue, _ clock: SiteClock
    ) -> (old: LinkForm, new: LinkForm, fields: [LinkField])? {
        guard let before = entry["before"], let after = entry["after"], before.members != nil,
            after.members != nil
        else { return nil }
        let (old, new) = (LinkForm(link: before, clock), LinkForm(link: after, clock))
        return (old, new, new.changes(from: old))
    }

    /// Those of the changed fields of an entry that are taken back in the form. It has no field for the archive: the button Restore
    /// takes a deletion back, which changes the state, too.
    static func ofForm(_ changed: [LinkField], _ entry: JSONValue) -> [LinkField] {
        isMoved(entry) ? changed.filter { $0 != .state } : changed
    }

    /// Whether an entry brought the link to the archive, or back from there.
    private static func isMoved(_ entry: JSONValue) -> Bool {
        (entry["before"]?["archived"]?.boolean == true)
            != (entry["after"]?["archived"]?.boolean == true)
    }

    /// The state that the link had when it came to the archive; nil if that is too long ago to be listed.
    static func stateBeforeArchive(_ audit: JSONValue?) -> String? {
        audit?["entries"]?.elements?.lazy.filter { entry in
            entry["after"]?["archived"]?.boolean == true
                && entry["before"]?["archived"]?.boolean != true
        }.compactMap { $0["before"]?["state"]?.text }.first
    }

    func write(_ page: inout PageWriter) {
        page.raw("<ol class=\"history\">\n")
        for entry in entries {
            page.raw("<li><p><strong>")
            page.words(
                Self.actions[entry["action"]?.text ?? ""] ?? .didChange,
                ["name": entry["actor"]?.text ?? ""])
            page.raw("</strong> <span class=\"quiet\">")
            page.value(page.moment(entry["time"]?.text))
            page.raw("</span></p>\n")
            writeChanges(entry, &page)
            page.raw("</li>\n")
        }
        page.raw("</ol>\n")
    }

    private func writeChanges(_ entry: JSONValue, _ page: inout PageWriter) {
        guard let (old, new, changed) = Self.changes(entry, page.setting.clock) else { return }
        let others = OtherMember.changed(by: entry, besides: changed)
        let isMoved = Self.isMoved(entry)
        let aliases = Self.aliases(entry["after"]).filter { name in
            !Self.aliases(entry["before"]).contains { $0.isScalarwise(name) }
        }
        guard !changed.isEmpty || !others.isEmpty || isMoved || !aliases.isEmpty else { return }
        page.raw("<ul>\n")
        for field in changed {
            let (before, after) = Self.shown(old[field], new[field])
            page.write("<li>\(field.label): <del>")
            page.changedValue(field, before)
            page.raw("</del> → <ins>")
            page.changedValue(field, after)
            page.raw("</ins></li>\n")
        }
        for other in others {
            let (before, after) = other.shown
            page.raw("<li>")
            page.value(other.label.map { page.filled($0) } ?? other.name)
            page.raw(": <del>")
            page.foundValue(before, isFlag: other.isFlag)
            page.raw("</del> → <ins>")
            page.foundValue(after, isFlag: other.isFlag)
            page.raw("</ins></li>\n")
        }
        for alias in aliases {
            page.element("li", .newAliasNamed, ["name": alias.shortened(to: Self.textBytesMax)])
        }
        if isMoved {
            let isArchived = entry["after"]?["archived"]?.boolean == true
            page.element("li", isArchived ? .wasArchived : .wasUnarchived)
        }
        page.raw("</ul>\n")
        writeWaysBack(entry, Self.ofForm(changed, entry), others, &page)
    }

    private func writeWaysBack(
        _ entry: JSONValue, _ ofForm: [LinkField], _ others: [OtherMember],
        _ page: inout PageWriter
    ) {
        guard mayEdit, let number = entry["number"]?.count else { return }
        let time = page.moment(entry["time"]?.text)
        if !ofForm.isEmpty {
            page.raw("<p>")
            let labels = ofForm.map { page.filled($0.label) }.joined(separator: ", ")
            page.link(PagePath("links", link.id, "edit").with("undo", "\(number)")) { page in
                page.words(.takeBack)
                page.unseen("\(labels), \(time)")
            }
            // A change of both kinds has two ways back, one for each part.
            if !others.isEmpty || Self.isMoved(entry) {
                page.raw(" <span class=\"quiet\">")
                page.value(labels)
                page.raw("</span>")
            }
            page.raw("</p>\n")
        }
        // The form has no field for these, which are taken back at once, where the link still has what the change made of them.
        if !others.isEmpty, others.allSatisfy({ $0.isCurrent(in: link.link) }) {
            let labels = others.map { other in other.label.map { page.filled($0) } ?? other.name }
                .joined(separator: ", ")
            if !ofForm.isEmpty || Self.isMoved(entry) {
                page.raw("<p class=\"quiet\">")
                page.value(labels)
                page.raw("</p>\n")
            }
            page.button(
                PagePath("links", link.id, "undo"), .undo, of: "\(labels), \(time)",
                hidden: [("number", "\(number)")])
        }
    }

    private static func aliases(_ link: JSONValue?) -> [String] {
        (link?["aliases"]?.elements ?? []).compactMap(\.text)
    }

    /// The most bytes of a text that are shown. The whole text is on the page of the link, or in the form with which a change is
    /// taken back.
    private static let textBytesMax = 300

    /// The texts of a field before and after a change; of long texts, only the part that differs.
    static func shown(_ before: String, _ after: String) -> (before: String, after: String) {
        guard max(before.utf8.count, after.utf8.count) > textBytesMax else {
            return (before, after)
        }
        let same = zip(before.utf8, after.utf8).prefix { $0 == $1 }.count
        guard same > textBytesMax / 2 else {
            return (before.shortened(to: textBytesMax), after.shortened(to: textBytesMax))
        }
        // A few bytes before the difference show its place.
        let start = before.utf8.distance(
            from: before.startIndex, to: before.placeBetweenCharacters(upTo: same - 40))
        func part(of text: String) -> String {
            let rest = String(decoding: text.utf8.dropFirst(start), as: UTF8.self)
            return "…" + rest.shortened(to: textBytesMax)
        }
        return (part(of: before), part(of: after))
    }

    private static let actions: [String: ConsoleText] = [
        "create": .didCreate, "change": .didChange, "delete": .didDelete,
        "import": .didImport, "alias": .didAlias,
    ]
}
