private import Diagnostics

/// Checks a theme's templates from the first: every name must be known at its position, sections
/// must end in the context in which they began, and every value must be of a kind that its position
/// allows.
struct TemplateCheck {
    /// By file and offset, each reported once even if the template is included several times.
    private(set) var faults = [String: Set<TemplateFault>]()
    /// The templates of which the page consists.
    private(set) var used: Set<String> = []
    /// The names of the texts that they show.
    private(set) var usedTexts: Set<String> = []
    private(set) var hasHead = false
    private let templates: [String: Template]
    private let names: TemplateNames
    private var markup = [String: TemplateMarkup]()
    private var inclusions = 0
    /// The bytes of the templates of which the page consists, counted for each inclusion.
    private var pageBytes = 0
    private var sourcesBytes = 0

    init(_ templates: [String: Template], _ names: TemplateNames) {
        (self.templates, self.names) = (templates, names)
        check(Theme.landingName, [], within: [])
        if !hasHead { add(TemplateFault(0, "the page has no {{{head}}}"), to: Theme.landingName) }
    }

    private mutating func add(_ fault: TemplateFault, to name: String) {
        faults[name, default: []].insert(fault)
    }

    /// - Parameter parents: the templates that include this one.
    private mutating func check(
        _ name: String, _ scopes: [TemplateMeaning?], within parents: [String]
    ) {
        guard let template = templates[name] else { return }
        pageBytes += template.bytes.count
        let markup = read(name, template)
        var scopes = scopes
        var open = [(tag: TemplateTag, position: TemplateMarkup.Position)]()
        for (tag, position) in zip(template.tags, markup.positions) {
            switch tag.kind {
            case .comment: break
            case .variable, .unescaped: check(tag, at: position, scopes, in: name)
            case .section, .inverted:
                let meaning = names.meaning(of: tag.name, in: scopes)
                if meaning == nil { add(unknown(tag), to: name) }
                scopes.append(tag.kind == .section ? meaning : nil)
                open.append((tag, position))
            case .end:
                guard let start = open.popLast() else {
                    add(TemplateFault(tag.range.lowerBound, "no section is open here"), to: name)
                    continue
                }
                scopes.removeLast()
                if let fault = closing(start, tag, position) { add(fault, to: name) }
            case .partial:
                include(tag, at: position, scopes, in: name, within: parents)
            }
        }
        for start in open {
            add(
                TemplateFault(
                    start.tag.range.lowerBound, "the section \(quoted(start.tag.name)) has no end"),
                to: name)
        }
    }

    private mutating func read(_ name: String, _ template: Template) -> TemplateMarkup {
        if let known = markup[name] { return known }
        let markup = TemplateMarkup(template.bytes, template.tags)
        for fault in template.faults + markup.faults { add(fault, to: name) }
        used.insert(name)
        for source in markup.sources {
            let before = sourcesBytes
            sourcesBytes += source.bytes
            let most = SecurityPolicy.sourcesBytesMax
            guard before <= most, sourcesBytes > most else { continue }
            add(
                TemplateFault(
                    source.offset,
                    "with this one, the page's security policy needs \(sourcesBytes) bytes for the "
                        + "templates' scripts, styles and images of other hosts, and may have "
                        + "\(most)",
                    advice: "combine scripts, move styles to style.css, and serve images from this "
                        + "host"), to: name)
        }
        self.markup[name] = markup
        return markup
    }

    private mutating func include(
        _ tag: TemplateTag, at position: TemplateMarkup.Position, _ scopes: [TemplateMeaning?],
        in name: String,
        within parents: [String]
    ) {
        let offset = tag.range.lowerBound
        let path = parents + [name]
        inclusions += 1
        if position != .content {
            add(TemplateFault(offset, "a template can be included only between elements"), to: name)
        } else if path.contains(tag.name) {
            add(TemplateFault(offset, "the template \(quoted(tag.name)) includes itself"), to: name)
        } else if templates[tag.name] == nil {
            add(
                TemplateFault(
                    offset, "the theme has no template \(quoted(tag.name))",
                    advice: suggestion(tag.name, templates.keys.sorted())
                        ?? "the templates are \(templates.keys.sorted().joined(separator: ", "))"),
                to: name)
        } else if inclusions > Self.inclusionsMax {
            add(
                TemplateFault(offset, "more than \(Self.inclusionsMax) templates are included"),
                to: name)
        } else if let fault = excess(offset, of: tag.name) {
            add(fault, to: name)
        } else {
            check(tag.name, scopes, within: path)
        }
    }

    /// The fault of a page that is too large, even if each template is small.
    private func excess(_ offset: Int, of name: String) -> TemplateFault? {
        let bytes = pageBytes + (templates[name]?.bytes.count ?? 0)
        guard bytes > Self.pageBytesMax else { return nil }
        return TemplateFault(
            offset,
            "with the template \(quoted(name)) included here, the page has \(bytes) bytes of "
                + "templates, and may have \(Self.pageBytesMax)",
            advice: "include it less often, or make it smaller")
    }

    private static let inclusionsMax = 200
    /// Every shape of page has a layout in memory.
    private static let pageBytesMax = 512 << 10

    /// Closes a section, which must have the same name and end in the context in which it began.
    private func closing(
        _ start: (tag: TemplateTag, position: TemplateMarkup.Position), _ end: TemplateTag,
        _ position: TemplateMarkup.Position
    ) -> TemplateFault? {
        let offset = end.range.lowerBound
        if start.tag.name != end.name {
            return TemplateFault(
                offset, "\(quoted(end.name)) ends a section that began as \(quoted(start.tag.name))"
            )
        }
        if start.position != position {
            return TemplateFault(
                offset,
                "the section \(quoted(end.name)) does not end in the element or attribute in which "
                    + "it began")
        }
        return nil
    }
}

// The meaning of names, and the positions of values.
extension TemplateCheck {
    private mutating func check(
        _ tag: TemplateTag, at position: TemplateMarkup.Position, _ scopes: [TemplateMeaning?],
        in name: String
    ) {
        let offset = tag.range.lowerBound
        let isUnescaped = tag.kind == .unescaped
        let meaning = names.meaning(of: tag.name, in: scopes)
        switch meaning {
        case nil: add(unknown(tag), to: name)
        case .flag, .object:
            add(
                TemplateFault(
                    offset,
                    "\(quoted(tag.name)) is not a value; use it only for sections"),
                to: name)
        case .slot(let slot) where slot.kind == .markup:
            if slot == .head {
                if hasHead {
                    add(
                        TemplateFault(offset, "\(quoted(tag.name)) can be used only once"), to: name
                    )
                }
                hasHead = true
            }
            if !isUnescaped || position != .content {
                add(
                    TemplateFault(
                        offset, "\(quoted(tag.name)) is markup",
                        advice: "write {{{\(tag.name)}}}, between elements"), to: name)
            }
        case .slot, .text:
            if case .text(let text)? = meaning { usedTexts.insert(text) }
            if isUnescaped {
                add(
                    TemplateFault(
                        offset, "\(quoted(tag.name)) is text and must be escaped",
                        advice: "write {{\(tag.name)}}"), to: name)
            }
            if let fault = addressFault(tag, meaning, position) { add(fault, to: name) }
        }
    }

    /// An attribute for a URL must contain exactly one checked URL.
    private func addressFault(
        _ tag: TemplateTag, _ meaning: TemplateMeaning?, _ position: TemplateMarkup.Position
    ) -> TemplateFault? {
        guard case .attribute(_, let attribute, let value) = position,
            addressAttributes.contains(attribute)
        else { return nil }
        guard case .slot(let slot)? = meaning, slot.kind == .url else {
            return TemplateFault(
                tag.range.lowerBound,
                "\(quoted(tag.name)) is not an address, which `\(attribute)` needs")
        }
        guard value == tag.range else {
            return TemplateFault(
                tag.range.lowerBound, "`\(attribute)` must contain only this address")
        }
        return nil
    }

    private func unknown(_ tag: TemplateTag) -> TemplateFault {
        TemplateFault(
            tag.range.lowerBound, "\(quoted(tag.name)) is not defined here",
            advice: suggestion(tag.name, names.all) ?? textAdvice(tag.name))
    }

    /// Advice about a text that does not exist, if no name is similar.
    private func textAdvice(_ name: String) -> String? {
        let prefix = "texts.".utf8
        guard name.utf8.starts(with: prefix), name.utf8.count > prefix.count else { return nil }
        let text = String(Substring(name.utf8.dropFirst(prefix.count)))
        return "add \(quoted(text)) to `site.texts`"
    }

    private func suggestion(_ name: String, _ names: [String]) -> String? {
        nearestName(to: name, among: names).map(didYouMean)
    }
}

/// Attributes whose value is a URL for browsers.
private let addressAttributes: Set<String> = [
    "action", "background", "cite", "data", "formaction", "href", "icon", "imagesrcset",
    "longdesc", "manifest", "ping", "poster", "profile", "src", "srcset", "usemap", "xlink:href",
]
