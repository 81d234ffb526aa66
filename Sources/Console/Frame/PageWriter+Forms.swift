private import Diagnostics
private import Markup

extension PageWriter {
    // MARK: Fields

    /// A field with whatever takes its value.
    mutating func formField(_ field: FormField, input: (inout PageWriter) -> Void) {
        raw(
            field.faults.isEmpty
                ? "<div class=\"field\">\n<label" : "<div class=\"field wrong\">\n<label")
        attribute("for", field.name)
        raw(">")
        words(field.label)
        raw("</label>\n")
        explanations(of: field)
        input(&self)
        raw("</div>\n")
    }

    /// The id and the name of what takes the value of a field, and the texts that say more of it.
    /// - Parameter pointsToFaults: whether the summary of faults is about it.
    mutating func attributes(of field: FormField, pointsToFaults: Bool = false) {
        attribute("id", field.name)
        attribute("name", field.name)
        describe(field, pointsToFaults ? ["errors"] : [])
        if pointsToFaults || !field.faults.isEmpty { raw(" aria-invalid=\"true\"") }
    }

    private mutating func describe(_ field: FormField, _ more: [String] = []) {
        let ids = field.descriptions + more
        if !ids.isEmpty { attribute("aria-describedby", ids.joined(separator: " ")) }
    }

    private mutating func explanations(of field: FormField) {
        if let hint = field.hint {
            raw("<p class=\"hint\"")
            attribute("id", "\(field.name)-hint")
            raw(">")
            words(hint)
            raw("</p>\n")
        }
        guard field.hasFaults else { return }
        raw("<div class=\"faults\"")
        attribute("id", "\(field.name)-faults")
        // What the script writes while somebody types is said to those who listen.
        if field.isLive { raw(" aria-live=\"polite\"") }
        raw(">")
        for fault in field.faults {
            raw("<p class=\"fault\"><span class=\"unseen\">")
            words(.errorPrefix)
            raw("</span> ")
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
            page.attribute("value", text)
            page.raw(">\n")
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
                page.option(
                    choice.value, choice.text, isChosen: choice.value.isScalarwise(chosen))
            }
            page.raw("</select>\n")
        }
    }

    /// A choice of a list.
    mutating func option(_ name: String, _ text: String, isChosen: Bool) {
        raw("<option")
        attribute("value", name)
        if isChosen { raw(" selected") }
        raw(">")
        value(text)
        raw("</option>\n")
    }

    /// A field with boxes, of which any number is chosen.
    mutating func boxes(
        _ field: FormField, _ choices: [(value: String, text: String)], chosen: [String]
    ) {
        raw(field.faults.isEmpty ? "<fieldset" : "<fieldset class=\"wrong\"")
        describe(field)
        raw("><legend>")
        words(field.label)
        raw("</legend>\n")
        explanations(of: field)
        for (place, choice) in choices.enumerated() {
            raw("<label class=\"box\"><input type=\"checkbox\"")
            // The way from the summary of faults.
            if place == 0 { attribute("id", field.name) }
            attribute("name", field.name)
            attribute("value", choice.value)
            if chosen.contains(choice.value) { raw(" checked") }
            raw("> ")
            value(choice.text)
            raw("</label>\n")
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
        attribute("for", name)
        raw(">")
        words(label)
        raw("</label>")
        input(&self)
        raw("</div>\n")
    }

    /// A filter with a list.
    mutating func filter(
        _ name: String, _ label: ConsoleText, _ choices: [(value: String, text: String)],
        chosen: String, isWrong: Bool = false
    ) {
        filter(name, label, isWrong: isWrong) { page in
            page.raw("<select")
            page.attribute("id", name)
            page.attribute("name", name)
            if isWrong { page.pointToFaults() }
            page.raw(">\n")
            for choice in choices {
                page.option(
                    choice.value, choice.text, isChosen: choice.value.isScalarwise(chosen))
            }
            page.raw("</select>")
        }
    }

    /// Says of a field that it is wrong, and that the summary has the reason.
    mutating func pointToFaults() {
        raw(" aria-invalid=\"true\" aria-describedby=\"errors\"")
    }
}
