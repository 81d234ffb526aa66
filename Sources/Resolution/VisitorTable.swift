/// The meaning of a word in a user agent. If a client sends several words of a group, the first in
/// the order of the table counts.
enum VisitorToken: UInt8, CaseIterable {
    // The system, and the words that distinguish browsers.
    case iPhone, iPad, android, macintosh, windowsPhone, safariVersion, otherBrowser, firefox
    /// Names a browser.
    case browser
    /// Is called `compatible`, and is a browser all the same.
    case oldBrowser

    // Browsers inside of apps: people.
    case facebookApp, instagramApp, threadsApp, googleApp, xApp, linkedInApp, weChatApp, lineApp
    case tikTokApp, snapchatApp, pinterestApp, kakaoTalkApp, naverApp, weiboApp, webView

    // Programs that fetch a page to show a preview of it.
    case facebook, x, linkedIn, slack, discord, telegram, whatsApp, skype, pinterest, reddit, vk
    case iframely, embedly, mastodon, bluesky, mattermost, matrix, rocketChat, zoom, snapchat, viber
    case zulip, nextcloud, misskey, otherPreview

    case applebot, googlebot, bingbot, duckDuckBot, yandexBot, baidu, qwant

    // Readers of association files.
    case appleCDN, appleDevice, googleVerifier

    /// Crawlers, monitors and browsers without a person, which send the words of browsers. They get
    /// what people get, and are counted apart.
    case otherProgram

    // Parts of words that tell programs from browsers, of which more than that is needed.
    case bot, compatible

    /// The window of a program on a computer.
    case electron
}

/// The words that distinguish clients, and the parts of words by which programs are told from
/// browsers that the table of words does not name.
enum VisitorTable {
    /// A word is only found if there is no letter or digit before it.
    private static let words: [(word: StaticString, token: VisitorToken)] = [
        ("iPhone", .iPhone), ("iPod", .iPhone), ("iPad", .iPad), ("Android", .android),
        ("Macintosh", .macintosh), ("Windows Phone", .windowsPhone), ("Mozilla/", .browser),
        // Browsers that do not call themselves Mozilla: Opera, those of phones before
        // smartphones, of television sets and of terminals.
        ("Opera/", .browser), ("Opera Mini", .browser), ("AppleWebKit", .browser),
        ("Chrome/", .browser), ("UCBrowser/", .browser), ("UCWEB/", .browser),
        ("OneBrowser/", .browser), ("MIDP-", .browser), ("UP.Browser/", .browser),
        ("NetFront/", .browser), ("Obigo", .browser), ("Dorado", .browser),
        ("DoCoMo/", .browser), ("Lynx/", .browser), ("Links (", .browser), ("ELinks/", .browser),
        ("w3m/", .browser), ("Dillo/", .browser), ("IBrowse/", .browser),
        ("NCSA_Mosaic", .browser),
        ("MSIE", .oldBrowser), ("Konqueror", .oldBrowser), ("NetFront/", .oldBrowser),
        ("Teleca", .oldBrowser), ("Polaris", .oldBrowser), ("MIDP-", .oldBrowser),
        ("Symbian", .oldBrowser), ("Amiga", .oldBrowser), ("Brew", .oldBrowser),
        // Only Safari sends this, and no other browser on a Mac.
        ("Version/", .safariVersion),
        ("Chrome/", .otherBrowser), ("Firefox/", .otherBrowser), ("Firefox/", .firefox),
        ("Edg/", .otherBrowser),
        ("OPR/", .otherBrowser), ("CriOS/", .otherBrowser), ("FxiOS/", .otherBrowser),

        ("FBAN/", .facebookApp), ("FBAV/", .facebookApp), ("FB_IAB/", .facebookApp),
        ("Instagram ", .instagramApp), ("Barcelona ", .threadsApp), ("GSA/", .googleApp),
        ("Twitter for", .xApp), ("TwitterAndroid", .xApp), ("LinkedInApp", .linkedInApp),
        ("MicroMessenger/", .weChatApp), ("Line/", .lineApp), ("TikTok", .tikTokApp),
        ("musical_ly", .tikTokApp), ("BytedanceWebview", .tikTokApp), ("trill_", .tikTokApp),
        ("Snapchat/", .snapchatApp), ("[Pinterest/", .pinterestApp), ("KAKAOTALK", .kakaoTalkApp),
        ("NAVER(", .naverApp), ("Weibo", .weiboApp), ("wv)", .webView),

        ("facebookexternalhit", .facebook), ("Facebot", .facebook),
        ("meta-externalagent", .facebook), ("meta-externalfetcher", .facebook), ("Twitterbot", .x),
        ("LinkedInBot", .linkedIn), ("Slackbot", .slack), ("Slack-ImgProxy", .slack),
        ("Discordbot", .discord), ("TelegramBot", .telegram), ("WhatsApp/", .whatsApp),
        ("SkypeUriPreview", .skype), ("Pinterestbot", .pinterest), ("redditbot", .reddit),
        ("vkShare", .vk), ("Iframely", .iframely), ("Embedly", .embedly), ("Mastodon/", .mastodon),
        ("Bluesky Cardyb", .bluesky), ("Mattermost-Bot", .mattermost),
        ("mattermost-bot", .mattermost), ("Synapse (bot", .matrix), ("Synapse/", .matrix),
        ("Matrix-Media-Repo", .matrix), ("Rocket.Chat", .rocketChat), ("ZoomBot", .zoom),
        ("Zoombot", .zoom), ("ZoomPreview", .zoom), ("Snap URL Preview", .snapchat),
        ("SnapURLPreview", .snapchat), ("ViberUrlDownloader", .viber), ("Viber/", .viber),
        ("Viber", .viber), ("ZulipURLPreview", .zulip),
        ("Nextcloud Server Crawler", .nextcloud), ("SummalyBot", .misskey),
        ("Misskey/", .misskey), ("Dendrite", .matrix), ("Conduit/", .matrix),
        ("matrix-media-repo", .matrix), ("Google-PageRenderer", .otherPreview),
        ("FlipboardProxy", .otherPreview), ("Notionbot", .otherPreview),
        ("NotionEmbedder", .otherPreview), ("Lemmy/", .otherPreview), ("Pleroma", .otherPreview),
        ("Akkoma", .otherPreview), ("Friendica", .otherPreview), ("GoToSocial", .otherPreview),
        ("PeerTube/", .otherPreview), ("Pixelfed", .otherPreview), ("kbin", .otherPreview),
        ("Electron/", .electron),

        ("Applebot", .applebot), ("Googlebot", .googlebot), ("Google-InspectionTool", .googlebot),
        ("bingbot", .bingbot), ("DuckDuckBot", .duckDuckBot), ("YandexBot", .yandexBot),
        ("Baiduspider", .baidu), ("Qwantbot", .qwant),

        ("AASA-Bot/", .appleCDN), ("swcd", .appleDevice),
        ("GoogleAssociationService", .googleVerifier),

        ("GoogleOther", .otherProgram), ("AdsBot-Google", .otherProgram),
        ("Mediapartners-Google", .otherProgram), ("Storebot-Google", .otherProgram),
        ("Google-Read-Aloud", .otherProgram), ("BingPreview/", .otherProgram),
        ("MicrosoftPreview/", .otherProgram), ("YandexImages", .otherProgram),
        ("GPTBot", .otherProgram), ("OAI-SearchBot", .otherProgram),
        ("ChatGPT-User", .otherProgram), ("ClaudeBot", .otherProgram),
        ("Claude-", .otherProgram), ("anthropic-ai", .otherProgram),
        ("PerplexityBot", .otherProgram), ("Perplexity-User", .otherProgram),
        ("Bytespider", .otherProgram), ("Amazonbot", .otherProgram), ("CCBot", .otherProgram),
        ("PetalBot", .otherProgram), ("SeznamBot", .otherProgram), ("Yeti/", .otherProgram),
        ("360Spider", .otherProgram), ("coccocbot", .otherProgram),
        ("MojeekBot", .otherProgram), ("AhrefsBot", .otherProgram),
        ("AhrefsSiteAudit", .otherProgram), ("SemrushBot", .otherProgram),
        ("SiteAuditBot", .otherProgram), ("MJ12bot", .otherProgram), ("DotBot", .otherProgram),
        ("rogerbot", .otherProgram), ("BLEXBot", .otherProgram),
        ("DataForSeoBot", .otherProgram), ("Barkrowler", .otherProgram),
        ("serpstatbot", .otherProgram), ("Screaming Frog", .otherProgram),
        ("ImagesiftBot", .otherProgram), ("Diffbot", .otherProgram),
        ("archive.org_bot", .otherProgram), ("ia_archiver", .otherProgram),
        ("UptimeRobot", .otherProgram), ("Pingdom", .otherProgram),
        ("StatusCake", .otherProgram), ("Site24x7", .otherProgram),
        ("NewRelicPinger", .otherProgram), ("DatadogSynthetics", .otherProgram),
        ("HetrixTools", .otherProgram), ("Better Uptime", .otherProgram),
        ("HeadlessChrome/", .otherProgram), ("PhantomJS/", .otherProgram),
        ("Chrome-Lighthouse", .otherProgram), ("PTST/", .otherProgram),
    ]

    /// These are found anywhere in a word, in either letter case. They were chosen by what lists of
    /// crawlers have in common and lists of browsers have not.
    private static let parts: [(word: StaticString, token: VisitorToken)] = [
        ("bot", .bot), ("compatible;", .compatible), ("crawl", .otherProgram),
        ("spider", .otherProgram), ("scrap", .otherProgram),
        // Where to read about the program.
        ("://", .otherProgram), ("www.", .otherProgram),
        ("preview", .otherPreview), ("unfurl", .otherPreview),
        ("fetch", .otherProgram), ("monitor", .otherProgram), ("checker", .otherProgram),
        ("linkcheck", .otherProgram), ("uptime", .otherProgram), ("feed", .otherProgram),
        ("synthetic", .otherProgram), ("headless", .otherProgram), ("selenium", .otherProgram),
        ("playwright", .otherProgram), ("cypress", .otherProgram), ("-agent", .otherProgram),
        ("google-", .otherProgram), ("-google", .otherProgram), ("imageproxy", .otherProgram),
        ("emailproxy", .otherProgram), ("siteimprove", .otherProgram),
        ("httpclient", .otherProgram), ("libwww-perl", .otherProgram), ("java)", .otherProgram),
    ]

    static let compiledWords = CompiledWords(words, isAnywhere: false)
    private static let compiledParts = CompiledWords(parts, isAnywhere: true)

    /// The tokens whose words are in a user agent. It needs no memory, and reads each byte once,
    /// or up to four times if no word says that it is a program.
    static func tokens(in userAgent: Span<UInt8>) -> VisitorTokens {
        var tokens = compiledWords.tokens(in: userAgent)
        if tokens.first(in: VisitorToken.programs) != nil { return tokens }
        let found = compiledParts.tokens(in: userAgent)
        if found.contains(.otherPreview) { tokens.insert(.otherPreview) }
        if found.contains(.bot) || found.contains(.otherProgram)
            || found.contains(.compatible) && !tokens.contains(.oldBrowser)
        {
            tokens.insert(.otherProgram)
        }
        if namesNoBrowser(userAgent, tokens) { tokens.insert(.otherProgram) }
        return tokens
    }
}

/// A set of tokens, in one word.
struct VisitorTokens {
    private var bits: UInt64 = 0

    mutating func insert(_ token: VisitorToken) { bits |= 1 << UInt64(token.rawValue) }

    func contains(_ token: VisitorToken) -> Bool { bits & 1 << UInt64(token.rawValue) != 0 }

    /// The first token of the range, in the order of the table.
    func first(in range: ClosedRange<VisitorToken>) -> VisitorToken? {
        let above = UInt64.max << UInt64(range.lowerBound.rawValue)
        let upTo: UInt64 = (2 << UInt64(range.upperBound.rawValue)) &- 1
        let found = bits & above & upTo
        return found == 0 ? nil : VisitorToken(rawValue: UInt8(found.trailingZeroBitCount))
    }
}

extension VisitorToken: Comparable {
    static func < (left: VisitorToken, right: VisitorToken) -> Bool {
        left.rawValue < right.rawValue
    }

    static let apps = facebookApp...webView
    static let previews = facebook...otherPreview
    static let searchEngines = applebot...qwant
    static let verifiers = appleCDN...googleVerifier
    static let programs = facebook...otherProgram

    /// The client's name; empty for a token that is not a client.
    var name: String {
        switch self {
        case .iPhone, .iPad, .android, .macintosh, .windowsPhone, .safariVersion, .otherBrowser,
            .firefox, .browser, .oldBrowser, .otherProgram, .bot, .compatible, .electron:
            ""
        case .facebookApp, .facebook: "Facebook"
        case .instagramApp: "Instagram"
        case .threadsApp: "Threads"
        case .googleApp: "Google"
        case .xApp, .x: "X"
        case .linkedInApp, .linkedIn: "LinkedIn"
        case .weChatApp: "WeChat"
        case .lineApp: "LINE"
        case .tikTokApp: "TikTok"
        case .snapchatApp, .snapchat: "Snapchat"
        case .pinterestApp, .pinterest: "Pinterest"
        case .kakaoTalkApp: "KakaoTalk"
        case .naverApp: "NAVER"
        case .weiboApp: "Weibo"
        case .webView: "an Android app"
        case .slack: "Slack"
        case .discord: "Discord"
        case .telegram: "Telegram"
        case .whatsApp: "WhatsApp"
        case .skype: "Skype"
        case .reddit: "Reddit"
        case .vk: "VK"
        case .iframely: "Iframely"
        case .embedly: "Embedly"
        case .mastodon: "Mastodon"
        case .bluesky: "Bluesky"
        case .mattermost: "Mattermost"
        case .matrix: "Matrix"
        case .rocketChat: "Rocket.Chat"
        case .zoom: "Zoom"
        case .viber: "Viber"
        case .zulip: "Zulip"
        case .nextcloud: "Nextcloud"
        case .misskey: "Misskey"
        case .otherPreview: "another service"
        case .applebot: "Applebot"
        case .googlebot: "Googlebot"
        case .bingbot: "Bingbot"
        case .duckDuckBot: "DuckDuckBot"
        case .yandexBot: "YandexBot"
        case .baidu: "Baidu"
        case .qwant: "Qwant"
        case .appleCDN: "Apple's CDN"
        case .appleDevice: "an Apple device"
        case .googleVerifier: "Google's verifier"
        }
    }
}
