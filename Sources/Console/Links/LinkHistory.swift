internal import JSONSyntax
private import Markup

/// The changes of a link, the last first.
struct LinkHistory {
    private let entries: [JSONValue]

    /// - Parameter audit: the API's list of changes of the link.
    init(_ audit: JSONValue?) { entries = Array((audit?["entries"]?.elements ?? []).prefix(30)) }

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
        guard let before = entry["before"], let after = entry["after"], before.members != nil,
            after.members != nil
        else { return }
        let (old, new) = (LinkForm(link: before), LinkForm(link: after))
        let changed = new.changes(from: old)
        let isArchived = after["archived"]?.boolean == true
        let isMoved = (before["archived"]?.boolean == true) != isArchived
        guard !changed.isEmpty || isMoved else { return }
        page.raw("<ul>\n")
        for field in changed {
            page.raw("<li>")
            page.words(field.label)
            page.raw(": <del>")
            page.fieldValue(field, old[field])
            page.raw("</del> → <ins>")
            page.fieldValue(field, new[field])
            page.raw("</ins></li>\n")
        }
        if isMoved { page.element("li", isArchived ? .wasArchived : .wasUnarchived) }
        page.raw("</ul>\n")
    }

    private static let actions: [String: ConsoleText] = [
        "create": .didCreate, "update": .didChange, "delete": .didDelete, "alias": .didAlias,
    ]
}
