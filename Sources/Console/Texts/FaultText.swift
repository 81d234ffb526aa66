/// A sentence of the API, and what people read instead of it. Words in braces stand for values.
struct FaultText: Sendable {
    /// As the API says it.
    let api: String
    /// Nil where the API's own words are those of people, too.
    let en: String?
    let de: String

    init(_ api: String, _ de: String, en: String? = nil) {
        (self.api, self.de, self.en) = (api, de, en)
    }

    /// The sentence of a language with its values.
    func filled(_ language: ConsoleLanguage, _ values: [(name: String, value: String)]) -> String {
        ConsoleText(en ?? api, de).filled(language, values)
    }
}
