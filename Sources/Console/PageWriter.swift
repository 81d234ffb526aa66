internal import Markup

/// Writes a page in a language. All values go through `MarkupWriter.text`.
struct PageWriter {
    private(set) var markup: MarkupWriter
    let setting: ConsoleSetting

    init(_ setting: ConsoleSetting) {
        self.setting = setting
        markup = MarkupWriter(capacity: 16_384)
    }

    /// Markup without escaping.
    mutating func raw(_ literal: MarkupLiteral) { markup.raw(literal) }

    /// The text of the style or of the script.
    mutating func asset(_ text: StaticString) { markup.verbatim(Array(text.description.utf8)) }

    /// A value from outside.
    mutating func value(_ text: String) { markup.text(text) }

    mutating func number(_ number: Int) { markup.number(number) }

    /// A text of the console.
    mutating func words(_ text: ConsoleText, _ values: [String: String] = [:]) {
        markup.text(filled(text, values))
    }

    /// A text with its words in braces replaced. A value is not searched for others.
    func filled(_ text: ConsoleText, _ values: [String: String] = [:]) -> String {
        let source = text(setting.language)
        guard !values.isEmpty else { return source }
        var result = ""
        var rest = source.utf8[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "{")),
            let end = rest[start...].firstIndex(of: UInt8(ascii: "}"))
        {
            result += String(decoding: rest[..<start], as: UTF8.self)
            let name = String(decoding: rest[rest.index(after: start)..<end], as: UTF8.self)
            result += values[name] ?? "{\(name)}"
            rest = rest[rest.index(after: end)...]
        }
        return result + String(decoding: rest, as: UTF8.self)
    }

    mutating func attribute(_ name: MarkupLiteral, _ value: String) {
        markup.attribute(name, value)
    }

    /// An element with a text of the console.
    mutating func element(
        _ name: MarkupLiteral, _ text: ConsoleText, _ values: [String: String] = [:]
    ) {
        markup.element(name, filled(text, values))
    }

    /// An element with a value.
    mutating func element(_ name: MarkupLiteral, value: String) { markup.element(name, value) }

    /// A link to another page of the console.
    /// - Parameter style: its classes.
    mutating func link(
        _ path: PagePath, style: MarkupLiteral? = nil, _ content: (inout PageWriter) -> Void
    ) {
        raw("<a")
        if let style { attribute("class", style.text) }
        attribute("href", path.text(below: setting.base))
        raw(">")
        content(&self)
        raw("</a>")
    }

    mutating func link(_ path: PagePath, style: MarkupLiteral? = nil, _ text: ConsoleText) {
        link(path, style: style) { $0.words(text) }
    }
}
