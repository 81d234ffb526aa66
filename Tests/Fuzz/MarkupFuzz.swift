import Foundation
import Markup
import Pages
import TestSupport
import SiteConfiguration

/// Puts damaged texts where values, pages and templates go: `fuzz markup COUNT [SEED] [FIRST]`.
///
/// Whatever a value holds, a program must see the elements and attributes that it sees with a
/// harmless one, also on a page of a template that nobody would write; what is put into a page
/// leaves the rest of it as it was.
struct MarkupFuzz {
    let seed: UInt64
    private var (accepted, inserted) = (0, 0)
    private let theme: Theme
    private let harmless: [[String]]

    init?(seed: UInt64) {
        guard let theme = Self.theme([:]) else { return nil }
        self.theme = theme
        self.seed = seed
        let pages = LandingPage.Platform.allCases.map { Self.page($0, "x").rendered(theme).html }
        harmless = pages.map { Self.outline($0) }
    }

    static func main(_ arguments: [String]) -> Never {
        let seed = arguments.count > 1 ? UInt64(arguments[1]) : nil
        guard let count = arguments.first.flatMap({ Int($0) }),
            var fuzz = MarkupFuzz(seed: seed ?? UInt64.random(in: 1...UInt64.max))
        else {
            print("usage: fuzz markup COUNT [SEED] [FIRST]")
            exit(64)
        }
        print("seed \(fuzz.seed)")
        let first = arguments.count > 2 ? Int(arguments[2]) ?? 0 : 0
        exit(fuzz.run(from: first, count: count) ? 0 : 1)
    }

    mutating func run(from first: Int, count: Int) -> Bool {
        for round in first..<(first + count) {
            if round % 10_000 == 0 { report(round) }
            var generator = SplitMix(seed: seed &+ UInt64(round) &* 0x1234_5678_9ABC_DEF1)
            let value = text(&generator, valuePieces)
            let fault =
                writesValue(value) ?? fillsTemplate(text(&generator, templatePieces), value)
                ?? insertsInto(text(&generator, pagePieces), value)
            if let fault {
                print("round \(round): \(fault)\n\(value.debugDescription)")
                return false
            }
        }
        report(first + count)
        return true
    }

    private func report(_ round: Int) {
        print("round \(round), \(accepted) templates accepted, \(inserted) pages written to")
        fflush(nil)
    }

    private func text(_ generator: inout SplitMix, _ pieces: [String]) -> String {
        (0..<Int.random(in: 1...12, using: &generator))
            .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
    }

    // MARK: What must hold

    private func writesValue(_ value: String) -> String? {
        for (platform, harmless) in zip(LandingPage.Platform.allCases, harmless) {
            let html = Self.page(platform, value).rendered(theme).html
            if Self.outline(html) != harmless { return "\(platform) has other elements" }
        }
        return nil
    }

    private mutating func fillsTemplate(_ template: String, _ value: String) -> String? {
        let landing = "<html>\n{{{head}}}<body>{{>own}}<p title=\"{{title}}\"></p>"
        guard let theme = Self.theme(["landing": landing, "own": template]) else { return nil }
        accepted += 1
        for platform in [LandingPage.Platform.ios, .desktop] {
            let expected = Self.outline(Self.page(platform, "x").rendered(theme).html)
            let found = Self.outline(Self.page(platform, value).rendered(theme).html)
            if found != expected { return "in the template \(template.debugDescription)" }
        }
        return nil
    }

    private mutating func insertsInto(_ page: String, _ value: String) -> String? {
        let html = Array(page.utf8)
        let head = HeadMarkup(Self.page(.ios, value).model)
        guard let result = head.inserted(into: html) else { return nil }
        inserted += 1
        let start = zip(html, result).prefix { $0 == $1 }.count
        let added = result.count - html.count
        let isWhole = (0...min(start, html.count)).contains { position in
            result[..<position] + result[(position + added)...] == html[...]
        }
        guard isWhole else { return "bytes of \(page.debugDescription) changed" }
        // Each piece of the page is there still, and what was added stands between two of them.
        let (before, after) = (Self.outline(html), Self.outline(result))
        let same = zip(before, after).prefix { $0 == $1 }.count
        let rest = before.dropFirst(same)
        guard after.suffix(rest.count).elementsEqual(rest) else {
            return "pieces of \(page.debugDescription) changed"
        }
        return nil
    }

    // MARK: Pages

    private static func theme(_ templates: [String: String]) -> Theme? {
        let files = templates.map {
            Theme.File(name: "\($0).mustache", path: $0, bytes: Array($1.utf8))
        }
        return Theme.compile(files) { _ in [UInt8](repeating: 0, count: 32) }.theme
    }

    private static func page(_ platform: LandingPage.Platform, _ value: String) -> LandingPage {
        var model = PageModel(title: value, url: "https://e.com/\(value)")
        model.description = "d\(value)"
        model.siteName = "s\(value)"
        model.language = value
        var image = PageImage("https://e.com/\(value)")
        image.alt = value
        model.image = image
        var app = PageModel.App(name: "a\(value)")
        (app.appStoreIdentifier, app.androidPackage) = ("1", "p\(value)")
        app.argument = "https://e.com/\(value)"
        model.app = app
        model.schema = .type(value)
        let texts = LandingTexts(language: "en", own: ["open": value])
        var page = LandingPage(model, texts: texts, platform: platform, link: "https://e.com/a")
        page.browser = "b\(value)"
        page.openURL = "https://o.e.com/\(value)"
        page.webURL = "https://w.e.com/\(value)"
        page.appStoreURL = "https://e.com/?\(value)"
        page.googlePlayURL = "https://e.com/#\(value)"
        page.intent = .init(package: "com.e", fallback: "https://e.com/\(value)")
        page.icon = "/i\(value)"
        page.mayBeIPad = true
        page.opensOnPhones = true
        return page
    }

    /// Elements, and the names of their attributes.
    private static func outline(_ html: [UInt8]) -> [String] {
        HTMLTokenizer(html).compactMap { token in
            switch token.kind {
            case .startTag(let tag): "<\(tag.name) \(tag.attributes.map(\.name))>"
            case .endTag(let name): "</\(name)>"
            case .comment: "!"
            case .doctype: "?"
            case .text: nil
            }
        }
    }
}

private let valuePieces = [
    "<", ">", "\"", "'", "&", "=", "/", "`", " ", "\n", "\r\n", "\0", "\u{301}", "\u{20D2}", "<b>",
    "</title>", "</script>", "</style>", "<!--", "-->", "]]>", "{{title}}", "{{{head}}}",
    "{browser}",
    "\u{E000}title\u{E001}", "\u{E000}", "\u{E001}", "javascript:", "&lt;", "&#60;", "\u{2028}",
    "\u{85}", "\\", ",", "%", "#", "?", ";", "{", "}", "x", "é", "😀", " onload=x",
]

private let templatePieces = [
    "{{title}}", "{{description}}", "{{{qr}}}", "{{link}}", "{{open}}", "{{picture.url}}",
    "{{#ios}}", "{{/ios}}", "{{^ios}}", "{{#open}}", "{{/open}}", "{{.}}", "{{#picture}}",
    "{{url}}", "{{alt}}", "{{/picture}}", "{{! c }}", "{{>footer}}", "{{texts.open}}", "<p>",
    "</p>",
    "<a href=\"", "<a href='", "<p title=\"", "<p title=", "\"", "'", ">", "<", "<title>",
    "</title>", "<!--",
    "-->", "<script>", "</script>", "<style>", "</style>", " ", "=", "/", "&", "x", "\n", "{", "}",
    "<textarea>", "</textarea>", "<svg>", "<![CDATA[", "]]>", "<plaintext>", "<noscript>",
]

private let pagePieces = [
    "<!doctype html>", "<html>", "<head>", "</head>", "<HEAD\n>", "<body>", "</body>", "<title>",
    "</title>", "<meta name=description content=x>", "<meta property='og:image' content=x>",
    "<link rel=canonical href=/>", "<script>", "</script>", "<script type=application/ld+json>",
    "{\"@type\":\"Restaurant\"}", "<!--", "-->", "<style>", "</style>", "<noscript>", "</noscript>",
    "<template>", "</template>", "<p>", "x", " ", "\n", "<", ">", "\"", "'", "<a b=\"", "</html>",
    "</p>", "\0", "\u{FEFF}", "<noframes>", "</noframes>", "<base href=/>", "<frameset>", "&lt;",
]
