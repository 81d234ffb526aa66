private import Diagnostics
private import Markup

extension PageWriter {
    // MARK: Fields

    /// A field with whatever takes its value.
    mutating func formField(_ field: FormField, input: (inout PageWriter) -> Void) {
        raw(
            field.faults.isEmpty
                ? "<div class=\"field\">\n<label" : "<div class=\"field wrong\">\n<label")
        write(" for=\"\(field.name)\">\(field.label)</label>\n")
        explanations(of: field)
        input(&self)
        raw("</div>\n")
    }

    /// The id and the name of what takes the value of a field, and the texts that say more of it.
    /// - Parameter pointsToFaults: whether the summary of faults is about it.
    mutating func attributes(of field: FormField, pointsToFaults: Bool = false) {
        write(" id=\"\(field.name)\" name=\"\(field.name)\"")
        describe(field, pointsToFaults ? ["errors"] : [])
        if pointsToFaults || !field.faults.isEmpty { raw(" aria-invalid=\"true\"") }
    }

    private mutating func describe(_ field: FormField, _ more: [String] = []) {
        let ids = field.descriptions + more
        if !ids.isEmpty { attribute("aria-describedby", ids.joined(separator: " ")) }
    }

    private mutating func explanations(of field: FormField) {
        if let hint = field.hint {
            write("<p class=\"hint\" id=\"\(field.name)-hint\">\(hint)</p>\n")
        }
        guard field.hasFaults else { return }
        write("<div class=\"faults\" id=\"\(field.name)-faults\"")
        // What the script writes while somebody types is said to those who listen.
        if field.isLive { raw(" aria-live=\"polite\"") }
        raw(">")
        for fault in field.faults {
            write("<p class=\"fault\"><span class=\"unseen\">\(.errorPrefix)</span> ")
            self.fault(fault)
            raw("</p>\n")
        }
        raw("</div>\n")
    }

    /// The words of a fault.
    mutating func fault(_ fault: FormField.Fault) {
        switch fault {
        case .words(let text): words(text)
        case .finding(let finding): self.finding(finding)
        }
    }

    /// A field with a line of text, which is a name or another word that nobody spells.
    /// - Parameter lengthMax: the most characters that the browser takes; nil for any number.
    mutating func textField(_ field: FormField, _ text: String, lengthMax: Int? = nil) {
        formField(field) { page in
            page.raw("<input autocapitalize=\"none\" autocomplete=\"off\" spellcheck=\"false\"")
            page.attributes(of: field)
            if let lengthMax { page.attribute("maxlength", "\(lengthMax)") }
            page.write(" value=\"\(text)\">\n")
        }
    }

    /// A field with a list, of which one choice is made.
    mutating func choiceField(
        _ field: FormField, _ choices: [(value: String, text: String)], chosen: String,
        pointsToFaults: Bool = false
    ) {
        formField(field) { page in
            page.raw("<select")
            page.attributes(of: field, pointsToFaults: pointsToFaults)
            page.raw(">\n")
            for choice in choices {
                page.option(choice.value, choice.text, isChosen: choice.value.isScalarwise(chosen))
            }
            page.raw("</select>\n")
        }
    }

    /// A choice of a list.
    mutating func option(_ name: String, _ text: String, isChosen: Bool) {
        write("<option value=\"\(name)\"")
        if isChosen { raw(" selected") }
        write(">\(text)</option>\n")
    }

    /// A field with boxes, of which any number is chosen.
    mutating func boxes(
        _ field: FormField, _ choices: [(value: String, text: String)], chosen: [String]
    ) {
        raw(field.faults.isEmpty ? "<fieldset" : "<fieldset class=\"wrong\"")
        describe(field)
        write("><legend>\(field.label)</legend>\n")
        explanations(of: field)
        for (place, choice) in choices.enumerated() {
            raw("<label class=\"box\"><input type=\"checkbox\"")
            // The way from the summary of faults.
            if place == 0 { attribute("id", field.name) }
            write(" name=\"\(field.name)\" value=\"\(choice.value)\"")
            if chosen.contains(choice.value) { raw(" checked") }
            write("> \(choice.text)</label>\n")
        }
        raw("</fieldset>\n")
    }

    // MARK: Filters

    /// A field of a form that looks for something: its label, and what takes its value.
    /// - Parameter isWrong: whether the summary of faults is about it.
    mutating func filter(
        _ name: String, _ label: ConsoleText, isWrong: Bool = false, isWide: Bool = false,
        input: (inout PageWriter) -> Void
    ) {
        switch (isWrong, isWide) {
        case (true, true): raw("<div class=\"wide wrong\"><label")
        case (true, false): raw("<div class=\"wrong\"><label")
        case (false, true): raw("<div class=\"wide\"><label")
        case (false, false): raw("<div><label")
        }
        write(" for=\"\(name)\">\(label)</label>")
        input(&self)
        raw("</div>\n")
    }

    /// A filter with a list.
    mutating func filter(
        _ name: String, _ label: ConsoleText, _ choices: [(value: String, text: String)],
        chosen: String, isWrong: Bool = false
    ) {
        filter(name, label, isWrong: isWrong) { page in
            page.write("<select id=\"\(name)\" name=\"\(name)\"")
            if isWrong { page.pointToFaults() }
            page.raw(">\n")
            for choice in choices {
                page.option(choice.value, choice.text, isChosen: choice.value.isScalarwise(chosen))
            }
            page.raw("</select>")
        }
    }

    /// Says of a field that it is wrong, and that the summary has the reason.
    mutating func pointToFaults() { raw(" aria-invalid=\"true\" aria-describedby=\"errors\"") }
}
