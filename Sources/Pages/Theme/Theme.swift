package import Diagnostics
internal import Markup

/// The looks of landing pages: the built-in templates and styles, and those of the operator,
/// checked and ready to be filled in.
package struct Theme: Sendable {
    /// A file of the operator: its name without a directory, and its name in messages.
    package struct File: Sendable {
        package let name: String
        package let path: String
        package let bytes: [UInt8]

        package init(name: String, path: String, bytes: [UInt8]) {
            self.name = name
            self.path = path
            self.bytes = bytes
        }
    }

    /// The built-in templates and styles, with the names of the files that would replace or follow
    /// them, so that operators can begin with them.
    package static var builtInFiles: [(name: String, text: String)] {
        let templates = Templates.builtIn.map { ("\($0.key).mustache", $0.value.description) }
        return templates.sorted { $0.0 < $1.0 } + [("style.css", StyleSheet.builtIn.description)]
    }

    /// The names that templates can use, except those of texts.
    package static var variableNames: [String] {
        PageSlot.allCases.map(\.name) + PageFlag.allCases.map(\.name)
    }

    /// The CSS variables of the built-in styles, without the hyphens at the beginning of their
    /// names.
    package static var styleVariables: [String] { ThemePalette.names }

    static let landingName = "landing"
    private let templates: [String: Template]
    private let names: TemplateNames
    let style: ThemeStyle
    /// Of each `PageScript`, in the form of a security policy.
    let scriptSources: [String]
    private let digest: @Sendable ([UInt8]) -> [UInt8]
    private let pages = ArrangedPages()

    /// - Parameters:
    ///   - files: `NAME.mustache`, which replaces the built-in template of its name or is a new
    ///     one, and `style.css`, which follows the built-in styles. Other files are not read.
    ///   - variables: values of CSS variables, by their names without hyphens in front.
    ///   - texts: where the operator's own texts stand, by their names.
    ///   - digest: the SHA-256 of bytes.
    /// - Returns: nil for the theme when something is wrong, and everything that is.
    package static func compile(
        _ files: [File] = [], variables: [String: String] = [:],
        texts: [String: SourcePosition] = [:],
        digest: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> (theme: Theme?, faults: [Diagnostic]) {
        var compiler = ThemeCompiler(files)
        let templates = compiler.templates()
        let names = TemplateNames(ownTexts: Set(texts.keys))
        // Tests have checked the built-in theme.
        if !files.isEmpty || !texts.isEmpty { compiler.check(templates, names, texts) }
        let style = compiler.style(variables, digest)
        guard compiler.faults.isEmpty, let style else { return (nil, compiler.faults.inOrder) }
        return (Theme(templates, names, style, digest), compiler.notes)
    }

    private init(
        _ templates: [String: Template], _ names: TemplateNames, _ style: ThemeStyle,
        _ digest: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
        (self.templates, self.names) = (templates, names)
        (self.style, self.digest) = (style, digest)
        scriptSources = PageScript.allCases.map { SecurityPolicy.source(of: $0.text.text, digest) }
    }

    /// An inline style as a security policy has it.
    func source(of style: String) -> String { SecurityPolicy.source(of: style, digest) }

    /// Computes the layout for a page, whatever its values, so that the first request for such a
    /// page does not wait.
    package func prepare(_ page: LandingPage) { _ = arranged(LandingValues(page).shape) }

    /// The layout of a page. If there is one for its shape, it is reused.
    func arranged(_ shape: PageShape) -> ArrangedPage {
        if let page = pages[shape] { return page }
        let arrangement = Arrangement(shape, templates, names)
        let page = ArrangedPage(arrangement, digest)
        pages[shape] = page
        return page
    }
}
