/// A tag of a template, in Mustache's forms.
struct TemplateTag: Sendable {
    enum Kind: Sendable {
        /// `{{name}}`
        case variable
        /// `{{{name}}}` or `{{&name}}`: written as it is.
        case unescaped
        /// `{{#name}}`
        case section
        /// `{{^name}}`
        case inverted
        /// `{{/name}}`
        case end
        /// `{{>name}}`
        case partial
        /// `{{! … }}`
        case comment

        /// Whether a line that contains only this tag is not part of the page.
        var mayStandAlone: Bool { self != .variable && self != .unescaped }
    }

    let kind: Kind
    let name: String
    /// In bytes of the template, with its braces.
    let range: Range<Int>
    /// The range that is not written: the tag, or the whole line if it contains only the tag.
    let cut: Range<Int>

    init(kind: Kind, name: String, range: Range<Int>, cut: Range<Int>? = nil) {
        (self.kind, self.name, self.range) = (kind, name, range)
        self.cut = cut ?? range
    }
}

/// A fault of a template, with its position.
struct TemplateFault: Error, Hashable {
    /// In bytes from the start of the template.
    let offset: Int
    let message: String
    let advice: String?

    init(_ offset: Int, _ message: String, advice: String? = nil) {
        self.offset = offset
        self.message = message
        self.advice = advice
    }
}
