import Associations
import Pages
import Resolution
import SiteConfiguration
import URISyntax

/// The content of an environment's link pages: the one place where the configuration's words become
/// those of markup. Made when the site is prepared; for a request only addresses are filled in.
struct LinkPresenter: Sendable {
    /// Of the environment's first host: what all hosts show has one address.
    let origin: String
    private let presentation: Presentation
    private let base: PageModel
    private let offersScheme: Bool
    private let isClosed: Bool

    /// - Parameter hasManifest: whether the environment serves a web manifest.
    init(_ site: Site, hasManifest: Bool) {
        origin = "https://\(site.hosts[0])"
        presentation = site.presentation
        offersScheme = site.offersScheme
        isClosed = site.isClosedToRobots
        base = Self.base(site, origin: origin, hasManifest: hasManifest)
    }

    /// The content of the page at `path`.
    /// - Parameters:
    ///   - link: nil for a page that no link claims.
    ///   - apps: those that open it.
    ///   - path: as requested, without query.
    ///   - language: one of the presentation's.
    ///   - argument: what the banner tells the app; nil tells it the page's address.
    ///   - appName: what a page without a title is called; nil takes the name of its first app.
    func model(
        _ link: Link?, _ apps: OfferedApps, path: String, language: String, argument: String?,
        appName: String? = nil
    ) -> PageModel {
        var model = base
        let page = link?.page
        let translation = page?.translations.first { $0.key == language }?.value
        let app = app(apps)
        let shownName = appName ?? app?.name
        model.language = language
        model.url = origin + path
        model.title = translation?.title ?? page?.title ?? shownName ?? base.title
        model.description = translation?.description ?? page?.description
        model.app = app
        model.app?.argument = argument
        model.isIndexed = !isClosed && page?.isIndexed != false
        guard let page else { return model }
        model.type = page.type ?? (page.video == nil ? "website" : "video.other")
        model.card = page.twitterCard
        model.image = page.image.map { absolute($0, \.url) }
        if let alt = translation?.alt { model.image?.alt = alt }
        model.video = page.video.map { absolute($0, \.url) }
        model.breadcrumbs = page.breadcrumbs.map {
            Breadcrumb(name: $0.name, url: $0.url.map(absolute))
        }
        model.schema = page.schema
        if page.showsClipCard { model.app?.clip?.showsCard = true }
        return model
    }

    /// A path of the site, or a URL, as a URL.
    func absolute(_ url: String) -> String {
        url.utf8.first == UInt8(ascii: "/") ? origin + url : url
    }

    // MARK: Parts

    private func absolute<Part>(_ part: Part, _ url: WritableKeyPath<Part, String>) -> Part {
        var part = part
        part[keyPath: url] = absolute(part[keyPath: url])
        return part
    }

    private static func base(_ site: Site, origin: String, hasManifest: Bool) -> PageModel {
        let presentation = site.presentation
        var model = PageModel(title: presentation.name ?? site.hosts[0].description, url: origin)
        model.siteName = presentation.name
        model.twitterSite = presentation.twitter
        model.icons.icon = presentation.icon
        model.icons.touchIcon = presentation.icon
        model.icons.manifest = hasManifest ? Router.manifestPath : nil
        guard let name = presentation.name else { return model }
        var organization = PageModel.Organization(name: name)
        organization.url = origin + "/"
        organization.logo = presentation.logo.map { logo in
            logo.utf8.first == UInt8(ascii: "/") ? origin + logo : logo
        }
        organization.sameAs = presentation.sameAs
        model.organization = organization
        return model
    }

    /// The app that the page offers: everything beside an identifier is of the identifier's app.
    private func app(_ apps: OfferedApps) -> PageModel.App? {
        guard let name = apps.name ?? presentation.name else { return nil }
        var app = PageModel.App(name: name)
        app.appStoreIdentifier = apps.appStoreIdentifier
        app.appStoreName = apps.appStoreIdentifier.flatMap { _ in apps.apple.map(ownName) }
        app.clip = apps.apple?.ios?.clip.map {
            PageModel.Clip(bundleIdentifier: $0.bundleIdentifier)
        }
        if offersScheme { app.scheme = apps.scheme }
        app.androidPackage = apps.androidPackage
        app.androidName = apps.google.map(ownName)
        guard app.appStoreIdentifier != nil || app.androidPackage != nil else { return nil }
        return app
    }

    /// Nothing where neither the app nor the site has a name: another app's would be wrong.
    private func ownName(_ app: App) -> String { app.name ?? presentation.name ?? "" }
}
