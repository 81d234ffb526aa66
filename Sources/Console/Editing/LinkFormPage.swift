private import Diagnostics
internal import JSONSyntax
private import Markup

/// The page with the form of a link, for a new one or one that exists.
struct LinkFormPage {
    let request: ConsoleRequest
    let api: ConsoleAPI
    var form: LinkForm
    /// The link that is edited, with its entity tag and the fields that it had when its page was made.
    var edited: (link: JSONValue, tag: String, seen: LinkForm)?
    var findings = FormFindings()
    var warnings = FormFindings()
    var conflict: EditConflict?
    var isChecked = false
    /// The preview of the link as the form is filled in; nil where none is asked for.
    var preview: DraftPreview?
    /// Whether the form has what a change has replaced.
    var isTakenBack = false
    /// The fields of that change to which a later one has given another value.
    var newer = [LinkField]()
    var status = 200

    private var title: ConsoleText { edited == nil ? .newLink : .editLink }

    var response: ConsoleResponse {
        let language = request.setting.language
        var frame = PageFrame(title: title(language), person: request.person, section: .links)
        frame.isRefused = !findings.isEmpty
        frame.status = status
        frame.hasEditor = true
        return frame.response(request.setting) { page in
            writeWayBack(&page)
            page.element("h1", self.title)
            writeSummary(&page)
            conflict?.write(&page)
            if isTakenBack {
                page.message(.warning) { page in
                    page.element("p", .takenBackLead)
                    guard !newer.isEmpty else { return }
                    let names = newer.map { $0.label(language) }.joined(separator: ", ")
                    page.element("p", .takenBackNewer, ["fields": names])
                }
            }
            if edited?.link["archived"]?.boolean == true {
                page.remark { $0.element("p", .editsArchived) }
            }
            page.raw("<div class=\"studio\">\n")
            writeForm(&page)
            writePreview(&page)
            page.raw("</div>\n")
        }
    }

    /// The preview beside the form, or below it on a narrow screen. The script replaces what is in its `div`.
    private func writePreview(_ page: inout PageWriter) {
        page.raw(
            "<section class=\"draft\" id=\"draft\" tabindex=\"0\" aria-labelledby=\"draft-title\">\n"
        )
        page.write("<h2 id=\"draft-title\">\(.whatWillItDo)</h2>\n<p class=\"hint old\" hidden>")
        page.write("\(.draftIsOld)</p>\n<div>\n")
        if let preview { preview.write(&page) } else { page.hint(.draftWaits) }
        page.raw("</div>\n</section>\n")
    }

    private var id: String? { edited?.link["id"]?.text }

    /// Whether the form came back with texts that are saved nowhere.
    private var hasUnsaved: Bool {
        guard request.method == .post else { return false }
        if let edited { return !form.changes(from: edited.seen).isEmpty }
        return LinkField.allCases.contains {
            $0 != .collection && $0 != .state && !form[$0].isEmpty
        }
    }

    private func writeWayBack(_ page: inout PageWriter) {
        page.raw("<p class=\"back\">")
        page.link(id.map { PagePath("links", $0) } ?? PagePath("links"), .back)
        page.raw("</p>\n")
    }

    /// The summary of errors above the form, each with a link to its field (GOV.UK Design System, "Error summary").
    private func writeSummary(_ page: inout PageWriter) {
        if !findings.isEmpty {
            page.faults { writeList(findings, &$0) }
        } else if isChecked {
            page.message(.done) { page in
                page.element("p", .checkPassed)
                page.raw("<p>")
                page.field("draft", .whatWillItDo)
                page.raw("</p>\n")
            }
        }
        guard !warnings.isEmpty else { return }
        page.message(.warning) { page in
            page.element("h2", .warnings)
            writeList(warnings, &page)
        }
    }

    private func writeList(_ findings: FormFindings, _ page: inout PageWriter) {
        page.raw("<ul>\n")
        for finding in findings.all {
            page.raw("<li>")
            if let field = finding.field {
                if isShown(field) {
                    page.field(field.rawValue, field.label)
                } else {
                    page.words(field.label)
                }
                page.raw(": ")
            }
            page.finding(finding)
            page.raw("</li>\n")
        }
        page.raw("</ul>\n")
    }

    /// Whether the form has the field, so that a fault can lead to it.
    private func isShown(_ field: LinkField) -> Bool {
        switch field {
        case .collection, .slug: edited == nil
        case .state: edited != nil
        default: true
        }
    }

    private func writeForm(_ page: inout PageWriter) {
        let path = id.map { PagePath("links", $0, "edit") } ?? PagePath("new")
        page.raw("<form method=\"post\" id=\"editor\" class=\"editor\" novalidate data-check")
        page.attribute("action", path.text(below: page.setting.base))
        if hasUnsaved { page.raw(" data-typed") }
        page.attribute("data-ended", page.filled(.sessionEndedNow))
        page.attribute("data-long", page.filled(.formTooLargeLead))
        page.raw(">\n")
        if edited == nil { page.hidden(FormKey.name, FormKey(request).text) }
        if let edited {
            page.hidden("tag", edited.tag)
            page.hidden("link", id ?? "")
            page.hidden(LinkField.collection.rawValue, edited.link["collection"]?.text ?? "")
            for field in LinkField.ofLink {
                page.hidden("was.\(field.rawValue)", edited.seen[field])
            }
        }
        writeFields(&page)
        page.raw("<div class=\"actions\">\n<button class=\"primary\" name=\"do\" value=\"save\">")
        page.words(edited == nil ? .createLink : .saveChanges)
        page.raw("</button>\n<button name=\"do\" value=\"check\">")
        page.words(.checkOnly)
        page.raw("</button>\n</div>\n<div class=\"live\" aria-live=\"polite\"></div>\n</form>\n")
    }

    private func writeFields(_ page: inout PageWriter) {
        let used = UsedCampaigns(api).values
        let writer = FieldWriter(form: form, findings: findings, used: used)
        if edited == nil {
            writeCollections(writer, &page)
            writer.write(.slug, &page)
        } else {
            page.write("<p class=\"address\">\(edited?.link["url"]?.text ?? "")</p>\n")
        }
        for field in [LinkField.destination, .title, .description, .image] {
            writer.write(field, &page)
        }
        let groups: [(ConsoleText, ConsoleText?, [LinkField])] = [
            (.campaignGroup, .campaignGroupHint, LinkField.campaignFields),
            (.devicesGroup, .devicesGroupHint, LinkField.actionFields),
            (.timesGroup, nil, [.from, .until, .after]),
            (.appGroup, .appGroupHint, [.appPath, .appData]),
        ]
        for (name, hint, fields) in groups {
            let isOpen = fields.contains { !form[$0].isEmpty || !findings[$0].isEmpty }
            page.raw("<details class=\"group\"")
            if isOpen { page.raw(" open") }
            page.write("><summary>\(name)</summary>\n")
            if let hint { page.hint(hint) }
            for field in fields { writer.write(field, &page) }
            page.raw("</details>\n")
        }
        for field in [LinkField.tags, .note] { writer.write(field, &page) }
        if edited != nil { writer.write(.state, &page) }
    }

    private func writeCollections(_ writer: FieldWriter, _ page: inout PageWriter) {
        // Those in which links can be made.
        let collections = api.collections
        let names = collections.compactMap { $0["name"]?.text }
        let chosen = form[.collection]
        let isGone = !chosen.isEmpty && !names.contains { $0.isScalarwise(chosen) }
        let isOnly = names.count == 1 && !isGone
        if isOnly {
            page.hidden(LinkField.collection.rawValue, names[0])
        } else {
            var choices = collections.compactMap { collection -> (String, String)? in
                guard let name = collection["name"]?.text else { return nil }
                return (name, "\(name) – \(collection["prefix"]?.text ?? "")…")
            }
            // In place of a collection that is gone, no other is chosen by itself: the link would have another URL.
            if isGone {
                choices.insert((chosen, page.filled(.collectionIsGone, ["name": chosen])), at: 0)
            }
            writer.writeChoice(.collection, choices, &page)
        }
        guard !names.isEmpty else { return page.hint(.noCollectionLead) }
        let rules = collections.compactMap { collection -> String? in
            guard let found = collection["destinations"]?.elements?.compactMap(\.text) else {
                return nil
            }
            let rules = found.map { rule in
                switch rule {
                case "*": page.filled(.anywhere)
                case "store": page.filled(.actionStore)
                default: rule
                }
            }
            let name = names.count > 1 ? collection["name"]?.text.map { "\($0): " } ?? "" : ""
            return name + rules.joined(separator: ", ")
        }
        // Where nothing can be chosen, a fault of the collection leads to this.
        page.raw(isOnly ? "<p class=\"hint\" id=\"collection\">" : "<p class=\"hint\">")
        page.write("\(.mayLeadTo, ["rules": rules.joined(separator: " · ")])</p>\n")
    }
}
