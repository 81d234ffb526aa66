private import Markup

/// A message about what a form has done.
enum PageMessage {
    case done
    /// Nothing was done, or not all, and nothing was wrong with the form.
    case warning
    case fault
}

extension PageWriter {
    /// A message above what it is about. The script leads to it, so that people who listen hear it first.
    mutating func message(_ kind: PageMessage, _ content: (inout PageWriter) -> Void) {
        switch kind {
        case .done: raw("<div class=\"success\" role=\"status\" tabindex=\"-1\">\n")
        case .warning: raw("<div class=\"warnings\" role=\"alert\" tabindex=\"-1\">\n")
        case .fault: raw("<div class=\"errors\" role=\"alert\" tabindex=\"-1\">\n")
        }
        content(&self)
        raw("</div>\n")
    }

    mutating func message(
        _ kind: PageMessage, _ text: ConsoleText, _ values: [String: String] = [:]
    ) {
        message(kind) { $0.element("p", text, values) }
    }

    /// A remark about what the page shows, which nobody has caused.
    mutating func remark(_ content: (inout PageWriter) -> Void) {
        raw("<div class=\"warnings\">\n")
        content(&self)
        raw("</div>\n")
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
    mutating func field(_ id: String, _ text: ConsoleText, _ values: [String: String] = [:]) {
        write("<a href=\"#\(id)\">\(text, values)</a>")
    }

    /// The place of a list that is empty, with a way to fill it.
    mutating func empty(_ title: ConsoleText, _ content: (inout PageWriter) -> Void) {
        raw("<div class=\"empty\">\n")
        element("h2", title)
        content(&self)
        raw("</div>\n")
    }

    /// A secret that is shown once, with the button that copies it.
    mutating func secret(
        _ text: String, _ words: ConsoleText, _ values: [String: String] = [:], href: String? = nil
    ) {
        message(.done) { page in
            page.element("p", words, values)
            page.copied("secret") { page in
                guard let href else { return page.value(text) }
                page.write("<a rel=\"noreferrer\" href=\"\(href)\">\(text)</a>")
            }
        }
    }

    /// A text that people take with them, and the button that copies it.
    /// - Parameter id: of the text.
    mutating func copied(_ id: String, _ content: (inout PageWriter) -> Void) {
        write("<p class=\"url\"><code id=\"\(id)\">")
        content(&self)
        raw("</code> <button type=\"button\" class=\"copy\" hidden")
        attribute("data-copy", id)
        attribute("data-done", filled(.copied))
        raw(">")
        words(.copy)
        raw("</button></p>\n")
    }
}
