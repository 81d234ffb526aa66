private import Diagnostics

/// Clients with names, and the user agent that each sends, for link tests and `explain`.
package enum VisitorProfile {
    /// By name; user agents of real clients, with their versions of 2025.
    package static let all: [(name: String, userAgent: String)] = browsers + apps + programs

    /// The client whose user agent does not say that it is an iPad.
    static let safariOnIPad = "ipad-safari"

    private static let browsers: [(name: String, userAgent: String)] = [
        ("iphone-safari", "\(iPhone) Version/18.5 Mobile/15E148 Safari/604.1"),
        ("iphone-chrome", "\(iPhone) CriOS/142.0.0.0 Mobile/15E148 Safari/604.1"),
        ("iphone-firefox", "\(iPhone) FxiOS/144.0 Mobile/15E148 Safari/605.1.15"),
        (safariOnIPad, "\(mac) \(webKit) Version/18.5 Safari/605.1.15"),
        ("ipad-chrome", "\(iPad) CriOS/142.0.0.0 Mobile/15E148 Safari/604.1"),
        ("ipad-mobile", "\(iPad) Version/18.5 Mobile/15E148 Safari/604.1"),
        ("android-chrome", "\(android) Chrome/142.0.0.0 Mobile Safari/537.36"),
        ("android-samsung", "\(galaxy) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36"),
        ("android-firefox", "Mozilla/5.0 (Android 15; Mobile; rv:144.0) Gecko Firefox/144.0"),
        ("desktop-safari", "\(mac) \(webKit) Version/18.5 Safari/605.1.15"),
        ("desktop-chrome", "\(windows) Chrome/142.0.0.0 Safari/537.36"),
        ("desktop-edge", "\(windows) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0"),
        ("desktop-firefox", "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko Firefox/144.0"),
    ]

    /// Browsers inside of apps.
    private static let apps: [(name: String, userAgent: String)] = [
        ("instagram-ios", "\(iPhone) Mobile/22F76 Instagram 384.0.0.27.96 (iPhone16,2)"),
        ("instagram-android", "\(webView) Mobile Safari/537.36 Instagram 384.0.0.43.96 Android"),
        ("facebook-ios", "\(iPhone) Mobile/22F76 [FBAN/FBIOS;FBAV/514.0.0.61.88]"),
        ("facebook-ipad", "\(iPad) Mobile/22F76 [FBAN/FBIOS;FBAV/514.0.0.61.88]"),
        ("facebook-android", "\(webView) Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/514.0.0;]"),
        ("x-ios", "\(iPhone) Mobile/15E148 Twitter for iPhone/11.3"),
        ("linkedin-ios", "\(iPhone) Mobile/15E148 [LinkedInApp]/9.31.2"),
        ("tiktok-ios", "\(iPhone) Mobile/15E148 musical_ly_40.3.0 BytedanceWebview/d8a21c6"),
        ("tiktok-android", "\(webView) Mobile Safari/537.36 trill_400305 BytedanceWebview/d8a"),
        ("snapchat-ios", "\(iPhone) Mobile/15E148 Snapchat/13.45.0.45 (like Safari/8621)"),
        ("google-app-ios", "\(iPhone) GSA/376.0.768 Mobile/15E148 Safari/604.1"),
        ("line-ios", "\(iPhone) Mobile/15E148 Safari Line/15.9.0"),
        ("wechat-android", "\(webView) Mobile Safari/537.36 MicroMessenger/8.0.60.2860"),
        ("android-webview", "\(webView) Mobile Safari/537.36"),
    ]

    private static let programs: [(name: String, userAgent: String)] = [
        (
            "messages-preview",
            "\(mac) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 "
                + "facebookexternalhit/1.1 Facebot Twitterbot/1.0"
        ),
        ("facebook-preview", "facebookexternalhit/1.1"), ("x-preview", "Twitterbot/1.0"),
        ("linkedin-preview", "LinkedInBot/1.0 (compatible; Mozilla/5.0)"),
        ("slack-preview", "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)"),
        ("discord-preview", "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)"),
        ("telegram-preview", "TelegramBot (like TwitterBot)"),
        ("whatsapp-preview", "WhatsApp/2.24.6.77 A"),
        ("applebot", "\(mac) \(webKit) Version/17.4 Safari/605.1.15 (Applebot/0.1)"),
        ("googlebot", "\(android) Chrome/142.0.0.0 Mobile (compatible; Googlebot/2.1)"),
        ("bingbot", "Mozilla/5.0 (compatible; bingbot/2.0) Chrome/136.0.0.0 Safari/537.36"),
        ("apple-cdn", "AASA-Bot/1.0.0"),
        ("apple-device", "swcd (unknown version) CFNetwork/1568.200.51 Darwin/24.1.0"),
        ("google-verifier", "GoogleAssociationService"), ("curl", "curl/8.11.0"),
    ]

    /// The user agent of the client of this name.
    package static func userAgent(of name: String) -> String? {
        all.first { $0.name == name }?.userAgent
    }

    /// The message for an unknown name.
    package static func unknown(_ name: String) -> String {
        "there is no client \(quoted(name)); \(advice(on: name))"
    }

    /// The similar name, the names that have the same words, such as `iphone`, or all names.
    static func advice(on name: String) -> String {
        let names = all.map(\.name)
        if let nearest = nearestName(to: name, among: names) { return didYouMean(nearest) }
        let words = name.lowercased().split(separator: "-")
        let similar = names.filter { name in
            !words.isEmpty
                && words.allSatisfy { word in
                    name.split(separator: "-").contains { $0.hasPrefix(word) }
                }
        }
        return similar.isEmpty
            ? listed(names, as: "client") : "did you mean \(inWords(similar.map(quoted)))?"
    }

    private static let webKit = "AppleWebKit/605.1.15 (KHTML, like Gecko)"
    private static let blink = "AppleWebKit/537.36 (KHTML, like Gecko)"
    private static let iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) \(webKit)"
    private static let iPad = "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) \(webKit)"
    private static let mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)"
    private static let windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) \(blink)"
    private static let android = "Mozilla/5.0 (Linux; Android 15; Pixel 9) \(blink)"
    private static let galaxy = "Mozilla/5.0 (Linux; Android 15; SM-S938B) \(blink)"
    private static let webView =
        "Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/google/tokay; wv) \(blink) Version/4.0 "
        + "Chrome/142.0.0.0"
}
