import Diagnostics
import HTTPMessages
import Markup
import Resolution

extension Document {
    /// The debug page of a link, as HTML or JSON. It needs no token: everybody who has the link can
    /// see where it leads.
    init(_ debug: FirebaseDebug, asJSON: Bool) {
        let fields = [
            "Cache-Control: no-store", "Vary: Accept", "X-Content-Type-Options: nosniff",
            "X-Frame-Options: DENY", "X-Robots-Tag: noindex", "Referrer-Policy: no-referrer",
            "Content-Security-Policy: default-src 'none'; base-uri 'none'; form-action 'none'; "
                + "frame-ancestors 'none'",
        ]
        self.init(
            type: asJSON ? "application/json" : "text/html; charset=utf-8",
            body: asJSON ? Array("\(debug.json.compact)\n".utf8) : debug.html,
            fields: fieldLines(fields))
    }

    /// 400 for a long link that leads nowhere, with the reason.
    init(refusing fault: FirebaseFault) {
        self.init(
            status: .badRequest, type: "text/plain; charset=utf-8",
            body: Array("This link leads nowhere. \(fault.words)\n".utf8),
            fields: fieldLines(["Cache-Control: no-store", "X-Content-Type-Options: nosniff"]))
    }
}

extension FirebaseDebug {
    /// The steps in lists: no style and no script, so that it needs no permission for any.
    fileprivate var html: [UInt8] {
        var page = MarkupWriter(capacity: 8_192)
        page.raw("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n")
        page.raw("<meta name=\"viewport\" content=\"width=device-width\">\n")
        page.element("title", "What this link does")
        page.raw("</head><body><main>\n")
        page.element("h1", "What this link does")
        page.element("p", url)
        page.element(
            "p",
            opens.isEmpty
                ? "No app opens it."
                : "Where it is installed, it opens: \(opens.joined(separator: ", "))")
        for (client, explanation) in paths {
            page.element("h2", client)
            page.raw("<ol>\n")
            for step in explanation.steps {
                page.element("li", (step.isTaken ? "→ " : "") + "\(step.name): \(step.reason)")
            }
            page.raw("</ol>\n")
        }
        if !notes.isEmpty {
            page.element("h2", "Not kept")
            page.raw("<ul>\n")
            for note in notes {
                page.element("li", "\(note.code.rawValue): \(note.parameter): \(note.detail)")
            }
            page.raw("</ul>\n")
        }
        page.raw("</main></body></html>\n")
        return page.bytes
    }
}

extension ArraySlice<UInt8> {
    /// Whether the value of an Accept field names JSON.
    package var acceptsJSON: Bool { names(["application/json"]) }

    /// Whether a page is among the types that it names, or it names none.
    var acceptsHTML: Bool {
        isEmpty || names(["text/html", "application/xhtml+xml", "text/*", "*/*"])
    }

    private func names(_ types: [String]) -> Bool {
        split(separator: UInt8(ascii: ",")).contains { element in
            let type = element.drop { $0 == 0x20 || $0 == 0x09 }
            return types.contains { type.starts(with: $0.utf8) }
        }
    }
}
