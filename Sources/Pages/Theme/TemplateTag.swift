/// A tag of a Mustache template.
struct TemplateTag {
    enum Kind {
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
    }

    let kind: Kind
    let name: String
    /// Its braces included, in bytes of the template.
    let range: Range<Int>
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
