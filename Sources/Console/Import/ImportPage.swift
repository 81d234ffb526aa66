private import Diagnostics
private import JSONSyntax
private import Markup

/// Many links at once: a file or a pasted table, which is looked at first, and imported then. The API's own import does
/// both, with the rights of the person.
struct ImportPage {
    private let request: ConsoleRequest
    private let api: ConsoleAPI
    private let sent: ImportForm

    init(_ request: ConsoleRequest, _ api: ConsoleAPI) {
        (self.request, self.api) = (request, api)
        sent = ImportForm(request)
    }

    /// The page on which an import begins.
    var form: ConsoleResponse {
        let answer = api.ask("GET", ["collections"])
        // A form that nobody can send would be filled in for nothing.
        guard !answer.isSuccess || answer.json?["collections"]?.elements?.isEmpty == false else {
            return request.notice(.noCollection)
        }
        return form(nil, status: 200)
    }

    /// Looks at what was sent, or imports it.
    var answer: ConsoleResponse {
        guard ImportForm.isOffered(request) else { return request.notice(.foreignChoice) }
        let (isSeen, deed) = (sent.step == .seen, request.value("do"))
        let changes = deed == "change" && !request.isShowing
        let asksColumns =
            sent.format == ImportFormat.columns && sent.fault == nil
            && (request.isShowing ? sent.step == .columns : changes && isSeen)
        if asksColumns { return columns(nil) }
        if changes || request.isShowing && !isSeen { return form(nil, status: 200) }
        if let fault = sent.fault { return form(fault.text, status: fault == .tooLong ? 413 : 422) }
        if sent.needsColumns { return columns(nil) }
        if sent.lacksDestination { return columns(.destinationNotChosen) }
        let imports = isSeen && !request.isShowing && request.value("do") == "import"
        let isRepeated = imports && FormMark.isDone("import", request, api)
        if isRepeated, let question = questionOnRepetition { return question }
        var answer = send(isRehearsal: !imports, isOnce: imports && !isRepeated)
        var report = ImportAnswer(answer)
        // The same form was sent at the same time, as by a double click.
        if imports, report.wasNotBegun, FormMark.wasHandled(report.problem) {
            if let question = questionOnRepetition { return question }
            answer = send(isRehearsal: false)
            report = ImportAnswer(answer)
        }
        if answer.status == 503, report.doneCount == 0 {
            return Console.refusal(answer, of: request)
        }
        if !imports, !isSeen, report.lacksCollection, sent.collection.isEmpty {
            return form(.collectionNotChosen, at: "collection", status: 422)
        }
        // Nothing was begun: what was sent is on the page, as a change of the configuration takes away a collection.
        if report.wasNotBegun {
            if isCollectionGone { return form(.collectionGone, at: "collection", status: 422) }
            if imports { return form(nil, notBegun: report, status: report.status) }
        }
        return imports ? done(report) : rehearsed(report)
    }

    /// The page that asks whether links are to be made once more: a browser that loads the page of an import anew sends its form
    /// again, and a line without a short name makes another link each time. Nil where all links are there.
    private var questionOnRepetition: ConsoleResponse? {
        let answer = send(isRehearsal: true)
        // Without an answer it is not known.
        if answer.status == 503 { return Console.refusal(answer, of: request) }
        let report = ImportAnswer(answer)
        return report["created"] > 0 ? rehearsed(report, isRepeated: true) : nil
    }

    /// - Parameter isOnce: whether nothing is done if the same form has imported something.
    private func send(isRehearsal: Bool, isOnce: Bool = false) -> ConsoleAPI.Answer {
        api.importLines(
            sent.content, type: sent.type, query: sent.query(isRehearsal: isRehearsal),
            fields: isOnce ? FormMark.fields("import", request) : [:])
    }

    /// Whether the collection that was chosen is none that the person may see now. Without an answer it is not known.
    private var isCollectionGone: Bool {
        guard !sent.collection.isEmpty else { return false }
        let known = api.ask("GET", ["collections"]).json?["collections"]?.elements
        return known.map { all in
            !all.contains { $0["name"]?.text?.isScalarwise(sent.collection) == true }
        } ?? false
    }

    private func response(
        _ title: ConsoleText, status: Int, hasEditor: Bool,
        _ content: (inout PageWriter) -> Void
    ) -> ConsoleResponse {
        var frame = PageFrame(
            title: title(request.setting.language), person: request.person, section: .links)
        (frame.status, frame.hasEditor, frame.back) = (status, hasEditor, PagePath("import"))
        frame.isRefused = status >= 400
        return frame.response(request.setting) { page in
            page.write("<p class=\"back\">\(link: PagePath("links"), .allLinks)</p>\n")
            page.element("h1", title)
            content(&page)
        }
    }

    // MARK: The form

    /// - Parameters:
    ///   - finding: the reason for which the table cannot be read.
    ///   - report: of an import that was refused as a whole.
    private func form(
        _ fault: ConsoleText?, at field: String = "file", finding: FormFindings.Finding? = nil,
        notBegun report: ImportAnswer? = nil, status: Int
    ) -> ConsoleResponse {
        response(.importLinks, status: status, hasEditor: true) { page in
            if let fault { write(fault, at: field, &page) }
            if let finding {
                page.faults { page in
                    page.raw("<p>")
                    page.field(field, .importFile)
                    page.raw(": ")
                    page.finding(finding)
                    page.raw("</p>\n")
                }
            }
            if let report {
                ImportAnswerWriter(report: report).writeProblem(&page)
                page.hint(.importNotBegun)
            }
            page.element("p", .importLead)
            page.hint(.importTimes)
            writeForm(wrong: fault == nil && finding == nil ? nil : field, &page)
            page.raw("<section>\n")
            page.element("h2", .exportLinks)
            page.hint(.exportLinksHint)
            page.write("<p>\(link: PagePath("export.csv"), .exportAsTable)</p>\n</section>\n")
        }
    }

    private func write(_ fault: ConsoleText, at field: String, _ page: inout PageWriter) {
        page.faults { page in
            page.raw("<p>")
            page.field(field, fault, ["name": sent.collection])
            page.raw("</p>\n")
        }
    }

    private func begin(_ page: inout PageWriter, isLarge: Bool = false) {
        page.raw("<form method=\"post\" id=\"editor\" class=\"editor\" enctype=\"")
        page.raw(isLarge ? "multipart/form-data\"" : "application/x-www-form-urlencoded\"")
        page.attribute("action", PagePath("import").text(below: page.setting.base))
        page.attribute("data-wait", page.filled(.importWaits))
        page.attribute("data-large", page.filled(.fileTooLong))
        page.attribute("data-ended", page.filled(.sessionEndedBefore))
        page.attribute("data-max", "\(ImportForm.contentBytesMax)")
        page.raw(">\n")
    }

    /// The choices, with what was sent before.
    /// - Parameter wrong: the name of the field that is wrong.
    private func writeForm(wrong: String?, _ page: inout PageWriter) {
        begin(&page, isLarge: true)
        sent.write(&page, areChoicesHidden: false)
        if !sent.content.isEmpty { writeKept(&page) }
        let file = FormField("file", .importFile, .importFileHint)
        page.formField(file) { page in
            page.raw("<input type=\"file\"")
            page.attributes(of: file, pointsToFaults: wrong == "file")
            page.raw(" accept=\".csv,.tsv,.txt,.json,.ndjson,.jsonl,text/csv\">\n")
        }
        let text = FormField("text", .importText)
        page.formField(text) { page in
            page.raw("<textarea rows=\"5\" spellcheck=\"false\"")
            page.attributes(of: text)
            page.raw(">\n")
            if sent.name.isEmpty, !request.value("text").isEmpty, sent.content.isEmpty {
                page.value(request.value("text"))
            }
            page.raw("</textarea>\n")
        }
        page.choiceField(
            FormField("format", .importFormat, .importFormatHint), formats(page),
            chosen: sent.format)
        writeCollection(isWrong: wrong == "collection", &page)
        page.choiceField(
            FormField("mode", .importExisting),
            [("create", page.filled(.existingStay)), ("upsert", page.filled(.existingChange))],
            chosen: sent.changesExisting ? "upsert" : "create")
        page.textField(
            FormField("domain", .importDomain, .importDomainHint), sent.domain, lengthMax: 253)
        page.raw("<div class=\"actions\">\n<button class=\"primary\" name=\"do\" value=\"check\">")
        page.words(.importCheck)
        page.raw("</button>\n</div>\n<p class=\"live\" role=\"status\"></p>\n</form>\n")
    }

    private func formats(_ page: PageWriter) -> [(value: String, text: String)] {
        var formats = [(value: ImportFormat.table, text: page.filled(.formatOwn))]
        for service in ImportFormat.services { formats.append((service.name, service.title)) }
        formats.append((ImportFormat.columns, page.filled(.formatColumns)))
        formats.append((ImportFormat.lines, page.filled(.formatLines)))
        return formats
    }

    private func writeKept(_ page: inout PageWriter) {
        page.hint(
            sent.name.isEmpty ? .pastedIsKept : .fileIsKept,
            ["name": sent.name, "bytes": "\(sent.content.count)"])
    }

    private func writeCollection(isWrong: Bool, _ page: inout PageWriter) {
        let names = api.collections.compactMap { $0["name"]?.text }
        // Where a fault leads to the field, it is there to be chosen from.
        guard names.count > 1 || isWrong else {
            return page.hidden("collection", names.first ?? "")
        }
        let choices = [("", page.filled(.collectionOfLine))] + names.map { ($0, $0) }
        page.choiceField(
            FormField("collection", .collection, .importCollectionHint), choices,
            chosen: sent.collection, pointsToFaults: isWrong)
    }

    // MARK: Columns

    private func columns(_ fault: ConsoleText?) -> ConsoleResponse {
        let choice = ColumnChoice(sent.content, picks: sent.picks)
        // A workbook has no headings, and neither has a text in another encoding; but that is not what is wrong.
        if let fault = choice.fault {
            let finding = FormFindings.Finding(
                field: nil, detail: fault.fact, advice: fault.advice, rule: "table-form")
            return form(nil, finding: finding, status: 422)
        }
        guard !choice.isEmpty else { return form(.noHeading, status: 422) }
        let status = fault == nil ? 200 : 422
        return response(.importColumns, status: status, hasEditor: true) { page in
            if let fault { write(fault, at: "ours.\(choice.first)", &page) }
            page.element("p", .importColumnsLead)
            if let service = choice.service { page.hint(.looksLike, ["service": service]) }
            begin(&page)
            sent.write(&page, areChoicesHidden: true, arePicksHidden: false)
            page.hidden("step", ImportForm.Step.columns.rawValue)
            choice.write(isWrong: fault != nil, &page)
            page.raw(
                "<div class=\"actions\">\n<button class=\"primary\" name=\"do\" value=\"check\">")
            page.words(.importCheck)
            page.raw("</button>\n<button name=\"do\" value=\"change\">")
            page.words(.changeFirst)
            page.raw("</button>\n</div>\n<p class=\"live\" role=\"status\"></p>\n</form>\n")
        }
    }

    // MARK: Seen and done

    /// The service of which a table is, that was taken for one of ours in vain.
    private func mistaken(_ report: ImportAnswer) -> String? {
        guard sent.format == ImportFormat.table, report.doneCount == 0, report["unchanged"] == 0
        else { return nil }
        return ColumnChoice(sent.content).service
    }

    /// Whether a table has headings that are none of ours, so that somebody can say what its columns are.
    private func asksForColumns(_ report: ImportAnswer) -> Bool {
        sent.format == ImportFormat.table && report.doneCount == 0 && report["unchanged"] == 0
            && report.findings.contains { row in
                row.problems.all.contains {
                    ["unknown-key", "duplicate-key", "table-form"].contains($0.rule)
                }
            }
    }

    /// - Parameter isRepeated: whether it may have been imported already.
    private func rehearsed(_ report: ImportAnswer, isRepeated: Bool = false) -> ConsoleResponse {
        let mayGoOn = report.doneCount > 0
        return response(
            .importSeen, status: isRepeated ? 409 : report.status, hasEditor: true
        ) { page in
            let writer = ImportAnswerWriter(report: report)
            writer.writeProblem(&page)
            if isRepeated {
                page.message(.warning) { page in
                    page.element("p", .importRepeated)
                    page.write("<p>\(link: PagePath("links"), .showLinks)</p>\n")
                }
            }
            page.raw("<section>\n")
            page.element("h2", .whatWillHappen)
            if !sent.name.isEmpty { page.write("<p class=\"name\">\(sent.name)</p>\n") }
            if let service = mistaken(report) { page.hint(.looksLike, ["service": service]) }
            writer.writeCounts(&page, .isToCome)
            let omitted = sent.omittedColumns
            if !omitted.isEmpty {
                page.hint(.columnsNotKept, ["names": omitted.joined(separator: ", ")])
            }
            page.hint(.nothingYet)
            // The form is there in any case, so that a change of the language finds it.
            begin(&page)
            sent.write(&page, areChoicesHidden: true)
            page.hidden("step", ImportForm.Step.seen.rawValue)
            for (name, value) in FormMark(api).items { page.hidden(name, value) }
            page.raw("<div class=\"actions\">\n")
            if mayGoOn {
                page.raw("<button class=\"primary\" name=\"do\" value=\"import\">")
                page.words(
                    report.doneCount == 1 ? .importOne : .importMany,
                    ["count": page.numeral(report.doneCount)])
                page.raw("</button>\n")
            }
            if asksForColumns(report) {
                page.write("<button name=\"do\" value=\"columns\">\(.sayColumns)</button>\n")
            }
            page.write("<button name=\"do\" value=\"change\">\(.changeChoices)")
            page.raw(
                "</button>\n</div>\n<p class=\"live\" role=\"status\"></p>\n</form>\n</section>\n")
            writer.writeFindings(&page)
            writer.writeLinks(&page)
        }
    }

    /// Writes the form that goes on with the lines that an import has left, where it has not come to its end.
    private func writeRest(_ report: ImportAnswer, _ page: inout PageWriter) {
        guard report.problem != nil, report.lastLine > 0,
            let rest = sent.rest(after: report.lastLine)
        else { return }
        page.raw("<section>\n")
        page.element("p", .endedEarly)
        begin(&page)
        rest.write(&page, areChoicesHidden: true)
        page.raw("<div class=\"actions\">\n<button class=\"primary\" name=\"do\" value=\"check\">")
        page.words(.goOnWithRest)
        page.raw("</button>\n</div>\n<p class=\"live\" role=\"status\"></p>\n</form>\n</section>\n")
    }

    private func done(_ report: ImportAnswer) -> ConsoleResponse {
        let isDone = report.doneCount > 0
        return response(
            isDone ? .importDone : .nothingImported, status: report.status, hasEditor: false
        ) { page in
            let writer = ImportAnswerWriter(report: report)
            writer.writeProblem(&page)
            if isDone || !report.counts.isEmpty {
                page.message(isDone ? .done : .warning) { page in
                    page.element("p", isDone ? .importDoneLead : .nothingImportedLead)
                    writer.writeCounts(&page, .isDone)
                }
            }
            writeRest(report, &page)
            page.raw("<p class=\"buttons\">")
            page.link(
                PagePath("links").with("collection", sent.collection), style: "button primary",
                .showLinks)
            page.raw(" ")
            page.link(PagePath("import"), style: "button", .importMore)
            page.raw("</p>\n")
            writer.writeFindings(&page)
        }
    }
}

extension ImportForm.Fault {
    fileprivate var text: ConsoleText {
        switch self {
        case .nothing: .nothingSent
        case .both: .fileAndText
        case .tooLong: .fileTooLong
        }
    }
}
