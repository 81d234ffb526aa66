/// A text of the console in its languages. Words in braces stand for values.
struct ConsoleText: Sendable {
    let en: String
    let de: String

    init(_ en: String, _ de: String) { (self.en, self.de) = (en, de) }

    /// The text with words in braces replaced. A value is not searched for others.
    func filled(_ language: ConsoleLanguage, _ values: [(name: String, value: String)]) -> String {
        let source = self(language)
        guard !values.isEmpty else { return source }
        var result = ""
        var rest = source.utf8[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "{")),
            let end = rest[start...].firstIndex(of: UInt8(ascii: "}"))
        {
            result += String(decoding: rest[..<start], as: UTF8.self)
            let name = String(decoding: rest[rest.index(after: start)..<end], as: UTF8.self)
            result += values.first { $0.name == name }?.value ?? "{\(name)}"
            rest = rest[rest.index(after: end)...]
        }
        return result + String(decoding: rest, as: UTF8.self)
    }

    func callAsFunction(_ language: ConsoleLanguage) -> String {
        switch language {
        case .en: en
        case .de: de
        }
    }
}
