/// What a name of a template stands for.
enum TemplateMeaning: Equatable {
    case slot(PageSlot)
    /// A text of the page's language, by name.
    case text(String)
    case flag(PageFlag)
    /// What has members, which have names that begin so.
    case object(String)
}

/// The names that templates may use, and what they mean where they stand.
struct TemplateNames: Sendable {
    /// Of texts, the built-in ones included.
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

    /// - Parameter scopes: what the sections around are of, the innermost last; nil for those that
    ///   are shown where something is not.
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
