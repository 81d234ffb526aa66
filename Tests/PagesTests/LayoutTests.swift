import Foundation
import Pages
import Testing

@Suite("Templates laid out")
struct LayoutTests {
    /// The body of a page whose template is this, with the markers around it.
    private func laidOut(
        _ body: String, _ others: [String: String] = [:], _ platform: LandingPage.Platform = .ios,
        _ change: (inout LandingPage) -> Void = { _ in }
    ) throws -> String {
        var files = others
        files["landing.mustache"] = "{{{head}}}<body>[\(body)]</body>"
        let (theme, faults) = theme(files, textNames: ["own"])
        var page = landingPage(platform)
        page.icon = nil
        page.texts = LandingTexts(language: "en", own: ["own": "Our own"])
        change(&page)
        let html = page.rendered(try #require(theme, "\(faults)")).html
        let text = String(decoding: html, as: UTF8.self)
        let start = try #require(text.range(of: "<body>["))
        let end = try #require(text.range(of: "]</body>"))
        return String(text[start.upperBound..<end.lowerBound])
    }

    static let onOneLine: [(template: String, page: String)] = [
        ("a{{title}}b", "aA titleb"),
        ("{{ title }}{{! nobody sees }}", "A title"),
        ("{{app.icon}}", ""),
        ("{{#title}}yes{{/title}}{{^title}}no{{/title}}", "yes"),
        ("{{#app.icon}}yes{{/app.icon}}{{^app.icon}}no{{/app.icon}}", "no"),
        // Members, and what is not a member.
        ("{{#app}}{{name}}, {{title}}{{#icon}}!{{/icon}}{{/app}}", "Shop App, A title"),
        ("{{#app}}{{#site}}{{name}}{{/site}} {{name}}{{/app}}", "Shop Shop App"),
        ("{{^app}}{{title}}{{/app}}{{#app}}{{^icon}}{{name}}{{/icon}}{{/app}}", "Shop App"),
        // The value of a section.
        ("{{#web}}{{.}}{{/web}}", "https://www.e.com/a"),
        ("{{#web}}{{#title}}{{.}}{{/title}} {{.}}{{/web}}", "A title https://www.e.com/a"),
        ("{{#texts.own}}{{.}}{{/texts.own}}, {{texts.own}}", "Our own, Our own"),
        // Flags, and what is hidden within what is hidden.
        ("{{#ios}}i{{/ios}}{{#android}}a{{/android}}{{^android}}n{{/android}}", "in"),
        ("1{{#android}}2{{#ios}}3{{/ios}}4{{^ios}}5{{/ios}}6{{/android}}7", "17"),
        ("{{#ios}}{{#android}}1{{/android}}2{{/ios}}3", "23"),
        ("{{#android}}{{title}}{{{qr}}}{{>part}}{{/android}}", ""),
        ("{{>part}}, {{#app}}{{>part}}{{/app}}", "<p>A title</p>, <p>A title</p>"),
        // Braces that are no tags.
        ("{ {title} } }}", "{ {title} } }}"),
    ]

    @Test("values, sections and parts", arguments: onOneLine)
    func line(_ row: (template: String, page: String)) throws {
        #expect(try laidOut(row.template, ["part.mustache": "<p>{{title}}</p>"]) == row.page)
    }

    static let lines: [(template: String, page: String)] = [
        ("\n{{#ios}}\na\n{{/ios}}\nb\n", "\na\nb\n"),
        ("\n  {{#ios}} \n  a\n\t{{/ios}}\t\nb", "\n  a\nb"),
        ("\r\n{{#ios}}\r\na\r\n{{/ios}}\r\nb", "\r\na\r\nb"),
        ("\n{{#android}}\na\n{{/android}}\nb", "\nb"),
        ("\n{{! nobody sees }}\na", "\na"),
        ("\n{{>part}}\na", "\n<p>A title</p>\na"),
        // Two tags, or a tag and a letter, are a line of the page.
        ("\n{{#ios}}{{/ios}}\na", "\n\na"),
        ("\n{{#ios}} a\n{{/ios}}b\n", "\n a\nb\n"),
        ("\n{{title}}\na", "\nA title\na"),
    ]

    @Test("a line with a tag that shows nothing is no line of the page", arguments: lines)
    func standalone(_ row: (template: String, page: String)) throws {
        #expect(try laidOut(row.template, ["part.mustache": "<p>{{title}}</p>\n"]) == row.page)
    }

    @Test("so at a template's first and last line", arguments: ["\n", ""])
    func ends(_ lineEnd: String) throws {
        let part = "{{#ios}}\n<p>{{title}}</p>\n{{/ios}}\(lineEnd)"
        #expect(try laidOut("{{>part}}", ["part.mustache": part]) == "<p>A title</p>\n")
    }

    @Test func `a part sees the sections around it`() throws {
        let page = try laidOut(
            "{{#app}}{{>part}}{{/app}}{{#site}}{{>part}}{{/site}}",
            ["part.mustache": "<i>{{name}}</i>"])
        #expect(page == "<i>Shop App</i><i>Shop</i>")
    }
}
