internal import Diagnostics
private import Markup

/// The changes that somebody else has made to a link while its form was filled in.
struct EditConflict {
    /// A field that the other has changed.
    struct Change {
        let field: LinkField
        let before: String
        let now: String
        /// The text of the form, if it differs from both.
        let mine: String?
    }

    /// The one who changed the link last; nil if it is not known.
    let actor: String?
    let changes: [Change]

    /// Takes over the fields that only the other has changed.
    init(_ form: inout LinkForm, from seen: LinkForm, to current: LinkForm, by actor: String?) {
        self.actor = actor
        let own = Set(form.changes(from: seen))
        var changes = [Change]()
        for field in current.changes(from: seen) {
            let isDisputed = own.contains(field) && !form[field].isScalarwise(current[field])
            changes.append(
                Change(
                    field: field, before: seen[field], now: current[field],
                    mine: isDisputed ? form[field] : nil))
            if !own.contains(field) { form[field] = current[field] }
        }
        self.changes = changes
    }

    func write(_ page: inout PageWriter) {
        page.message(.fault) { page in
            if let actor {
                page.element("h2", .conflictBy, ["name": actor])
            } else {
                page.element("h2", .conflictByOther)
            }
            page.element("p", changes.isEmpty ? .conflictElsewhere : .conflictLead)
            if !changes.isEmpty { writeTable(&page) }
        }
    }

    private func writeTable(_ page: inout PageWriter) {
        page.scrolled(.changedFields) { page in
            page.table(
                .changedFields, style: "",
                [.text(.field), .text(.before), .text(.now), .text(.yours)]
            ) { page in
                for change in changes { write(change, &page) }
            }
        }
    }

    private func write(_ change: Change, _ page: inout PageWriter) {
        page.write("<tr><th scope=\"row\">\(change.field.label)</th>")
        for value in [change.before, change.now] { write(value, of: change.field, &page) }
        if let mine = change.mine {
            write(mine, of: change.field, &page)
        } else {
            page.write("<td class=\"quiet\">\(.takenOver)</td>")
        }
        page.raw("</tr>\n")
    }

    /// A cell in the words of the form, as in the history of a link.
    private func write(_ value: String, of field: LinkField, _ page: inout PageWriter) {
        page.raw("<td>")
        page.changedValue(field, value)
        page.raw("</td>")
    }
}
