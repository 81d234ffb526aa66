private import Diagnostics

/// Checks a theme's templates from the first on: that every name is known where it stands, sections
/// are closed where they were opened, and every value is of a kind that its place can hold.
struct TemplateCheck {
    /// By file and offset, each said once however often the template is included.
    private(set) var faults = [String: Set<TemplateFault>]()
    /// The templates that the page is made of.
    private(set) var used: Set<String> = []
    /// The texts that they show, by name.
    private(set) var usedTexts: Set<String> = []
    private(set) var hasHead = false
    private let templates: [String: [UInt8]]
    private let textNames: Set<String>
    private var scanned = [String: (tags: [TemplateTag], markup: TemplateMarkup)]()
    private var inclusions = 0

    /// - Parameter textNames: names of texts beyond the built-in ones.
    init(_ templates: [String: [UInt8]], textNames: Set<String>) {
        self.templates = templates
        self.textNames = textNames.union(LandingTexts.Name.allCases.map(\.rawValue))
        check("landing", [], within: [])
        if !hasHead {
            add(
                TemplateFault(0, "the page has no {{{head}}}"), to: "landing")
        }
    }

    private mutating func add(_ fault: TemplateFault, to name: String) {
        faults[name, default: []].insert(fault)
    }

    /// What the sections of a template are of.
    private enum Scope: Equatable {
        /// Members have names that begin so.
        case object(String)
        case value(PageSlot.Kind)
        case flag
    }

    private enum Meaning: Equatable {
        case value(PageSlot.Kind)
        case object(String)
        case flag
    }

    /// - Parameter parents: the templates that include this one.
    private mutating func check(_ name: String, _ scopes: [Scope], within parents: [String]) {
        guard let (tags, markup) = scan(name) else { return }
        var scopes = scopes
        var open = [(tag: TemplateTag, place: TemplateMarkup.Place)]()
        for (tag, place) in zip(tags, markup.places) {
            switch tag.kind {
            case .comment: break
            case .variable, .unescaped: check(tag, at: place, scopes, in: name)
            case .section, .inverted:
                let meaning = meaning(of: tag.name, scopes)
                if meaning == nil { add(unknown(tag, scopes), to: name) }
                scopes.append(tag.kind == .section ? scope(meaning) : .flag)
                open.append((tag, place))
            case .end:
                guard let start = open.popLast() else {
                    add(TemplateFault(tag.range.lowerBound, "no section is open here"), to: name)
                    continue
                }
                scopes.removeLast()
                if let fault = closing(start, tag, place) { add(fault, to: name) }
            case .partial:
                include(tag, at: place, scopes, in: name, within: parents)
            }
        }
        for start in open {
            add(
                TemplateFault(
                    start.tag.range.lowerBound, "the section \(quoted(start.tag.name)) has no end"),
                to: name)
        }
    }

    private mutating func scan(_ name: String) -> (tags: [TemplateTag], markup: TemplateMarkup)? {
        if let known = scanned[name] { return known }
        guard let bytes = templates[name] else { return nil }
        let scanner = TemplateScanner(bytes)
        let markup = TemplateMarkup(bytes, scanner.tags)
        for fault in scanner.faults + markup.faults { add(fault, to: name) }
        used.insert(name)
        scanned[name] = (scanner.tags, markup)
        return scanned[name]
    }

    private mutating func include(
        _ tag: TemplateTag, at place: TemplateMarkup.Place, _ scopes: [Scope], in name: String,
        within parents: [String]
    ) {
        let offset = tag.range.lowerBound
        let path = parents + [name]
        inclusions += 1
        if place != .content {
            add(
                TemplateFault(offset, "a template is included between elements only"), to: name
            )
        } else if path.contains(tag.name) {
            add(TemplateFault(offset, "the template \(quoted(tag.name)) includes itself"), to: name)
        } else if templates[tag.name] == nil {
            add(
                TemplateFault(
                    offset, "the theme has no template \(quoted(tag.name))",
                    advice: suggestion(tag.name, templates.keys.sorted())), to: name)
        } else if inclusions > Self.inclusionsMax {
            add(
                TemplateFault(offset, "over \(Self.inclusionsMax) templates are included"),
                to: name)
        } else {
            check(tag.name, scopes, within: path)
        }
    }

    private static let inclusionsMax = 200

    /// A section ends by its name, and in the place in which it began.
    private func closing(
        _ start: (tag: TemplateTag, place: TemplateMarkup.Place), _ end: TemplateTag,
        _ place: TemplateMarkup.Place
    ) -> TemplateFault? {
        let offset = end.range.lowerBound
        if start.tag.name != end.name {
            return TemplateFault(
                offset, "\(quoted(end.name)) ends a section that began as \(quoted(start.tag.name))"
            )
        }
        if start.place != place {
            return TemplateFault(
                offset,
                "the section \(quoted(end.name)) ends in another element or attribute "
                    + "than it began")
        }
        return nil
    }
}

// What names mean, and where values may stand.
extension TemplateCheck {
    private mutating func check(
        _ tag: TemplateTag, at place: TemplateMarkup.Place, _ scopes: [Scope], in name: String
    ) {
        let offset = tag.range.lowerBound
        let isUnescaped = tag.kind == .unescaped
        switch meaning(of: tag.name, scopes) {
        case nil: add(unknown(tag, scopes), to: name)
        case .flag, .object:
            add(
                TemplateFault(offset, "\(quoted(tag.name)) is no value, and is for sections only"),
                to: name)
        case .value(.markup):
            if tag.name == "head" { hasHead = true }
            if !isUnescaped || place != .content {
                add(
                    TemplateFault(
                        offset, "\(quoted(tag.name)) is markup",
                        advice: "write {{{\(tag.name)}}}, between elements"), to: name)
            }
        case .value(let kind):
            if let text = Self.textName(tag.name) { usedTexts.insert(text) }
            if isUnescaped {
                add(
                    TemplateFault(
                        offset, "\(quoted(tag.name)) is text, which must be escaped",
                        advice: "write {{\(tag.name)}}"), to: name)
            }
            if let fault = addressFault(tag, kind, place) { add(fault, to: name) }
        }
    }

    /// An attribute that holds an address holds one whole, and one that was checked.
    private func addressFault(
        _ tag: TemplateTag, _ kind: PageSlot.Kind, _ place: TemplateMarkup.Place
    ) -> TemplateFault? {
        guard case .attribute(_, let attribute, let value) = place,
            addressAttributes.contains(attribute)
        else { return nil }
        guard kind == .url else {
            return TemplateFault(
                tag.range.lowerBound, "\(quoted(tag.name)) is no address, which `\(attribute)` is")
        }
        guard value == tag.range else {
            return TemplateFault(
                tag.range.lowerBound, "`\(attribute)` holds this address and nothing else")
        }
        return nil
    }

    private func meaning(of name: String, _ scopes: [Scope]) -> Meaning? {
        if name == "." {
            if case .value(let kind)? = scopes.last { return .value(kind) }
            return nil
        }
        for case .object(let prefix) in scopes.reversed() {
            if let found = meaning(of: "\(prefix).\(name)") { return found }
        }
        return meaning(of: name)
    }

    private func meaning(of path: String) -> Meaning? {
        if let slot = PageSlot.byName[path] { return .value(slot.kind) }
        if PageFlag.allCases.contains(where: { $0.name == path }) { return .flag }
        if objects.contains(path) { return .object(path) }
        guard let text = Self.textName(path), textNames.contains(text) else { return nil }
        return .value(.text)
    }

    private static func textName(_ path: String) -> String? {
        let prefix = Array("texts.".utf8)
        guard path.utf8.starts(with: prefix) else { return nil }
        return String(Substring(path.utf8.dropFirst(prefix.count)))
    }

    private func scope(_ meaning: Meaning?) -> Scope {
        switch meaning {
        case .object(let prefix): .object(prefix)
        case .value(let kind): .value(kind)
        case .flag, nil: .flag
        }
    }

    private func unknown(_ tag: TemplateTag, _ scopes: [Scope]) -> TemplateFault {
        let names = PageSlot.allCases.map(\.name) + PageFlag.allCases.map(\.name)
        return TemplateFault(
            tag.range.lowerBound, "\(quoted(tag.name)) is not known here",
            advice: suggestion(
                tag.name, names + objects.sorted() + textNames.sorted().map { "texts.\($0)" }))
    }

    private func suggestion(_ name: String, _ names: [String]) -> String? {
        nearestName(to: name, among: names).map { "did you mean \(quoted($0))?" }
    }
}

/// What has members.
private let objects: Set<String> = Set(
    PageSlot.allCases.compactMap { slot in
        let parts = slot.name.utf8.split(separator: UInt8(ascii: "."))
        return parts.count > 1 ? String(Substring(parts[0])) : nil
    })

/// Attributes in which a browser sees an address.
private let addressAttributes: Set<String> = [
    "action", "background", "cite", "data", "formaction", "href", "icon", "imagesrcset",
    "longdesc", "manifest", "ping", "poster", "profile", "src", "srcset", "usemap", "xlink:href",
]
