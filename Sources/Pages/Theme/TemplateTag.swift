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

        /// Whether a line with nothing but this tag on it is none of the page's.
        var mayStandAlone: Bool { self != .variable && self != .unescaped }
    }

    let kind: Kind
    let name: String
    /// Its braces included, in bytes of the template.
    let range: Range<Int>
    /// What is not written because of it: its own bytes, or the line on which it stands alone.
    let cut: Range<Int>

    init(kind: Kind, name: String, range: Range<Int>, cut: Range<Int>? = nil) {
        (self.kind, self.name, self.range) = (kind, name, range)
        self.cut = cut ?? range
    }
}

/// What is wrong with a template, and where in it.
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
