/// The meaning of a name in a template.
enum TemplateMeaning: Equatable {
    case slot(PageSlot)
    /// A text of the page's language, by name.
    case text(String)
    case flag(PageFlag)
    /// An object whose members have names with this prefix.
    case object(String)
}

/// The names that templates can use, and their meanings at a position.
struct TemplateNames: Sendable {
    /// The names of texts, including the built-in ones.
    let texts: Set<String>

    init(ownTexts: Set<String>) {
        texts = ownTexts.union(LandingTexts.Name.allCases.map(\.rawValue))
    }

    /// Everything that has a name.
    var all: [String] {
        PageSlot.allCases.map(\.name) + PageFlag.allCases.map(\.name)
            + PageSlot.objects.keys.sorted()
            + texts.sorted().map { "texts.\($0)" }
    }

    /// - Parameter scopes: the meanings of the enclosing sections, the innermost last; nil for
    ///   inverted sections.
    func meaning(of name: String, in scopes: [TemplateMeaning?]) -> TemplateMeaning? {
        if name == "." {
            switch scopes.last {
            case .slot(let slot)??: return .slot(slot)
            case .text(let text)??: return .text(text)
            default: return nil
            }
        }
        for case .object(let prefix)? in scopes.reversed() {
            if let found = meaning(of: "\(prefix).\(name)") { return found }
        }
        return meaning(of: name)
    }

    private func meaning(of path: String) -> TemplateMeaning? {
        if let slot = PageSlot.byName[path] { return .slot(slot) }
        if let flag = PageFlag.byName[path] { return .flag(flag) }
        if PageSlot.objects[path] != nil { return .object(path) }
        guard path.utf8.starts(with: "texts.".utf8) else { return nil }
        let text = String(Substring(path.utf8.dropFirst("texts.".utf8.count)))
        return texts.contains(text) ? .text(text) : nil
    }
}
