/// The layout of a landing page of one shape: bytes, and slots for values. All decisions of the
/// templates are made here. A page is then written by filling in its values, so no template ever
/// sees a value.
struct Arrangement: Sendable {
    enum Piece: Sendable {
        case markup([UInt8])
        case slot(PageSlot)
        /// A text of the page's language, by name.
        case text(String)
    }

    private(set) var pieces = [Piece]()
    private let shape: PageShape
    private let templates: [String: Template]
    private let names: TemplateNames

    /// - Parameter templates: checked templates; what `TemplateCheck` refuses can be left out here.
    init(_ shape: PageShape, _ templates: [String: Template], _ names: TemplateNames) {
        (self.shape, self.templates, self.names) = (shape, templates, names)
        add(Theme.landingName, [])
    }

    private mutating func add(_ name: String, _ scopes: [TemplateMeaning?]) {
        guard let template = templates[name] else { return }
        var scopes = scopes
        // The number of open sections within one that is not shown, including that one.
        var hidden = 0
        var done = 0
        for tag in template.tags {
            if hidden == 0 { add(template.bytes[done..<tag.cut.lowerBound]) }
            done = tag.cut.upperBound
            switch tag.kind {
            case .section, .inverted:
                let meaning = names.meaning(of: tag.name, in: scopes)
                if hidden > 0 || has(meaning) != (tag.kind == .section) {
                    hidden += 1
                } else {
                    scopes.append(tag.kind == .section ? meaning : nil)
                }
            case .end:
                if hidden > 0 { hidden -= 1 } else { _ = scopes.popLast() }
            case .variable, .unescaped:
                if hidden == 0 { add(names.meaning(of: tag.name, in: scopes)) }
            case .partial:
                if hidden == 0 { add(tag.name, scopes) }
            case .comment: break
            }
        }
        if hidden == 0 { add(template.bytes[done...]) }
    }

    private mutating func add(_ markup: ArraySlice<UInt8>) {
        guard case .markup(var bytes)? = pieces.last else {
            pieces.append(.markup(Array(markup)))
            return
        }
        // Removed meanwhile, so that the bytes are not copied for each addition.
        pieces.removeLast()
        bytes += markup
        pieces.append(.markup(bytes))
    }

    private mutating func add(_ value: TemplateMeaning?) {
        switch value {
        case .slot(let slot)? where shape.has(slot): pieces.append(.slot(slot))
        case .text(let name)?: pieces.append(.text(name))
        default: break
        }
    }

    private func has(_ meaning: TemplateMeaning?) -> Bool {
        switch meaning {
        case .slot(let slot)?: shape.has(slot)
        case .flag(let flag)?: shape.has(flag)
        case .object(let name)?: PageSlot.objects[name]?.contains { shape.has($0) } ?? false
        case .text?: true
        case nil: false
        }
    }
}
