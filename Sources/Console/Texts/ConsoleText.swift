/// A text of the console in its languages. Words in braces stand for values.
struct ConsoleText: Sendable {
    let en: String
    let de: String

    init(_ en: String, _ de: String) { (self.en, self.de) = (en, de) }

    func callAsFunction(_ language: ConsoleLanguage) -> String {
        switch language {
        case .en: en
        case .de: de
        }
    }
}
