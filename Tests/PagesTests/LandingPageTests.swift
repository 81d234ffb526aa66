import Foundation
import Markup
import Pages
import SiteConfiguration
import Testing

/// A page that has everything, for one kind of device.
func landingPage(
    _ platform: LandingPage.Platform, _ value: (String) -> String = { $0 }
) -> LandingPage {
    var page = LandingPage(
        fullModel(value), texts: LandingTexts(language: "en"), platform: platform,
        link: "https://e.com/a?b=c&d=e")
    page.appName = value("Shop App")
    page.picture = page.model.image?.url
    page.opensOnPhones = true
    page.openURL = "https://open.e.com/a"
    page.intent = .init(package: "com.e.shop", fallback: "https://play.google.com/x?id=1&r=2")
    page.schemeURL = "shop://a"
    page.appStoreURL = "https://apps.apple.com/app/id1"
    page.googlePlayURL = "https://play.google.com/x?id=1"
    page.webURL = "https://www.e.com/a"
    page.icon = "/icon.png"
    page.logo = "https://cdn.e.com/logo.svg"
    return page
}

private let builtIn: Theme? = {
    let builtIn = theme().theme
    for platform in LandingPage.Platform.allCases { builtIn?.prepare(landingPage(platform)) }
    return builtIn
}()

/// Between them they have every part of the built-in templates.
private let platforms = [LandingPage.Platform.android, .desktop]

private let harmless = platforms.map { platform in
    Outline(builtIn.map { hostilePage(platform, { $0 }).rendered($0).html } ?? [])
}

private func hostilePage(
    _ platform: LandingPage.Platform, _ value: (String) -> String
) -> LandingPage {
    var page = landingPage(platform, value)
    page.browser = value("Instagram")
    page.link = "https://e.com/\(value("a"))"
    page.webURL = "https://e.com/\(value("a"))"
    page.texts = LandingTexts(language: "en", own: ["open": value("Open")])
    return page
}

@Suite("Landing pages")
struct LandingPageTests {
    private func render(
        _ platform: LandingPage.Platform, _ change: (inout LandingPage) -> Void = { _ in }
    ) throws -> RenderedPage {
        var page = landingPage(platform)
        change(&page)
        return page.rendered(try #require(builtIn))
    }

    /// The links of a page, in order, with what they say.
    private func links(_ page: RenderedPage) -> [String] {
        var result = [String]()
        var address: String?
        for token in HTMLTokenizer(page.html) {
            switch token.kind {
            case .startTag(let tag) where tag.name == "a": address = tag["href"] ?? ""
            case .startTag(let tag) where tag.name == "img" && address != nil:
                result.append("\(address ?? "") [\(tag["alt"] ?? "")]")
            case .text(let text):
                if let found = address { result.append("\(found) \(text)") }
                address = nil
            // A drawing in front of the text.
            case .startTag(let tag) where ["svg", "path"].contains(tag.name): break
            case .endTag(let name) where ["svg", "path"].contains(name): break
            default: address = nil
            }
        }
        return result
    }

    private let intent =
        "intent://e.com/a?b=c&d=e#Intent;scheme=https;package=com.e.shop;"
        + "S.browser_fallback_url=https%3A%2F%2Fplay.google.com%2Fx%3Fid%3D1%26r%3D2;end"

    @Test(
        "an iPhone and an iPad open the app on its other host",
        arguments: [
            LandingPage.Platform.ios, .ipad,
        ])
    func apple(_ platform: LandingPage.Platform) throws {
        #expect(
            try links(render(platform)) == [
                "https://open.e.com/a Open in the app",
                "https://apps.apple.com/app/id1 Get it on the App Store",
                "https://www.e.com/a Continue on the web",
                "shop://a Nothing happened? Open the app directly",
            ])
    }

    @Test func `Android opens the app by an intent, or the link where intents fail`() throws {
        let rest = [
            "https://play.google.com/x?id=1 Get it on Google Play",
            "https://www.e.com/a Continue on the web",
        ]
        func opening(_ change: (inout LandingPage) -> Void) throws -> [String] {
            try links(
                render(.android) { page in
                    page.schemeURL = nil
                    change(&page)
                })
        }
        #expect(try opening { _ in } == ["\(intent) Open in the app"] + rest)
        let plain = ["https://open.e.com/a Open in the app"] + rest
        #expect(try opening { $0.intent = nil } == plain)
        // What cannot work comes last there, after the advice.
        let inApp = rest + ["https://open.e.com/a Open in the app"]
        #expect(try opening { $0.browser = "Instagram" } == inApp)
        #expect(try opening { ($0.intent, $0.openURL) = (nil, nil) } == rest)
    }

    @Test(
        "an intent is made of a link, a package and a fallback, or not at all",
        arguments: [
            ("com.e.shop", "https://e.com/", true), ("com.e;x=y", "https://e.com/", false),
            ("", "https://e.com/", false), ("com.e.shop", "javascript:alert(1)", false),
        ])
    func intents(_ package: String, _ fallback: String, _ isMade: Bool) throws {
        let page = try render(.android) { $0.intent = .init(package: package, fallback: fallback) }
        #expect(String(decoding: page.html, as: UTF8.self).contains("href=\"intent:") == isMade)
    }

    @Test func `a desktop shows both stores, the way on, and a code of the link`() throws {
        let page = try render(.desktop)
        #expect(
            links(page) == [
                "https://www.e.com/a Continue on the web",
                "https://apps.apple.com/app/id1 Get it on the App Store",
                "https://play.google.com/x?id=1 Get it on Google Play",
            ])
        let html = String(decoding: page.html, as: UTF8.self)
        #expect(html.contains("<svg class=\"qr\" role=\"img\" aria-label=\"QR code of this link\""))
        #expect(html.contains("<bdi>e.com/a?b=c&amp;d=e</bdi>"))
        #expect(!html.contains("maxTouchPoints") && !html.contains("data-copy"))
    }

    @Test func `a desktop promises no app where no phone opens one`() throws {
        let page = try render(.desktop) { ($0.opensOnPhones, $0.openURL) = (false, nil) }
        #expect(links(page).count == 3)
        let html = String(decoding: page.html, as: UTF8.self)
        #expect(html.contains("<svg class=\"qr\"") && !html.contains("in the app"))
    }

    @Test func `the app's name is the one that the visitor's system has`() throws {
        let page = try render(.android) {
            $0.appName = "Owl"
            $0.texts = LandingTexts(language: "en", own: ["open": "Open in {app}"])
        }
        #expect(links(page).first == "\(intent) Open in Owl")
        let html = String(decoding: page.html, as: UTF8.self)
        #expect(html.contains("<p dir=\"auto\">Owl</p>"))
    }

    @Test func `what may be an iPad is asked once, and offered what an iPad is`() throws {
        let page = try render(.desktop) { $0.mayBeIPad = true }
        #expect(
            links(page).prefix(2) == [
                "https://open.e.com/a Open in the app",
                "https://apps.apple.com/app/id1 Get it on the App Store",
            ])
        #expect(page.contentSecurityPolicy.contains("script-src 'sha256-"))
        #expect(String(decoding: page.html, as: UTF8.self).contains("<script>if(navigator"))
        let other = try render(.desktop) { ($0.mayBeIPad, $0.openURL) = (true, nil) }
        #expect(!String(decoding: other.html, as: UTF8.self).contains("maxTouchPoints"))
    }

    @Test func `the browser of another app is named, with advice`() throws {
        let page = try render(.ios) { $0.browser = "Insta<gram>" }
        let html = String(decoding: page.html, as: UTF8.self)
        #expect(html.contains("Insta&lt;gram&gt; shows this page in a browser of its own"))
        #expect(try !String(decoding: render(.ios).html, as: UTF8.self).contains("class=\"notice"))
    }

    @Test func `the app's own scheme is offered as a link, and only when it is the app's`() throws {
        #expect(try links(render(.ios) { $0.openURL = nil }).first == "shop://a Open in the app")
        for url in ["other://a", "javascript:alert(1)", "shop\u{301}://a"] {
            #expect(try links(render(.ios) { $0.schemeURL = url }).count == 3)
        }
        let html = String(decoding: try render(.ios).html, as: UTF8.self)
        #expect(!html.contains("http-equiv") && !html.contains("location"))
    }

    @Test func `in another app's browser the link is copied, with script or by hand`() throws {
        let page = try render(.ios) { $0.browser = "Instagram" }
        let html = String(decoding: page.html, as: UTF8.self)
        let notice = try #require(html.range(of: "class=\"notice\""))
        for later in ["class=\"picture\"", "<h1", "https://open.e.com/a"] {
            #expect(try #require(html.range(of: later)).lowerBound > notice.upperBound)
        }
        // Without script the button is hidden, and the address is there to be copied.
        #expect(html.contains("data-copy=\"https://e.com/a?b=c&amp;d=e\""))
        #expect(html.contains("aria-describedby=\"address\" hidden>Copy link</button>"))
        #expect(html.contains("id=\"address\">https://e.com/a?b=c&amp;d=e</bdi>"))
        #expect(page.contentSecurityPolicy.contains("script-src 'sha256-"))
    }

    struct Names: Sendable, CustomTestStringConvertible {
        let title: String
        let app: String?
        let site: String?
        /// What is shown above the title.
        let shown: [String]
        var testDescription: String { "\(title), \(app ?? "-"), \(site ?? "-")" }
    }

    static let names = [
        Names(title: "T", app: "App", site: "Site", shown: ["Site", "App"]),
        Names(title: "T", app: "App", site: "App", shown: ["App"]),
        Names(title: "App", app: "App", site: "Site", shown: ["Site"]),
        Names(title: "App", app: "App", site: "App", shown: []),
        Names(title: "Site", app: "App", site: "Site", shown: ["App"]),
        Names(title: "Site", app: nil, site: "Site", shown: []),
        Names(title: "T", app: nil, site: nil, shown: []),
    ]

    @Test("each name is shown once", arguments: names)
    func shownNames(_ names: Names) throws {
        let page = try render(.ios) {
            ($0.model.title, $0.appName, $0.model.siteName) = (names.title, names.app, names.site)
            ($0.logo, $0.icon, $0.home) = (nil, nil, nil)
        }
        let html = String(decoding: page.html, as: UTF8.self)
        let body = try #require(html.components(separatedBy: "<body").last)
        let above = body.components(separatedBy: "<h1").first ?? ""
        let shown = HTMLTokenizer(Array(above.utf8)).compactMap { token -> String? in
            guard case .text(let text) = token.kind else { return nil }
            let word = text.trimmingCharacters(in: .whitespacesAndNewlines)
            return word.isEmpty || word.contains("class=") ? nil : word
        }
        #expect(shown == names.shown)
    }

    @Test(
        "a page leads to the site by its name, or else by its host",
        arguments: [
            ("T", "App", "App", "https://www.e.com/x", "App"),
            ("App", "App", "App", "https://www.e.com/", "www.e.com"),
            ("Site", nil, "Site", "https://www.e.com/", "www.e.com"),
            ("T", nil, nil, "/", "links.e.com"), ("T", "App", "Site", "/", "Site"),
        ] as [(String, String?, String?, String, String)])
    func leadsHome(
        _ title: String, _ app: String?, _ site: String?, _ home: String, _ shown: String
    ) throws {
        let page = try render(.ios) {
            ($0.model.title, $0.appName, $0.model.siteName) = (title, app, site)
            ($0.logo, $0.icon, $0.home, $0.link) = (nil, nil, home, "https://links.e.com/a")
        }
        let html = String(decoding: page.html, as: UTF8.self)
        #expect(html.contains("<a href=\"\(home)\">\(shown)</a>"), "\(html)")
    }

    @Test(
        "a number and its unit stay on one line",
        arguments: [
            ("20 % off, only 15 € a day", "20\u{A0}% off, only 15\u{A0}€ a day"),
            ("Shoes – poster — two", "Shoes\u{A0}– poster\u{A0}— two"), ("– a –b –", "– a –b –"),
            ("100 km/h", "100\u{A0}km/h"), ("um 9 Uhr", "um 9\u{A0}Uhr"),
            ("5 minutes", "5 minutes"),
            ("9 Uhren, 3 mal", "9 Uhren, 3 mal"), ("7 g", "7\u{A0}g"), ("7 größer", "7 größer"),
            ("7 ", "7 "), (" % ", " % "),
            ("2 m2", "2 m2"), ("2 m\u{B2}", "2 m\u{B2}"),
        ])
    func units(_ text: String, _ shown: String) throws {
        let html = String(
            decoding: try render(.ios) { ($0.model.title, $0.model.description) = (text, text) }
                .html, as: UTF8.self)
        #expect(html.contains(">\(shown)</h1>") && html.contains(">\(shown)</p>"), "\(html)")
        // Programs read what was written.
        #expect(html.contains("<title>\(text)"))
    }

    @Test func `a long title has smaller letters, and a page without a picture has colours`() throws
    {
        for (count, isLong) in [(80, false), (81, true)] {
            let html = String(
                decoding: try render(.ios) {
                    ($0.model.title, $0.picture) = (String(repeating: "ä", count: count), nil)
                }.html, as: UTF8.self)
            #expect(
                html.contains("class=\"title long\"") == isLong && html.contains("class=\"hero\""))
        }
        #expect(try !String(decoding: render(.ios).html, as: UTF8.self).contains("class=\"hero\""))
    }

    @Test func `the logo leads to the site, and the page ends with imprint and privacy`() throws {
        let page = try render(.ios) {
            ($0.home, $0.imprint, $0.privacy) = ("https://www.e.com/", "/imprint", "/privacy")
        }
        let html = String(decoding: page.html, as: UTF8.self)
        #expect(html.contains("<a href=\"https://www.e.com/\"><img class=\"logo\""))
        #expect(
            links(page).suffix(2) == ["/imprint Imprint", "/privacy Privacy"])
        #expect(try !String(decoding: render(.ios).html, as: UTF8.self).contains("<footer"))
    }

    @Test func `a picture that cannot be loaded is replaced by its text`() throws {
        let html = String(decoding: try render(.ios).html, as: UTF8.self)
        #expect(html.contains("i.replaceWith(i.alt)"))
        let page = try render(.ios) { ($0.picture, $0.icon, $0.logo) = (nil, nil, nil) }
        #expect(!page.contentSecurityPolicy.contains("script-src"))
    }

    @Test(
        "where there is no way on, the page says so and leads to the site",
        arguments: LandingPage.Platform.allCases)
    func stranded(_ platform: LandingPage.Platform) throws {
        let page = try render(platform) {
            ($0.openURL, $0.intent, $0.schemeURL, $0.webURL) = (nil, nil, nil, nil)
            ($0.appStoreURL, $0.googlePlayURL, $0.logo) = (nil, nil, nil)
            ($0.isStranded, $0.home) = (true, "/")
        }
        let html = String(decoding: page.html, as: UTF8.self)
        #expect(html.contains("No app that opens this link is in this device’s app store."))
        #expect(links(page).last == "/ Go to the website")
    }

    @Test func `badges take the position of buttons, with the trademark's words`() throws {
        let page = try render(.desktop) {
            ($0.appStoreBadge, $0.googlePlayBadge) = ("/a.svg", "/g.svg")
        }
        #expect(
            links(page).dropFirst() == [
                "https://apps.apple.com/app/id1 [Get it on the App Store]",
                "https://play.google.com/x?id=1 [Get it on Google Play]",
            ])
        #expect(String(decoding: page.html, as: UTF8.self).contains("trademarks of Google LLC"))
        let one = try render(.ios) { $0.googlePlayBadge = "/g.svg" }
        #expect(!String(decoding: one.html, as: UTF8.self).contains("trademarks"))
    }

    @Test func `a page in Arabic goes from right to left`() throws {
        let page = try render(.ios) {
            $0.texts = LandingTexts(language: "ar")
            $0.model.language = "ar"
        }
        let html = String(decoding: page.html, as: UTF8.self)
        #expect(html.contains("<html lang=\"ar\" dir=\"rtl\""))
        #expect(html.contains("الفتح في التطبيق"))
    }

    @Test func `a model of a title alone makes a page, with a heading`() throws {
        let page = LandingPage(
            PageModel(title: "T", url: "https://e.com/"), texts: LandingTexts(language: "en"),
            platform: .ios, link: "https://e.com/"
        ).rendered(try #require(builtIn))
        #expect(links(page) == [])
        #expect(
            String(decoding: page.html, as: UTF8.self).contains(
                "<h1 class=\"title\" dir=\"auto\">T</h1>"))
    }

    @Test func `the policy allows what the page has, and nothing else`() throws {
        let rest = "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        let hash = "'sha256-\(Data(count: 32).base64EncodedString())'"
        #expect(
            try render(.ios).contentSecurityPolicy == "default-src 'none'; style-src \(hash); "
                + "script-src \(hash); img-src 'self' https://cdn.e.com https://e.com; manifest-src 'self'\(rest)"
        )
        let own = theme([
            "footer.mustache": "<style>a</style><script>b</script><img src=\"https://i.e.com/x\">",
            "style.css": "@font-face{src:url(/f.woff2)}",
        ])
        let page = landingPage(.ios).rendered(try #require(own.theme))
        #expect(
            page.contentSecurityPolicy == "default-src 'none'; style-src \(hash); "
                + "script-src \(hash); img-src 'self' https://cdn.e.com https://e.com "
                + "https://i.e.com; font-src 'self'; manifest-src 'self'\(rest)")
    }

    @Test("a page is small, with everything in it", arguments: LandingPage.Platform.allCases)
    func sizes(_ platform: LandingPage.Platform) throws {
        let page = try render(platform) {
            $0.mayBeIPad = true
            $0.link = "https://e.com/" + String(repeating: "a", count: 386)
            $0.model.description = String(repeating: "<", count: 1000)
        }
        #expect(page.html.count < 60_000)
    }

    @Test("what was laid out before is the same page", arguments: LandingPage.Platform.allCases)
    func prepared(_ platform: LandingPage.Platform) throws {
        let fresh = try #require(theme().theme)
        let page = landingPage(platform)
        #expect(page.rendered(fresh) == page.rendered(try #require(builtIn)))
        let other = try #require(theme().theme)
        other.prepare(landingPage(platform) { _ in "x" })
        #expect(page.rendered(other) == page.rendered(fresh))
    }

    @Test("no value becomes markup", arguments: hostileValues)
    func hostile(_ value: String) throws {
        for (platform, harmless) in zip(platforms, harmless) {
            let page = hostilePage(platform) { "\(value)\($0)" }
            let elements = Outline(page.rendered(try #require(builtIn)).html).elements
            let isSame = elements == harmless.elements
            // A long link has no code.
            #expect(isSame || (platform == .desktop && page.link.utf8.count > 400))
        }
    }

    @Test func `a link too long to be read off a screen has no code`() throws {
        func html(_ bytes: Int) throws -> String {
            let link = "https://e.com/" + String(repeating: "a", count: bytes - 14)
            return String(decoding: try render(.desktop) { $0.link = link }.html, as: UTF8.self)
        }
        #expect(try html(400).contains("class=\"qr\""))
        #expect(try !html(401).contains("class=\"qr\""))
    }

    @Test("as an address a value leads nowhere else", arguments: hostileValues)
    func addresses(_ value: String) throws {
        let page = try render(.android) {
            ($0.openURL, $0.schemeURL, $0.webURL) = (value, value, value)
            ($0.appStoreURL, $0.googlePlayURL, $0.link) = (value, value, value)
            ($0.icon, $0.logo, $0.googlePlayBadge) = (value, value, value)
            $0.intent = .init(package: value, fallback: value)
        }
        for token in HTMLTokenizer(page.html) {
            guard case .startTag(let tag) = token.kind else { continue }
            for address in [tag["href"], tag["src"]].compactMap(\.self) {
                let isWeb = address.utf8.starts(with: "https://e.com/".utf8)
                let isPath =
                    address.utf8.starts(with: "/".utf8) && !address.utf8.starts(with: "//".utf8)
                #expect(isWeb || isPath, "\(address)")
            }
        }
        #expect(page.contentSecurityPolicy.utf8.allSatisfy { (0x20...0x7E).contains($0) })
        #expect(page.contentSecurityPolicy.utf8.count { $0 == UInt8(ascii: ";") } == 7)
    }
}
