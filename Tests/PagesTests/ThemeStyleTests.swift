import Diagnostics
import Foundation
import Pages
import Testing

@Suite("A theme's styles")
struct ThemeStyleTests {
    private func css(_ own: String = "", _ variables: [String: String] = [:]) throws -> String {
        let (theme, faults) = theme(["style.css": own], variables: variables)
        #expect(faults.isEmpty)
        let html = landingPage(.ios).rendered(try #require(theme)).html
        return String(decoding: html, as: UTF8.self).components(separatedBy: "style>")[1]
    }

    @Test func `own styles follow the built-in ones, with one form of line end`() throws {
        #expect(try css("a{}\r\nb{}\rc{}").hasSuffix("a{}\nb{}\nc{}</"))
    }

    @Test func `one button is the main one, also where the store's comes before the site's`() throws
    {
        let css = try css()
        #expect(css.contains(".stores:first-child:not(:has(~.primary))>.button:first-child{"))
        #expect(!css.contains(".stores:first-child>.button:first-child"))
    }

    @Test(
        "what could end the styles, or is forbidden in them, is refused",
        arguments: [
            ("a{}\n</style>", 2, 1), ("<!--", 1, 1), ("a{}\n  @import 'x';", 2, 3),
            ("a\u{0}", 1, 2),
        ])
    func refused(_ own: String, _ line: Int, _ column: Int) {
        let faults = theme(["style.css": own]).faults
        #expect(
            faults.map(\.position) == [
                SourcePosition(file: "theme/style.css", line: line, column: column)
            ])
    }

    @Test func `a colour is for light pages, one for dark pages says so, an accent is for both`()
        throws
    {
        let css = try css("", ["surface": "#eee", "surface-dark": "#111", "accent": "#ff6600"])
        let light = try #require(css.components(separatedBy: "@media").first)
        let dark = try #require(css.components(separatedBy: "@media").dropFirst().first)
        #expect(light.contains("--surface:#eee") && dark.contains("--surface:#111"))
        #expect(light.contains("--accent:#ff6600") && dark.contains("--accent:#ff6600"))
    }

    @Test(
        "words on an accent are white where that can be read, and else black",
        arguments: [
            ("#ffffff", "#000000"), ("#000", "#ffffff"), ("#ff6600", "#000000"),
            ("#1757d6", "#ffffff"),
            ("#767676", "#ffffff"), ("#777777", "#000000"), ("#e6007e", "#ffffff"),
            ("#ff0000", "#000000"), ("rebeccapurple", "#ffffff"), ("gold", "#000000"),
            ("Yellow", "#000000"), ("navy", "#ffffff"), ("aliceblue", "#000000"),
            ("yellowgreen", "#000000"), ("AccentColor", "#ffffff"),
        ])
    func accents(_ accent: String, _ text: String) throws {
        #expect(try css("", ["accent": accent]).contains("--on-accent:\(text);"))
        #expect(try css("", ["accent": accent, "on-accent": "#123"]).contains("--on-accent:#123;"))
    }

    @Test(
        "no value of a variable can end its declaration",
        arguments: [
            "red;}", "url(x)", "</style>", "\"", "'", "a:b", "{", "\\3c", "", "a\nb", "é",
        ])
    func values(_ value: String) {
        #expect(theme(variables: ["accent": value]).theme == nil)
        #expect(theme(variables: ["accent": "#fff"]).theme != nil)
    }
}
