package import Diagnostics
internal import Markup

/// How landing pages look: the built-in templates and styles, and the operator's over them, checked
/// and ready to be filled in.
package struct Theme: Sendable {
    /// A file of the operator's: its name without a directory, and how messages call it.
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

    /// The built-in templates and styles under the names of the files that would replace or follow
    /// them, to start from.
    package static var builtInFiles: [(name: String, text: String)] {
        let templates = Templates.builtIn.map { ("\($0.key).mustache", $0.value.description) }
        return templates.sorted { $0.0 < $1.0 } + [("style.css", StyleSheet.builtIn.description)]
    }

    /// What templates can name, texts aside.
    package static var variableNames: [String] {
        PageSlot.allCases.map(\.name) + PageFlag.allCases.map(\.name)
    }

    /// CSS variables that the built-in styles use, by their names without hyphens in front.
    package static var styleVariables: [String] { ThemePalette.names }

    static let landingName = "landing"
    private let templates: [String: Template]
    private let names: TemplateNames
    let style: ThemeStyle
    /// As a security policy writes it.
    let tabletScriptSource: String
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
        // Without anything of the operator's there is nothing that tests did not check.
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
        tabletScriptSource = SecurityPolicy.source(of: TabletScript.text.text, digest)
    }

    /// Lays a page out, whatever its values, so that the first of its kind is found laid out.
    package func prepare(_ page: LandingPage) { _ = arranged(LandingValues(page).shape) }

    /// The page as templates lay it out: as it was before, if one of its shape was asked for.
    func arranged(_ shape: PageShape) -> ArrangedPage {
        if let page = pages[shape] { return page }
        let arrangement = Arrangement(shape, templates, names)
        let page = ArrangedPage(arrangement, digest)
        pages[shape] = page
        return page
    }
}
