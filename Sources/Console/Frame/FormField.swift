/// A field of a form: its label, its hint, and what is wrong with it (GOV.UK Design System, "Text input").
struct FormField {
    /// A reason for which a form is refused.
    enum Fault {
        case words(ConsoleText)
        case finding(FormFindings.Finding)
    }

    /// The name of its item, which is its id, too.
    let name: String
    let label: ConsoleText
    var hint: ConsoleText?
    var faults = [Fault]()
    /// Whether the script writes what is wrong with it, while somebody types.
    var isLive = false

    init(_ name: String, _ label: ConsoleText, _ hint: ConsoleText? = nil, faults: [Fault] = []) {
        (self.name, self.label, self.hint, self.faults) = (name, label, hint, faults)
    }

    /// Whether the page has a place for its faults.
    var hasFaults: Bool { isLive || !faults.isEmpty }

    /// The ids of the texts that say more of it.
    var descriptions: [String] {
        (hint == nil ? [] : ["\(name)-hint"]) + (hasFaults ? ["\(name)-faults"] : [])
    }
}
