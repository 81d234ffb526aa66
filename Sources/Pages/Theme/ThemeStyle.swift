private import Diagnostics
internal import Markup

/// The styles of landing pages: variables, the built-in rules, and the operator's after them.
struct ThemeStyle: Sendable {
    /// The `style` element.
    let markup: MarkupWriter
    /// Its source as a security policy writes it.
    let source: String
    let hasFonts: Bool
    /// The colours around the page, in light and in dark.
    let background: (light: String, dark: String)

    /// - Throws: a fault, its place in `own`.
    init(
        _ variables: [String: String], own: [UInt8], _ digest: ([UInt8]) -> [UInt8]
    ) throws(TemplateFault) {
        let palette = try ThemePalette(variables)
        let ownText = try Self.check(own)
        let css = palette.css + StyleSheet.builtIn.description + ownText
        var markup = MarkupWriter()
        markup.raw("<style>")
        markup.verbatim(Array(css.utf8))
        markup.raw("</style>\n")
        self.markup = markup
        source = SecurityPolicy.source(of: css, digest)
        hasFonts = ownText.utf8.firstRange(of: "@font-face".utf8) != nil
        background = palette.background
    }

    /// Styles with one form of line end, as browsers hash them.
    private static func check(_ own: [UInt8]) throws(TemplateFault) -> String {
        guard let text = String(validating: own, as: UTF8.self) else {
            throw TemplateFault(0, "the file is not UTF-8")
        }
        for mark in ["</", "<!--", "\0"] {
            if let position = own.firstRange(of: Array(mark.utf8)) {
                throw TemplateFault(position.lowerBound, "\(quoted(mark)) is not allowed in styles")
            }
        }
        if let position = own.firstRange(of: Array("@import".utf8)) {
            throw TemplateFault(
                position.lowerBound, "the page's security policy forbids styles of another file")
        }
        var result = [UInt8]()
        for (index, byte) in text.utf8.enumerated() {
            let isCRLF = byte == 0x0A && index > 0 && own[index - 1] == 0x0D
            if !isCRLF { result.append(byte == 0x0D ? 0x0A : byte) }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
