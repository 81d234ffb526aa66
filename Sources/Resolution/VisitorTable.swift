/// What a word in a user agent stands for.
enum VisitorToken: Hashable, Sendable {
    case iPhone, iPad, android, macintosh, windowsPhone
    /// `Version/` stands in Safari's, and in that of no other browser on a Mac.
    case safariVersion
    case otherBrowser
    case inApp(String)
    case preview(String)
    case searchEngine(String)
    case verifier(String)
}

/// The words that clients are told apart by. Only words that a client is known to send are here: a
/// rule such as "contains bot" takes people for programs.
enum VisitorTable {
    private static let words: [(word: StaticString, token: VisitorToken)] = [
        ("iPhone", .iPhone), ("iPod", .iPhone), ("iPad", .iPad), ("Android", .android),
        ("Macintosh", .macintosh), ("Windows Phone", .windowsPhone), ("Version/", .safariVersion),
        ("Chrome/", .otherBrowser), ("Firefox/", .otherBrowser), ("Edg/", .otherBrowser),
        ("OPR/", .otherBrowser), ("CriOS/", .otherBrowser), ("FxiOS/", .otherBrowser),

        // Browsers inside of apps: people.
        ("FBAN/", .inApp("Facebook")), ("FBAV/", .inApp("Facebook")),
        ("Instagram ", .inApp("Instagram")), ("GSA/", .inApp("Google")),
        ("Twitter for", .inApp("X")), ("TwitterAndroid", .inApp("X")),
        ("LinkedInApp", .inApp("LinkedIn")), ("MicroMessenger/", .inApp("WeChat")),
        (" Line/", .inApp("LINE")), ("TikTok", .inApp("TikTok")),
        ("musical_ly", .inApp("TikTok")), ("BytedanceWebview", .inApp("TikTok")),
        ("Snapchat/", .inApp("Snapchat")), ("[Pinterest/", .inApp("Pinterest")),

        // Programs that fetch a page to show a preview of it.
        ("facebookexternalhit", .preview("Facebook")), ("Facebot", .preview("Facebook")),
        ("meta-externalagent", .preview("Facebook")),
        ("meta-externalfetcher", .preview("Facebook")), ("Twitterbot", .preview("X")),
        ("LinkedInBot", .preview("LinkedIn")), ("Slackbot", .preview("Slack")),
        ("Slack-ImgProxy", .preview("Slack")), ("Discordbot", .preview("Discord")),
        ("TelegramBot", .preview("Telegram")), ("WhatsApp/", .preview("WhatsApp")),
        ("SkypeUriPreview", .preview("Skype")), ("Pinterestbot", .preview("Pinterest")),
        ("redditbot", .preview("Reddit")), ("vkShare", .preview("VK")),
        ("Iframely", .preview("Iframely")), ("Embedly", .preview("Embedly")),
        ("Mastodon/", .preview("Mastodon")), ("Bluesky Cardyb", .preview("Bluesky")),

        ("Applebot", .searchEngine("Applebot")), ("Googlebot", .searchEngine("Googlebot")),
        ("Google-InspectionTool", .searchEngine("Googlebot")),
        ("bingbot", .searchEngine("Bingbot")), ("DuckDuckBot", .searchEngine("DuckDuckBot")),
        ("YandexBot", .searchEngine("YandexBot")), ("Baiduspider", .searchEngine("Baidu")),

        ("AASA-Bot/", .verifier("Apple's CDN")), ("com.apple.swcd", .verifier("an Apple device")),
    ]

    /// By first byte, so that most places of a text are looked at once.
    private static let byFirstByte: [[(word: [UInt8], token: VisitorToken)]] = {
        var table = [[(word: [UInt8], token: VisitorToken)]](repeating: [], count: 256)
        for (word, token) in words {
            let bytes = Array(word.description.utf8)
            table[Int(bytes[0])].append((bytes, token))
        }
        return table
    }()

    static func tokens(in text: [UInt8]) -> Set<VisitorToken> {
        var found = Set<VisitorToken>()
        for start in text.indices {
            for (word, token) in byFirstByte[Int(text[start])]
            where text[start...].starts(with: word) {
                found.insert(token)
            }
        }
        return found
    }
}
