/// A client of whom the preview says what it gets.
struct PreviewClient: Sendable {
    /// The name that `explain` has for it.
    let name: String
    let label: ConsoleText
    /// Whether a tap there opens an app.
    let app: AppRule
    /// A remark for people. Where it is about the app, or about the page of the link, it is shown with that alone.
    let caveat: ConsoleText?

    /// The condition under which an app opens the link there.
    enum AppRule: Sendable {
        /// An app of this system is installed.
        case apple, android
        /// The browser of another app keeps the link.
        case never
        /// A program, which has no apps.
        case program
    }

    /// Whether its screen is wider than that of a phone.
    var isWide: Bool { name == "desktop-chrome" || name == "ipad-safari" }

    static let all = [
        PreviewClient("iphone-safari", .iPhone, .apple, .iPhoneCaveat),
        PreviewClient("ipad-safari", .iPad, .apple, .iPadCaveat),
        PreviewClient("android-chrome", .android, .android, .androidCaveat),
        PreviewClient("desktop-chrome", .desktop, .program, nil),
        PreviewClient("instagram-ios", .instagram, .never, .instagramCaveat),
        PreviewClient("messages-preview", .messagesApp, .program, .cardCaveat),
        PreviewClient("whatsapp-preview", .whatsApp, .program, .cardCaveat),
        PreviewClient("slack-preview", .slack, .program, .cardCaveat),
        PreviewClient("googlebot", .google, .program, .searchCaveat),
        PreviewClient("applebot", .applebot, .program, .applebotCaveat),
    ]

    private init(_ name: String, _ label: ConsoleText, _ app: AppRule, _ caveat: ConsoleText?) {
        (self.name, self.label, self.app, self.caveat) = (name, label, app, caveat)
    }

    /// Whether an app with one of these identifiers opens the link there. Those of Apple begin with a prefix of ten
    /// capital letters and digits; names of packages have none of that form.
    func opens(_ identifiers: [String]) -> Bool {
        switch app {
        case .apple: identifiers.contains(where: Self.isApple)
        case .android: identifiers.contains { !Self.isApple($0) }
        case .never, .program: false
        }
    }

    private static func isApple(_ identifier: String) -> Bool {
        let prefix = identifier.utf8.prefix { $0 != UInt8(ascii: ".") }
        return prefix.count == 10
            && prefix.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 }
    }
}
