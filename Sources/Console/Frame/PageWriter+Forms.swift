private import Markup

extension PageWriter {
    /// A choice of a list.
    mutating func option(_ name: String, _ text: String, isChosen: Bool) {
        raw("<option")
        attribute("value", name)
        if isChosen { raw(" selected") }
        raw(">")
        value(text)
        raw("</option>\n")
    }

    /// The summary of what is wrong, above a form; the script leads to it (GOV.UK Design System, "Error summary").
    mutating func faults(_ content: (inout PageWriter) -> Void) {
        raw("<div class=\"errors\" role=\"alert\" tabindex=\"-1\" id=\"errors\">\n")
        element("h2", .thereIsAProblem)
        content(&self)
        raw("</div>\n")
    }

    /// A link to a field of the page, with its name.
    /// - Parameter id: of the field.
    mutating func field(_ id: String, _ text: ConsoleText) {
        raw("<a")
        attribute("href", "#\(id)")
        raw(">")
        words(text)
        raw("</a>")
    }
}
