import Foundation
import Resolution
import SiteConfiguration
import Testing

@Suite("Who asks, by the user agent")
struct VisitorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let platform: WebPlatform
        let kind: Visitor.Kind
        let inApp: String?
        let agent: String

        init(
            _ name: String, _ platform: WebPlatform, _ agent: String,
            kind: Visitor.Kind = .person, inApp: String? = nil
        ) {
            (self.name, self.platform, self.agent) = (name, platform, agent)
            (self.kind, self.inApp) = (kind, inApp)
        }

        var testDescription: String { name }
    }

    private static let webKit = "AppleWebKit/605.1.15 (KHTML, like Gecko)"
    private static let iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) \(webKit)"
    private static let iPad = "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) \(webKit)"
    private static let mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)"
    private static let pixel = "Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/google/tokay)"
    private static let blink = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0"

    static let rows = [
        Row("Safari on an iPhone", .ios, "\(iPhone) Version/18.5 Mobile/15E148 Safari/604.1"),
        Row("Chrome on an iPhone", .ios, "\(iPhone) CriOS/142.0 Mobile/15E148 Safari/604.1"),
        Row("Firefox on an iPhone", .ios, "\(iPhone) FxiOS/144.0 Mobile/15E148 Safari/605.1.15"),
        Row("Safari on an iPod", .ios, "Mozilla/5.0 (iPod touch; CPU iPhone OS 15_8) \(webKit)"),
        Row(
            "Safari on an iPad asking for mobile pages", .ipad, "\(iPad) Version/18.5 Mobile/15E148"
        ),
        Row("Chrome on an iPad", .ipad, "\(iPad) CriOS/142.0 Mobile/15E148 Safari/604.1"),
        Row(
            "Safari on a Mac, or on an iPad", .desktop,
            "\(mac) \(webKit) Version/18.5 Safari/605.1.15"),
        Row("Chrome on a Mac", .desktop, "\(mac) \(blink) Safari/537.36"),
        Row("Chrome on Windows", .desktop, "Mozilla/5.0 (Windows NT 10.0) \(blink) Safari/537.36"),
        Row(
            "Firefox on Linux", .desktop, "Mozilla/5.0 (X11; Linux x86_64) Firefox/144.0"),
        Row("Chrome on Android", .android, "\(pixel) \(blink) Mobile Safari/537.36"),
        Row(
            "Firefox on Android", .android,
            "Mozilla/5.0 (Android 15; Mobile; rv:144.0) Firefox/144.0"),
        Row(
            "a tablet", .android, "Mozilla/5.0 (Linux; Android 14; SM-X910) \(blink)"),
        Row(
            "a Windows phone, which named them all", .desktop,
            "Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Lumia) like iPhone OS 7_0_3"),
        Row("curl", .desktop, "curl/8.11.0"), Row("nothing", .desktop, ""),
        Row(
            "Instagram on an iPhone", .ios, "\(iPhone) Mobile/22F76 Instagram 384.0.0",
            inApp: "Instagram"),
        Row(
            "Instagram on a Pixel", .android, "\(pixel) \(blink) Instagram 384.0.0",
            inApp: "Instagram"),
        Row(
            "Facebook on an iPhone", .ios, "\(iPhone) Mobile/22F76 [FBAN/FBIOS;FBAV/514.0]",
            inApp: "Facebook"),
        Row(
            "Facebook on an iPad", .ipad, "\(iPad) Mobile/22F76 [FBAN/FBIOS;FBAV/514.0]",
            inApp: "Facebook"),
        Row(
            "Facebook on Android", .android, "\(pixel) \(blink) [FB_IAB/FB4A;FBAV/514.0;]",
            inApp: "Facebook"),
        Row("the Google app", .ios, "\(iPhone) GSA/376.0 Mobile/15E148", inApp: "Google"),
        Row("X on an iPhone", .ios, "\(iPhone) Mobile/22F76 Twitter for iPhone/11.3", inApp: "X"),
        Row("LinkedIn", .ios, "\(iPhone) Mobile/22F76 [LinkedInApp]/9.31", inApp: "LinkedIn"),
        Row("WeChat", .android, "\(pixel) \(blink) MicroMessenger/8.0.60", inApp: "WeChat"),
        Row("LINE", .ios, "\(iPhone) Mobile/22F76 Safari Line/15.9", inApp: "LINE"),
        Row("TikTok", .ios, "\(iPhone) Mobile/22F76 musical_ly_40.3.0", inApp: "TikTok"),
        Row(
            "Snapchat", .ios, "\(iPhone) Mobile/22F76 Snapchat/13.45 (like Safari)",
            inApp: "Snapchat"),
        Row("Pinterest's app", .ios, "\(iPhone) Mobile/22F76 [Pinterest/iOS]", inApp: "Pinterest"),
        Row(
            "Messages, which poses as two others", .desktop,
            "\(mac) AppleWebKit/601.2.4 Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 "
                + "Facebot Twitterbot/1.0", kind: .preview("Messages")),
        Row("Facebook's preview", .desktop, "facebookexternalhit/1.1", kind: .preview("Facebook")),
        Row("X's preview", .desktop, "Twitterbot/1.0", kind: .preview("X")),
        Row(
            "LinkedIn's preview", .desktop, "LinkedInBot/1.0 (compatible)",
            kind: .preview("LinkedIn")),
        Row("Slack's preview", .desktop, "Slackbot-LinkExpanding 1.0", kind: .preview("Slack")),
        Row(
            "Discord's preview", .desktop, "Mozilla/5.0 (compatible; Discordbot/2.0)",
            kind: .preview("Discord")),
        Row(
            "Telegram's preview", .desktop, "TelegramBot (like TwitterBot)",
            kind: .preview("Telegram")),
        Row("WhatsApp's preview", .desktop, "WhatsApp/2.24.6.77 A", kind: .preview("WhatsApp")),
        Row(
            "Applebot", .desktop, "\(mac) \(webKit) Version/17.4 Safari/605.1.15 (Applebot/0.1)",
            kind: .searchEngine("Applebot")),
        Row(
            "Googlebot as a phone", .android, "\(pixel) \(blink) (compatible; Googlebot/2.1)",
            kind: .searchEngine("Googlebot")),
        Row(
            "Bing", .desktop, "Mozilla/5.0 (compatible; bingbot/2.0)",
            kind: .searchEngine("Bingbot")),
        Row(
            "a preview that names itself before a slash", .desktop, "Slackbot 1.0(+https://a.b/)",
            kind: .preview("Slack")),
        Row(
            "Threads on an iPhone", .ios, "\(iPhone) Mobile/22F76 Barcelona 384.0.0",
            inApp: "Threads"),
        Row("KakaoTalk", .android, "\(pixel) \(blink) KAKAOTALK 25.9.0", inApp: "KakaoTalk"),
        Row(
            "an Android app's view", .android,
            "Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) Version/4.0 Chrome/142.0.0.0",
            inApp: "an Android app"),
        Row("Pinterest's crawler, which is no preview", .desktop, "Pinterest/0.2 (+http://a.b/)"),
        Row("Viber, where people are", .ios, "\(iPhone) Mobile/15E148 Viber/25.0"),
        Row("a word in a word", .desktop, "Mozilla/5.0 NotAndroid xGooglebot MyInstagram 3"),
        Row(
            "Google's verifier", .desktop, "GoogleAssociationService",
            kind: .verifier("Google's verifier")),
        Row("Apple's CDN", .desktop, "AASA-Bot/1.0.0", kind: .verifier("Apple's CDN")),
        Row(
            "a device", .desktop, "com.apple.swcd (unknown version) CFNetwork/1568 Darwin/24.0",
            kind: .verifier("an Apple device")),
        Row("an app with a network library", .desktop, "Shop/3 CFNetwork/1568 Darwin/24.0"),
        Row("a robot vacuum's browser", .desktop, "Mozilla/5.0 (X11; CubotOS) Gecko"),
    ]

    @Test("clients are told apart", arguments: rows)
    func visitor(_ row: Row) {
        let visitor = Visitor(userAgent: row.agent)
        #expect(visitor.platform == row.platform)
        #expect(visitor.kind == row.kind)
        #expect(visitor.inAppBrowser == row.inApp)
        #expect(visitor.mayBeIPad == row.name.contains("on a Mac, or"))
    }

    @Test(
        "logs have a word for each kind of client",
        arguments: [
            ("iphone-safari", "browser"), ("android-firefox", "browser"),
            ("desktop-chrome", "browser"), ("instagram-ios", "in-app-browser"),
            ("android-webview", "in-app-browser"), ("messages-preview", "preview"),
            ("whatsapp-preview", "preview"), ("applebot", "applebot"),
            ("googlebot", "search-engine"), ("bingbot", "search-engine"),
            ("apple-cdn", "apple-cdn"), ("apple-device", "swcd"),
            ("google-verifier", "google-verifier"), ("curl", "program"),
        ])
    func groups(_ client: String, _ group: String) throws {
        let agent = try #require(VisitorProfile.userAgent(of: client))
        #expect(Visitor(userAgent: agent).group.rawValue == group)
        #expect(Visitor(userAgent: "").group == .program)
    }

    /// What a profile's name says of it is what its user agent is taken for.
    @Test("a profile is what it is called", arguments: VisitorProfile.all.map(\.name))
    func profiles(_ name: String) throws {
        let agent = try #require(VisitorProfile.userAgent(of: name))
        let visitor = Visitor(userAgent: agent)
        let words = name.split(separator: "-")
        let platforms: [Substring: WebPlatform] = [
            "iphone": .ios, "ios": .ios, "ipad": .ipad, "android": .android, "desktop": .desktop,
        ]
        if let platform = words.compactMap({ platforms[$0] }).first, name != "ipad-safari" {
            #expect(visitor.platform == platform)
        }
        #expect(visitor.kind.isProgram == (visitor.kind != .person))
        #expect((words.last == "preview") == (visitor.group == .preview))
        #expect(visitor.mayBeIPad == ["ipad-safari", "desktop-safari"].contains(name))
        #expect(visitor.isFirefox == ["android-firefox", "desktop-firefox"].contains(name))
    }

    /// Forms that browsers of people have, also of those without a smartphone.
    static let browsers = [
        "Opera/9.80 (J2ME/MIDP; Opera Mini/9.80 (S60; SymbOS)/23.348; U; en) Presto/2.5.25 "
            + "Version/10.54",
        "Opera/9.80 (Windows NT 6.1; Win64; x64) Presto/2.12.388 Version/12.18",
        "UCWEB/2.0 (MIDP-2.0; U; Adr 4.4.2; en-US; X1) U2/1.0.0 UCBrowser/11.0.0 U2/1.0.0 Mobile",
        "Nokia3310/1.0 (04.10) Profile/MIDP-2.1 Configuration/CLDC-1.1",
        "Lynx/2.9.2 libwww-FM/2.14",
        "Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0)",
        "Mozilla/5.0 (compatible; Konqueror/4.14; Linux) KHTML/4.14 (like Gecko)",
        "Mozilla/5.0 (Linux; Android 9; CUBOT X19) \(blink) Mobile Safari/537.36",
        "Mozilla/5.0 (Linux; Android 13; bottom-sheet) \(blink) Mobile Safari/537.36",
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) \(blink) Safari/537.36 SogouMSE",
    ]

    @Test("a browser of a person is one", arguments: browsers)
    func people(_ agent: String) {
        #expect(Visitor(userAgent: agent).group == .browser)
        #expect(Visitor(userAgent: agent).kind == .person)
    }

    /// A system alone is what scripts send.
    @Test(
        "what names no browser is a program",
        arguments: [
            "Mozilla/5.0", "Mozilla/5.0 ", "Mozilla/4.0;", "Mozilla/", "Mozilla",
            "Mozilla/5.0 (X11; Linux x86_64)", "Mozilla/5.0 (X11; Linux x86_64",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64)", "Mozilla/5.0 ()",
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", "Mozilla/5.0 (a (b (c)) d) ",
            "Mozilla/5.0 (Morningscore/1.0)",
        ])
    func bare(_ agent: String) {
        let visitor = Visitor(userAgent: agent)
        #expect(visitor.group == .program && visitor.kind == .person)
    }

    /// Their nearest neighbours, all of them seen in lists of browsers.
    @Test(
        "a browser with one comment, or something behind it, is a browser",
        arguments: [
            "Mozilla/5.0 (X11; Linux x86_64) Gecko", "Mozilla/4.76 [en] (X11; U; Linux 2.4 i686)",
            "Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1)",
            "Mozilla/5.0 (compatible; IBrowse 3.0; AmigaOS4.0)",
            "Mozilla/5.0 (Linux; Android 5.1; HT3 Build/LMY47I)",
            "Mozilla/5.0 (iPhone; U; CPU iPhone OS 7_0_2 like Mac OS X; de_DE)",
            "Mozilla/5.0 (iPad; U; CPU iPhone OS 5_1_1 like Mac OS X; en-us)",
            "Mozilla/5.0 (Windows Phone 10.0.13333.0; U; pt-BR; Microsoft RM-1114_1000)",
            "Mozilla/4.0 (Vodafone/1.0/LG-KC910/V08e Browser/Obigo-Q7.1 Profile/MIDP-2.1)",
            "Mozilla/5.0 (NetFront/3.0; FOMA; like Gecko)", "Mozilla/5.0 (X11) (Linux)",
            "Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko",
        ])
    func named(_ agent: String) {
        #expect(Visitor(userAgent: agent).group == .browser)
    }

    /// Forms that programs have which the table of words does not name, beside a browser's words.
    static let programs = [
        "(compatible; Example/1.0)", "(Examplebot 2)", "(Example_Bot/1.0; +info)",
        "ExampleCrawler/1.0", "SPIDER", "(+https://example.com/about)", "(www.example.com)",
        "ExampleScraper", "Example-Fetcher/2", "UptimeExample/1", "ExampleSynthetics/3",
        "ExampleFeed/1", "Link Checker", "example-agent", "HTTPClient/4", "Example-Google",
        "TikTokSpider", "PTST/240101",
    ]

    @Test("a program is none, whatever it imitates", arguments: programs)
    func others(_ name: String) {
        for agent in [
            "Mozilla/5.0 (X11; Linux x86_64) \(Self.blink) Safari/537.36 \(name)",
            "Mozilla/5.0 \(name)", name,
        ] {
            let visitor = Visitor(userAgent: agent)
            #expect(visitor.group == .program && visitor.kind == .person, "\(agent)")
        }
    }

    /// Programs that show a link's page beside the link see that, and no redirect.
    @Test(
        "previews see the page",
        arguments: [
            ("Mattermost-Bot/1.1", "Mattermost"),
            ("Synapse (bot; +https://github.com/matrix-org/synapse)", "Matrix"),
            (
                "Mozilla/5.0 (X11; Linux x86_64) \(blink) Safari/537.36 Rocket.Chat/7.10.0",
                "Rocket.Chat"
            ),
            ("ZoomBot/1.0", "Zoom"),
            (
                "Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots",
                "Snapchat"
            ),
            ("Mozilla/5.0 (compatible; SnapURLPreview/1.0; +https://www.snapchat.com)", "Snapchat"),
            ("ViberUrlDownloader", "Viber"), ("Viber/21.0.0 CFNetwork/1490 Darwin/23", "Viber"),
            ("Dendrite/0.13.8+1", "Matrix"), ("matrix-media-repo v1.3.7", "Matrix"),
            (
                "Google-PageRenderer Google (+https://developers.google.com/+/web/snippet/)",
                "another service"
            ),
            (
                "Mozilla/5.0 (compatible; FlipboardProxy/1.2; +http://flipboard.com/browserproxy)",
                "another service"
            ),
            ("Notionbot/1.0 (+https://www.notion.so)", "another service"),
            ("Lemmy/0.19.5; +https://lemmy.example", "another service"),
            ("Pleroma 2.6.2; https://pleroma.example <a@pleroma.example>", "another service"),
            ("ExampleLinkPreview/2.0", "another service"),
            ("Mozilla/5.0 (compatible; Example Unfurler; +https://example.com)", "another service"),
        ])
    func previews(_ agent: String, _ name: String) {
        #expect(Visitor(userAgent: agent).kind == .preview(name))
        #expect(Visitor(userAgent: agent).group == .preview)
    }

    /// The windows of messengers on a computer have the words of a browser, and their own name.
    @Test(
        "a person in a messenger's own window is no preview",
        arguments: [
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
                + "Rocket.Chat/4.1.0 Chrome/128.0.0.0 Electron/32.1.0 Safari/537.36",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) \(blink) Safari/537.36 Viber/21.0.0",
        ])
    func windows(_ agent: String) {
        #expect(Visitor(userAgent: agent).kind == .person)
        #expect(Visitor(userAgent: agent).group == .browser)
    }

    /// Counts who is in lists of user agents, one a line, which `USER_AGENTS` names: those of
    /// crawlers and browsers that others keep are not here.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["USER_AGENTS"] != nil))
    func `who is in lists of user agents`() throws {
        let lists = ProcessInfo.processInfo.environment["USER_AGENTS"] ?? ""
        for list in lists.split(separator: ":") {
            let agents = try String(contentsOfFile: String(list), encoding: .utf8)
                .split(separator: "\n")
            var people = [Substring]()
            var previews = 0
            for agent in agents {
                let group = Visitor(userAgent: String(agent)).group
                if group == .browser || group == .inAppBrowser { people.append(agent) }
                if group == .preview { previews += 1 }
            }
            print("\(list): \(agents.count), people \(people.count), previews \(previews)")
            try Data(people.joined(separator: "\n").utf8).write(
                to: URL(filePath: "\(list).people"))
        }
    }

    @Test func `there are at least 25 of them, with names of their own`() {
        #expect(VisitorProfile.all.count >= 25)
        #expect(Set(VisitorProfile.all.map(\.name)).count == VisitorProfile.all.count)
    }

    @Test func `any bytes are somebody`() {
        let bytes = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(Visitor(userAgent: bytes.span).kind == .person)
    }
}
