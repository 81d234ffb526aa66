import Diagnostics
import Foundation
import Pages
import TestSupport
import Testing

/// No digest: policies are tested by what they name, and here by how many.
func noDigest(_ bytes: [UInt8]) -> [UInt8] { [UInt8](repeating: 0, count: 32) }

func theme(
    _ files: [String: String] = [:], variables: [String: String] = [:],
    textNames: Set<String> = []
) -> (theme: Theme?, faults: [Diagnostic]) {
    let position = SourcePosition(file: "waymark.yaml", line: 2, column: 3)
    return Theme.compile(
        files.map { Theme.File(name: $0, path: "theme/\($0)", bytes: Array($1.utf8)) },
        variables: variables,
        texts: Dictionary(textNames.map { ($0, position) }) { first, _ in first },
        digest: noDigest)
}

@Suite("An operator's theme")
struct ThemeTests {
    /// What a landing page must have, and a place for more.
    private func landing(_ body: String) -> String {
        "<!doctype html>\n<html lang=\"{{language}}\">\n{{{head}}}\n<body>\(body)</body></html>\n"
    }

    private func faults(_ body: String) -> [String] {
        let files = ["landing.mustache": landing(body)]
        return theme(files, textNames: ["own"]).faults.filter { $0.severity == .error }.map {
            "\($0.position?.line ?? 0):\($0.position?.column ?? 0): \($0.message)"
        }
    }

    @Test func `the built-in theme has no fault`() {
        let (theme, faults) = theme()
        #expect(theme != nil)
        #expect(faults.isEmpty)
    }

    static let accepted = [
        "", "{{title}}", "{{ title }}", "<p title=\"{{title}}\">x</p>", "<p title='{{title}}'>",
        "{{#picture}}<img src=\"{{url}}\" alt=\"{{alt}}\">{{/picture}}", "{{picture.url}}",
        "<a href=\"{{open}}\">{{texts.open}}</a>", "<a href='{{link}}' title='{{link}}'>x</a>",
        "{{#open}}<a href=\"{{.}}\">{{texts.own}}</a>{{/open}}", "{{! a comment }}",
        "{{^web}}none{{/web}}", "<p class=\"a{{#ios}} b{{/ios}}\">", "{{{qr}}}", "{{&qr}}",
        "<title>{{title}}</title>", "<style>p{color:red}</style>", "<script>f({})</script>",
        "{{>footer}}", "{{#app}}{{#site}}{{name}}{{/site}}{{/app}}", "a < b", "{ {title} }",
        "{{#ios}}{{#ipad}}{{title}}{{/ipad}}{{/ios}}", "é{{title}}", "{{#desktop}}\n{{/desktop}}",
        "<img src=\"/own.png\">", "<a href=\"/javascript:\">x</a>",
        "<a href=\"https://e.com/\">x</a>", "\u{E000}",
        "<meta http-equiv=\"x-ua-compatible\" content=\"{{title}}\">",
    ]

    @Test("what a template may say", arguments: accepted)
    func accepts(_ body: String) {
        #expect(faults(body) == [])
    }

    static let refused: [(body: String, fault: String)] = [
        ("{{titel}}", "4:7: \"titel\" is not defined here"),
        ("{{texts.mine}}", "4:7: \"texts.mine\" is not defined here"),
        ("{{name}}", "4:7: \"name\" is not defined here"),
        ("{{.}}", "4:7: \".\" is not defined here"),
        ("{{ios}}", "4:7: \"ios\" is not a value; use it only for sections"),
        ("{{app}}", "4:7: \"app\" is not a value; use it only for sections"),
        ("{{#title}}", "4:7: the section \"title\" has no end"),
        ("{{/title}}", "4:7: no section is open here"),
        ("{{#ios}}{{/ipad}}", "4:15: \"ipad\" ends a section that began as \"ios\""),
        ("{{title", "4:7: this tag is not closed by \"}}\""),
        ("{{{title}}", "4:7: this tag is not closed by \"}}}\""),
        ("{{}}", "4:7: this tag has no name"),
        ("{{a b}}", "4:7: \"ab\" is not defined here"),
        ("{{a\nb}}", "4:7: \"a\\nb\" is not a name"),
        // Nothing may change how values are escaped.
        ("{{{title}}}", "4:7: \"title\" is text and must be escaped"),
        ("{{&title}}", "4:7: \"title\" is text and must be escaped"),
        ("{{{link}}}", "4:7: \"link\" is text and must be escaped"),
        ("{{% CONTENT_TYPE:TEXT}}", "4:7: templates cannot choose how values are escaped"),
        ("{{=<% %>=}}", "4:7: a template cannot choose other delimiters"),
        ("{{<footer}}", "4:7: templates do not inherit from each other"),
        ("{{$a}}", "4:7: templates do not inherit from each other"),
        (
            "{{uppercased(title)}}",
            "4:7: \"uppercased(title)\" is a function; templates have no functions"
        ),
        ("{{>*title}}", "4:7: the name of an included template must be constant"),
        ("{{>none}}", "4:7: the theme has no template \"none\""),
        ("{{>landing}}", "4:7: the template \"landing\" includes itself"),
        ("{{qr}}", "4:7: \"qr\" is markup"), ("<p title=\"{{{qr}}}\">", "4:17: \"qr\" is markup"),
        // Nor may a value stand where escaping does not help.
        ("<p title={{title}}>", "4:16: this tag is in an attribute without quotes"),
        ("<p {{title}}>", "4:10: this tag is neither in text nor in the value of an attribute"),
        ("<{{title}}>", "4:8: this tag is neither in text nor in the value of an attribute"),
        ("</{{title}}>", "4:9: this tag is neither in text nor in the value of an attribute"),
        (
            "<{{#ios}}p{{/ios}}>",
            "4:8: this tag is neither in text nor in the value of an attribute"
        ),
        (
            "<script>{{title}}</script>",
            "4:15: this tag is in `script`, where values cannot be escaped"
        ),
        (
            "<style>{{title}}</style>",
            "4:14: this tag is in `style`, where values cannot be escaped"
        ),
        ("<!-- {{title}} -->", "4:12: this tag is in a comment, which every visitor can read"),
        ("<a href=\"{{title}}\">", "4:16: \"title\" is not an address, which `href` needs"),
        ("<a href=\"/{{open}}\">", "4:17: `href` must contain only this address"),
        ("<a href=\"{{open}}?a\">", "4:16: `href` must contain only this address"),
        ("<img srcset=\"{{title}}\">", "4:20: \"title\" is not an address, which `srcset` needs"),
        (
            "{{#ios}}<p title=\"{{/ios}}\">",
            "4:25: the section \"ios\" does not end in the element or attribute in which it began"
        ),
        (
            "<p a=\"{{#ios}}\" b=\"{{/ios}}\">",
            "4:26: the section \"ios\" does not end in the element or attribute in which it began"
        ),
        (
            "{{#ios}}<title>{{/ios}}</title>",
            "4:22: the section \"ios\" does not end in the element or attribute in which it began"
        ),
        ("{{#ios}}<!--{{/ios}}-->", "4:19: this tag is in a comment, which every visitor can read"),
        ("<p title=\"{{>footer}}\">", "4:17: a template can be included only between elements"),
        // What the page's policy would keep browsers from doing.
        ("<p onclick=\"f()\">", "4:7: the page's security policy forbids the attribute `onclick`"),
        ("<p style=\"a:b\">", "4:7: the page's security policy forbids the attribute `style`"),
        (
            "<script src=\"/a.js\">",
            "4:7: the page's security policy forbids a script of another file"
        ),
        (
            "<link rel=\"stylesheet\" href=\"/a.css\">",
            "4:7: the page's security policy forbids styles of another file"
        ),
        (
            "<link rel=\"preload\tStyleSheet\" href=\"/a.css\">",
            "4:7: the page's security policy forbids styles of another file"
        ), ("<iframe src=\"/\">", "4:7: the page's security policy forbids `iframe`"),
        ("<form>", "4:7: the page's security policy forbids `form`"),
        ("<base href=\"/\">", "4:7: the page's security policy forbids `base`"),
        (
            "<a href=\" java\tScript:f()\">",
            "4:7: the page's security policy forbids a `javascript:` address"
        ), ("{{{head}}}", "4:7: \"head\" can be used only once"),
        // What would open the app, or a store, without a tap.
        (
            "<meta http-equiv=Refresh content=\"0;url={{scheme}}\">",
            "4:7: a page must not redirect by itself, as `refresh` does"
        ),
    ]

    @Test("what a template may not say is refused with its place", arguments: refused)
    func refuses(_ row: (body: String, fault: String)) {
        #expect(faults(row.body).contains(row.fault))
    }

    /// It stands in a response's head, for which there is so much room and no more.
    @Test func `a security policy has its limit, whatever a template is made of`() {
        let script = "<script>a</script>", style = "<style>a</style>"
        let picture = "<img src=\"https://a.example/a.png\">"
        #expect(faults(repeated(script, 75)).isEmpty)
        #expect(faults(repeated(script, 38) + repeated(style, 37)).isEmpty)
        #expect(faults(repeated("<img src=\"/a.png\">", 500)).isEmpty)
        for body in [repeated(script, 76), repeated(style, 76), repeated(picture, 300)] {
            #expect(faults(body).contains { $0.contains("and may have 4096") })
        }
    }

    private func repeated(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    @Test(
        "a template that ends within something is refused",
        arguments: [
            "<p", "<p title=\"", "<!--", "<script>", "<title>", "a <", "</",
        ])
    func unfinished(_ part: String) {
        let found = theme(["landing.mustache": landing("{{>own}}"), "own.mustache": part]).faults
        #expect(found.map(\.position?.file).contains("theme/own.mustache"))
    }

    @Test func `a name is suggested, and the position is counted in scalars`() throws {
        let fault = try #require(
            theme(["landing.mustache": landing("é\n\u{1F600}é{{titel}}")]).faults.first)
        #expect(
            fault.position == SourcePosition(file: "theme/landing.mustache", line: 5, column: 3))
        #expect(fault.advice == "did you mean \"title\"?")
    }

    @Test func `an included template is checked where it is included`() {
        let files = ["landing.mustache": landing("{{#app}}{{>own}}{{/app}}")]
        let own = ["own.mustache": "{{name}}"]
        #expect(theme(files.merging(own) { first, _ in first }).faults.isEmpty)
        let bare = ["landing.mustache": landing("{{>own}}")].merging(own) { first, _ in first }
        #expect(theme(bare).faults.map(\.message) == ["\"name\" is not defined here"])
    }

    @Test func `templates that include each other for ever are refused`() {
        let files = [
            "landing.mustache": landing("{{>a}}"), "a.mustache": "{{>b}}", "b.mustache": "{{>a}}",
        ]
        #expect(theme(files).faults.map(\.message) == ["the template \"a\" includes itself"])
        var many = ["landing.mustache": landing("{{>t0}}"), "t8.mustache": "x"]
        for level in 0..<8 { many["t\(level).mustache"] = "{{>t\(level + 1)}}{{>t\(level + 1)}}" }
        #expect(
            theme(many).faults.contains { $0.message == "more than 200 templates are included" })
    }

    @Test(
        "templates that are included often may have so many bytes together, and no more",
        arguments: [(8, true), (9, false)])
    func pageSize(_ count: Int, _ isSound: Bool) {
        let page = landing(String(repeating: "{{>own}}", count: count))
        let own = String(repeating: "a", count: 60_000)
        let found = theme(["landing.mustache": page, "own.mustache": own]).faults
        let size = count * own.utf8.count + page.utf8.count
        let fact =
            "with the template \"own\" included here, the page has \(size) bytes of templates, "
            + "and may have 524288"
        #expect(found.map(\.message) == (isSound ? [] : [fact]))
    }

    @Test func `a page without its head is refused`() {
        let found = theme(["landing.mustache": "<!doctype html><title>x</title><p>y</p>"]).faults
        #expect(found.map(\.message) == ["the page has no {{{head}}}"])
    }

    @Test func `a part of the built-in page is replaced by a file of its name`() throws {
        let (theme, faults) = theme(
            ["footer.mustache": "<footer>{{texts.mine}}</footer>"], textNames: ["mine"])
        #expect(faults.isEmpty)
        var page = landingPage(.ios)
        page.texts = LandingTexts(language: "en", own: ["mine": "<Imprint> of {app}"])
        let html = String(decoding: page.rendered(try #require(theme)).html, as: UTF8.self)
        #expect(html.contains("<footer>&lt;Imprint&gt; of Shop App</footer>"))
    }

    @Test func `a file that nothing includes is warned of`() {
        let (theme, faults) = theme(["foter.mustache": "x"])
        #expect(theme != nil)
        #expect(
            faults.map(\.description) == [
                "theme/foter.mustache:1:1: warning: no template includes \"foter\" [theme]"
            ])
    }

    @Test func `a text that nothing shows is warned of`() {
        let found = theme(textNames: ["opne"]).faults.map(\.description)
        #expect(
            found == [
                "waymark.yaml:2:3: warning: no template shows the text \"opne\" [theme]\n"
                    + "    did you mean \"open\"?"
            ])
    }

    @Test(
        "an unknown name is followed by what there is to do",
        arguments: [
            ("{{>foter}}", "did you mean \"footer\"?"),
            (
                "{{>none}}",
                "the templates are actions, app, code, footer, glyph, header, hero, landing, logo, notice"
            ),
            ("{{texts.opne}}", "did you mean \"texts.open\"?"),
            ("{{texts.nothing}}", "add \"nothing\" to `site.texts`"),
        ])
    func advises(_ body: String, _ advice: String) {
        let found = theme(["landing.mustache": landing(body)]).faults
        #expect(found.first { $0.severity == .error }?.advice == advice)
    }

    @Test func `the built-in files can be an operator's own`() {
        let files = Dictionary(Theme.builtInFiles) { first, _ in first }
        #expect(files["landing.mustache"]?.contains("{{{head}}}") == true)
        #expect(theme(files).faults.isEmpty)
    }

    /// `docs/pages.md` names whatever a template can.
    @Test func `every value, text and file is described`() throws {
        let file = repository("docs/pages.md")
        let document = try String(contentsOfFile: file, encoding: .utf8)
        let names =
            Theme.variableNames + LandingTexts.Name.allCases.map(\.rawValue)
            + Theme.builtInFiles.map(\.name) + Theme.styleVariables
        for name in names { #expect(document.contains("`\(name)`"), "\(name)") }
    }

    @Test func `a file is no longer than a page should be, and UTF-8`() {
        let long = String(repeating: "x", count: 65_537)
        #expect(
            theme(["footer.mustache": long]).faults.map(\.message).contains(
                "the file has 65537 bytes, and may have 65536"))
        let bytes = Theme.File(name: "footer.mustache", path: "f", bytes: [0x61, 0xFF])
        let found = Theme.compile([bytes], digest: noDigest).faults
        #expect(found.map(\.message) == ["the file is not UTF-8"])
    }
}
