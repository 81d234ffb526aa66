import Diagnostics

/// An XML 1.0 element to be written; attributes keep their order.
struct XMLElement {
    let name: StaticString
    var attributes = [(name: StaticString, value: String)]()
    var content = Content.elements([])

    enum Content {
        case text(String)
        case elements([XMLElement])
    }

    /// A document with this element as its root. It ends with a line end.
    var document: String {
        var text = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
        write(into: &text, level: 0)
        return text
    }

    private func write(into text: inout String, level: Int) {
        let margin = String(repeating: "  ", count: level)
        text += "\(margin)<\(name)"
        for (name, value) in attributes { text += " \(name)=\"\(escaped(value))\"" }
        switch content {
        case .elements(let children) where children.isEmpty: text += "/>\n"
        case .elements(let children):
            text += ">\n"
            for child in children { child.write(into: &text, level: level + 1) }
            text += "\(margin)</\(name)>\n"
        case .text(let words): text += ">\(escaped(words))</\(name)>\n"
        }
    }
}

/// Text for content and attributes. XML 1.0 cannot represent most control characters (§2.2 Char),
/// and readers and terminals get characters that it can only write as references in this form.
private func escaped(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var result = ""
    for (index, scalar) in scalars.enumerated() {
        switch scalar {
        case "&": result += "&amp;"
        case "<": result += "&lt;"
        case ">": result += "&gt;"
        case "\"": result += "&quot;"
        case "\n", "\r", "\t": result += "&#\(scalar.value);"
        case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
        default:
            if steersReader(scalar) || beginsMarkedCommand(scalars, at: index) {
                result += "&#\(scalar.value);"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }
    return result
}
