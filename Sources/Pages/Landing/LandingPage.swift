internal import Markup

/// The page for people whose app did not open: what the link is about, and the ways on for the
/// device that asks. It is complete without scripts.
package struct LandingPage: Sendable {
    /// A kind of device.
    package enum Platform: String, Hashable, Sendable, CaseIterable {
        case ios, ipad, android, desktop
    }

    /// What opens an app on Android, and where a browser goes that cannot.
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
    /// The name of the app for the visitor's system; nil takes the model's.
    package var appName: String?
    package var platform: Platform
    /// The app whose own browser this is; nil in a browser.
    package var browser: String?
    /// Whether it may be an iPad that says to be a Mac, which only a script can tell.
    package var mayBeIPad = false
    /// The page's address, for the code and for people to copy.
    package var link: String
    /// Whether some phone opens the link in an app, so that a computer shows a code of it.
    package var opensOnPhones = false
    /// What opens the app when it is tapped: on Apple's devices a link to another host of the app.
    /// Nil where nothing does.
    package var openURL: String?
    /// For Chrome and its like, which open apps by intent; nil opens `openURL`.
    package var intent: Intent?
    /// Offered where the operator wants it, and only to be tapped.
    package var schemeURL: String?
    package var appStoreURL: String?
    package var googlePlayURL: String?
    package var appStoreBadge: String?
    package var googlePlayBadge: String?
    /// The way on without the app.
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

    /// The page as the theme has it.
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

    /// Words may name the app, and the browser that one is in.
    private func text(_ name: String) -> String {
        let text = texts.texts[name] ?? ""
        guard texts.interpolated.contains(name) else { return text }
        return text.replacing("{browser}", with: browser ?? "")
            .replacing("{app}", with: shownAppName ?? model.siteName ?? "")
    }
}

/// A generated page, and the policy that its response must carry.
package struct RenderedPage: Hashable, Sendable {
    package let html: [UInt8]
    /// The value of `Content-Security-Policy`.
    package let contentSecurityPolicy: String
}

/// An iPad says to be a Mac, and has fingers to touch it with. The page asks once and then shows
/// what an iPad is offered.
enum TabletScript {
    static let text: MarkupLiteral = """
        if(navigator.maxTouchPoints>1)document.documentElement.className="tablet"
        """
}
