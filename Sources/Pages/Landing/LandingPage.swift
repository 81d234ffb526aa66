internal import Markup
internal import QRCodes

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
    /// The name of the app that the page offers; nil if there is none.
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
    /// Whether no app that opens the link can be installed on this device, and the link has no page
    /// on the web.
    package var isStranded = false
    /// Whether no link claims the page's path.
    package var isUnknown = false
    /// The link's picture, the app's icon and the site's logo: URLs, or paths of this host.
    package var picture: String?
    package var icon: String?
    package var logo: String?
    /// The site itself, its imprint and its privacy policy: URLs, or paths of this host.
    package var home: String?
    package var imprint: String?
    package var privacy: String?

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
        for script in scripts {
            head.raw("<script>")
            head.raw(script.text)
            head.raw("</script>\n")
        }
        return head
    }

    private var scripts: [PageScript] {
        PageScript.allCases.filter { script in
            switch script {
            case .tablet: platform == .desktop && mayBeIPad && openURL != nil
            case .copy: browser != nil
            case .pictures:
                [picture, icon, logo, appStoreBadge, googlePlayBadge].contains { $0 != nil }
            }
        }
    }

    private func policy(
        _ theme: Theme, _ arranged: ArrangedPage, _ values: LandingValues
    ) -> String {
        var policy = SecurityPolicy()
        policy.styles = [theme.style.source] + arranged.styles
        policy.scripts = arranged.scripts + scripts.map { theme.scriptSources[$0.rawValue] }
        policy.imageOrigins = values.imageOrigins + arranged.imageOrigins
        policy.hasFonts = theme.style.hasFonts
        policy.hasManifest = model.icons.manifest != nil
        return policy.value
    }

    /// A text, with the names of the app and of the browser filled in.
    private func text(_ name: String) -> String {
        let text = texts.texts[name] ?? ""
        guard texts.interpolated.contains(name) else { return text }
        return text.replacing("{browser}", with: browser ?? "")
            .replacing("{app}", with: appName ?? model.siteName ?? "")
    }
}

/// A generated page, and the policy that its response needs.
package struct RenderedPage: Hashable, Sendable {
    package let html: [UInt8]
    /// The value of `Content-Security-Policy`.
    package let contentSecurityPolicy: String
}

/// The scripts of a page; without script it loses nothing but comfort.
enum PageScript: Int, CaseIterable {
    /// An iPad identifies itself as a Mac, but has a touch screen. The page checks this once, and
    /// then shows the iPad's buttons.
    case tablet
    /// Shows the button that copies the link. The browsers of some apps do not let a page write to
    /// the clipboard; there the address is selected and copied as people do it.
    case copy
    /// Replaces a picture that cannot be loaded by its alternative text. Safari would draw a box.
    case pictures

    var text: MarkupLiteral {
        switch self {
        case .tablet:
            """
            if(navigator.maxTouchPoints>1)document.documentElement.className="tablet"
            """
        case .copy:
            """
            addEventListener("DOMContentLoaded",function(){
            document.querySelectorAll("[data-copy]").forEach(function(b){
            function said(){b.nextElementSibling.textContent=b.getAttribute("data-copied")}
            function select(){var s=getSelection(),r=document.createRange()
            r.selectNodeContents(document.getElementById(b.getAttribute("aria-describedby")))
            s.removeAllRanges();s.addRange(r);if(document.execCommand("copy"))said()}
            b.hidden=false
            b.onclick=function(){var c=navigator.clipboard
            c?c.writeText(b.getAttribute("data-copy")).then(said,select):select()}})})
            """
        case .pictures:
            """
            addEventListener("error",function(e){var i=e.target
            if(i.tagName=="IMG")i.replaceWith(i.alt)},true)
            """
        }
    }
}
