internal import Markup

/// The page for people without the app: what the link is about, and the ways on for their device.
/// It works without scripts.
package struct LandingPage: Sendable {
    /// A kind of device.
    package enum Platform: String, Hashable, Sendable, CaseIterable {
        case ios, ipad, android, desktop
    }

    /// The intent that opens an app on Android, and the fallback for a browser that cannot.
    package struct Intent: Hashable, Sendable {
        package var package: String
        package var fallback: String

        package init(package: String, fallback: String) {
            self.package = package
            self.fallback = fallback
        }
    }

    package var model: PageModel
    package var texts: LandingTexts
    /// The name of the app for the visitor's system; nil is the model's.
    package var appName: String?
    package var platform: Platform
    /// The app whose browser shows the page; nil for a browser.
    package var browser: String?
    /// Whether it can be an iPad that identifies itself as a Mac, which only a script can detect.
    package var mayBeIPad = false
    /// The page's URL, for the QR code and for people to copy.
    package var link: String
    /// Whether an app opens the link on some phones, which the page says beside the QR code.
    package var opensOnPhones = false
    /// The URL that opens the app when it is tapped: on Apple devices a link to another host of the
    /// app. Nil if there is none.
    package var openURL: String?
    /// For Chrome and similar browsers, which open apps by intent; if nil, `openURL` is used.
    package var intent: Intent?
    /// The URL with the app's own scheme, if the operator allows it; it is only opened by a tap.
    package var schemeURL: String?
    package var appStoreURL: String?
    package var googlePlayURL: String?
    package var appStoreBadge: String?
    package var googlePlayBadge: String?
    /// The URL to continue without the app.
    package var webURL: String?
    /// The app's icon and the site's logo: URLs, or paths of this host.
    package var icon: String?
    package var logo: String?

    package init(_ model: PageModel, texts: LandingTexts, platform: Platform, link: String) {
        self.model = model
        self.texts = texts
        self.platform = platform
        self.link = link
    }

    /// The page in the theme's layout.
    package func rendered(_ theme: Theme) -> RenderedPage {
        let values = LandingValues(self)
        let arranged = theme.arranged(values.shape)
        var page = MarkupWriter(capacity: 32_768)
        for piece in arranged.pieces {
            switch piece {
            case .markup(let bytes): page.verbatim(bytes)
            case .slot(.head): page.append(head(theme))
            case .slot(.qr): page.append(values.code?.svg(label: texts[.code]) ?? MarkupWriter())
            case .slot(let slot): page.text(values[slot])
            case .text(let name): page.text(text(name))
            }
        }
        return RenderedPage(
            html: page.bytes, contentSecurityPolicy: policy(theme, arranged, values))
    }

    private func head(_ theme: Theme) -> MarkupWriter {
        var head = HeadMarkup(model).opening
        head.raw("<meta name=\"color-scheme\" content=\"light dark\">\n")
        head.raw("<meta name=\"theme-color\" media=\"(prefers-color-scheme: light)\"")
        head.attribute("content", theme.style.background.light)
        head.raw(">\n<meta name=\"theme-color\" media=\"(prefers-color-scheme: dark)\"")
        head.attribute("content", theme.style.background.dark)
        head.raw(">\n")
        head.append(theme.style.markup)
        if hasTabletScript {
            head.raw("<script>")
            head.raw(TabletScript.text)
            head.raw("</script>\n")
        }
        return head
    }

    private var hasTabletScript: Bool { platform == .desktop && mayBeIPad && openURL != nil }

    private func policy(
        _ theme: Theme, _ arranged: ArrangedPage, _ values: LandingValues
    ) -> String {
        var policy = SecurityPolicy()
        policy.styles = [theme.style.source] + arranged.styles
        policy.scripts = arranged.scripts
        if hasTabletScript {
            policy.scripts.append(theme.tabletScriptSource)
        }
        policy.imageOrigins = values.imageOrigins + arranged.imageOrigins
        policy.hasFonts = theme.style.hasFonts
        policy.hasManifest = model.icons.manifest != nil
        return policy.value
    }

    var shownAppName: String? { model.app.map { appName ?? $0.name } }

    /// A text, with the names of the app and of the browser filled in.
    private func text(_ name: String) -> String {
        let text = texts.texts[name] ?? ""
        guard texts.interpolated.contains(name) else { return text }
        return text.replacing("{browser}", with: browser ?? "")
            .replacing("{app}", with: shownAppName ?? model.siteName ?? "")
    }
}

/// A generated page, and the policy that its response needs.
package struct RenderedPage: Hashable, Sendable {
    package let html: [UInt8]
    /// The value of `Content-Security-Policy`.
    package let contentSecurityPolicy: String
}

/// An iPad identifies itself as a Mac, but has a touch screen. The page checks this once, and then
/// shows the iPad's buttons.
enum TabletScript {
    static let text: MarkupLiteral = """
        if(navigator.maxTouchPoints>1)document.documentElement.className="tablet"
        """
}
