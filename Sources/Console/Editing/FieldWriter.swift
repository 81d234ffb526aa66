private import Markup

/// Writes the fields of a form, each with its label, hint and findings (GOV.UK Design System, "Text input").
struct FieldWriter {
    let form: LinkForm
    let findings: FormFindings
    /// The values that are offered.
    var used = [LinkField: [String]]()

    func write(_ field: LinkField, _ page: inout PageWriter) {
        switch field {
        case .state: writeChoice(field, [("active", .active), ("disabled", .disabled)], &page)
        case _ where field.isAction: writeAction(field, &page)
        default: writeText(field, &page)
        }
    }

    private func writeText(_ field: LinkField, _ page: inout PageWriter) {
        page.formField(described(field)) { writeInput(field, &$0) }
    }

    /// A field as it is drawn, with a place for what the script says of it.
    private func described(_ field: LinkField) -> FormField {
        var own = FormField(
            field.rawValue, field.label, field.hint,
            faults: findings[field].map(FormField.Fault.finding))
        own.isLive = true
        return own
    }

    private func writeInput(_ field: LinkField, _ page: inout PageWriter) {
        page.raw(field.isLong ? "<textarea rows=\"3\"" : "<input")
        page.attributes(of: described(field))
        // Somebody who pastes a book reads so at once, and not from the server.
        page.raw(field.isLong ? " maxlength=\"4096\"" : " maxlength=\"2048\"")
        switch field {
        case .destination:
            page.raw(" type=\"url\" inputmode=\"url\" autocomplete=\"off\" spellcheck=\"false\"")
        case .image:
            page.raw(" inputmode=\"url\" autocomplete=\"off\" spellcheck=\"false\"")
        case .slug, .source, .medium, .campaign, .term, .content, .appPath, .appData:
            page.raw(" autocapitalize=\"none\" autocomplete=\"off\" spellcheck=\"false\"")
        case .from, .until:
            page.raw(" autocomplete=\"off\" placeholder=\"2027-03-31 22:00\"")
        default: page.raw(" autocomplete=\"off\"")
        }
        if field.isLong {
            // The first line end of a text area is not a part of its text.
            page.write(">\n\(form[field])</textarea>\n")
        } else {
            page.attribute("value", form[field])
            writeUsed(field, &page)
        }
    }

    /// Ends an input, with the values that are offered for it.
    private func writeUsed(_ field: LinkField, _ page: inout PageWriter) {
        guard let values = used[field], !values.isEmpty else { return page.raw(">\n") }
        page.attribute("list", "\(field.rawValue)-used")
        page.raw(">\n<datalist")
        page.attribute("id", "\(field.rawValue)-used")
        page.raw(">\n")
        for value in values {
            page.write("<option value=\"\(value)\"></option>\n")
        }
        page.raw("</datalist>\n")
    }

    private func writeAction(_ field: LinkField, _ page: inout PageWriter) {
        let value = form[field]
        var choices: [(String, ConsoleText)] = [
            ("", field == .after ? .actionEnded : .actionUsual), ("landing", .actionLanding),
            ("store", .actionStore), ("gone", .actionGone), ("not-found", .actionNotFound),
        ]
        let isOther = !choices.contains { $0.0 == value }
        choices.append((LinkForm.otherAction, .actionURL))
        let own = described(field)
        page.formField(own) { page in
            page.raw("<select")
            page.attributes(of: own)
            page.raw(">\n")
            for (name, text) in choices {
                page.option(
                    name, page.filled(text),
                    isChosen: name == (isOther ? LinkForm.otherAction : value))
            }
            page.raw("</select>\n<input type=\"url\" autocomplete=\"off\" spellcheck=\"false\"")
            page.attribute("name", "\(field.rawValue)-url")
            let label = page.filled(.actionURLLabel, ["field": page.filled(field.label)])
            page.attribute("aria-label", label)
            page.attribute("placeholder", "https://")
            page.attribute("value", isOther && value != LinkForm.otherAction ? value : "")
            page.raw(">\n")
        }
    }

    func writeChoice(
        _ field: LinkField, _ choices: [(String, ConsoleText)], _ page: inout PageWriter
    ) {
        writeChoice(field, choices.map { ($0.0, page.filled($0.1)) }, &page)
    }

    func writeChoice(
        _ field: LinkField, _ choices: [(value: String, text: String)], _ page: inout PageWriter
    ) {
        page.choiceField(described(field), choices, chosen: form[field])
    }
}
