package import Associations
package import Diagnostics
package import URISyntax

/// One site of an environment, with everything that it inherits: what its hosts answer with. A
/// configuration without `sites` describes one site.
package struct Site: Equatable, Sendable {
    /// The name under `sites`; nil where the configuration describes one site.
    package let name: String?
    /// The name of its environment.
    package let environment: String
    /// Of the site, or of the environment where it is the only one.
    package let position: SourcePosition
    /// The apps that its keys can name: those of all sites, and its own.
    package let apps: [App]
    /// The hosts that are served; the first is the canonical host; never empty.
    package let hosts: [HostName]
    /// The position of `hosts`.
    package var hostsPosition: SourcePosition?
    /// The domains whose subdomains of one label are served, too: `links.example` for
    /// `*.links.example`.
    package let wildcards: [HostName]
    /// A second associated host for "Open in app"; it is served like the others.
    package let openHost: HostName?
    /// Certificates in the order of the file; the first answers names that no other covers.
    package internal(set) var certificates: [CertificateFiles]
    /// The settings of requests for other certificates; nil if there are none.
    package internal(set) var automatic: AutomaticCertificates?
    /// With which challenges of an authority are answered (RFC 8555 §8.1); nil answers none but those
    /// of `acmeWebroot`.
    package internal(set) var accountThumbprint: String?
    /// The directory whose files are served.
    package let publicDirectory: FileReference
    /// The webroot that an ACME client fills; nil answers no challenge.
    package let acmeWebroot: FileReference?
    /// The https port that visitors use, if it differs from the listener's (behind a port mapping);
    /// nil derives it.
    package let httpsPort: UInt16?
    package let unmatched: UnmatchedAction
    /// Nil where the configuration has no `unmatched`.
    package internal(set) var unmatchedPosition: SourcePosition?
    package let isClosedToRobots: Bool
    package private(set) var associations: PublishedAssociations
    /// The links that each app opens, in the order in which they are published.
    package let publications: [Publication]
    /// The links with `web` or `page`, in the order of the file, whether or not an app opens them
    /// here.
    package let webLinks: [Link]
    /// Values that all pages share.
    package let presentation: Presentation
    /// The links' own values override it.
    package let campaign: Campaign
    /// Whether pages can offer an app's own URL scheme.
    package let offersScheme: Bool
    /// Nil sends no `Strict-Transport-Security`.
    package let transportSecurity: TransportSecurity?
    /// Response header fields of public files and pages.
    package let headers: [HeaderRule]
    /// Files for passkeys, passwords and HarmonyOS.
    package let wellKnown: WellKnownFiles
    /// The time zone of days and hours in statistics; nil for UTC. Whether the system has it is checked where it is used.
    package internal(set) var timeZone: String?
    package internal(set) var timeZonePosition: SourcePosition?
    /// The longest request-target that is read, by the limits of the environment.
    package internal(set) var targetBytesMax = LimitSettings().targetBytesMax

    package init(
        name: String? = nil, environment: String, position: SourcePosition,
        apps: [App] = [], hosts: [HostName],
        wildcards: [HostName] = [], openHost: HostName?,
        certificates: [CertificateFiles], publicDirectory: FileReference,
        acmeWebroot: FileReference?, httpsPort: UInt16?, unmatched: UnmatchedAction,
        isClosedToRobots: Bool, associations: PublishedAssociations,
        publications: [Publication] = [], webLinks: [Link] = [],
        presentation: Presentation = Presentation(), campaign: Campaign = Campaign(),
        offersScheme: Bool = false, transportSecurity: TransportSecurity? = nil,
        headers: [HeaderRule] = [], wellKnown: WellKnownFiles = WellKnownFiles()
    ) {
        self.name = name
        self.environment = environment
        self.position = position
        self.apps = apps
        self.hosts = hosts
        self.wildcards = wildcards
        self.openHost = openHost
        self.certificates = certificates
        self.publicDirectory = publicDirectory
        self.acmeWebroot = acmeWebroot
        self.httpsPort = httpsPort
        self.unmatched = unmatched
        self.isClosedToRobots = isClosedToRobots
        self.associations = associations
        self.publications = publications
        self.webLinks = webLinks
        self.presentation = presentation
        self.campaign = campaign
        self.offersScheme = offersScheme
        self.transportSecurity = transportSecurity
        self.headers = headers
        self.wellKnown = wellKnown
    }

    /// Every page in `unmatched` and the links, by its URL path, and the position that names it.
    package var namedPages: [(path: String, position: SourcePosition)] {
        var pages = [(path: String, position: SourcePosition)]()
        if case .page(let path, _, let position) = unmatched { pages.append((path, position)) }
        for link in webLinks {
            pages += link.pages.map { ($0, link.position(of: .page($0)) ?? position) }
        }
        return pages
    }

    /// Every image and video of the public directory in pages, by its URL path, and the position
    /// that names it.
    package var namedFiles: [(path: String, position: SourcePosition)] {
        let shared = [
            presentation.logo, presentation.icon, presentation.appStoreBadge,
            presentation.googlePlayBadge,
        ]
        let ofLinks = webLinks.flatMap { link in
            [("image", link.page?.image?.url), ("video", link.page?.video?.url)].map {
                (path: $1, position: link.position(ofPage: $0) ?? position)
            }
        }
        return (shared.map { (path: $0, position: position) } + ofLinks).compactMap { file in
            guard let path = file.path, path.utf8.first == UInt8(ascii: "/") else { return nil }
            return (path, file.position)
        }
    }

    /// The apps that each link opens here, in the order in which they are published, by the link's
    /// key.
    package var appsByLink: [String: [App]] {
        var apps = [String: [App]]()
        for publication in publications {
            for link in publication.links { apps[link.key, default: []].append(publication.app) }
        }
        return apps
    }

    /// Whether an app opens the link here.
    package func publishes(_ link: Link) -> Bool {
        publications.contains { $0.links.contains { $0.key == link.key } }
    }

    /// A site with the same hosts that has no link, no page and no association file: what there is
    /// before a site is new.
    package var withoutAnswers: Site {
        Site(
            name: name, environment: environment, position: position, hosts: hosts,
            wildcards: wildcards, openHost: openHost, certificates: certificates,
            publicDirectory: publicDirectory, acmeWebroot: acmeWebroot, httpsPort: httpsPort,
            unmatched: .notFound, isClosedToRobots: isClosedToRobots,
            associations: PublishedAssociations(aasa: nil, assetlinks: nil, signing: nil),
            presentation: presentation, transportSecurity: transportSecurity, headers: headers)
    }

    /// The site without what only a running origin needs: certificates and keys.
    var withoutCertificates: Site {
        var site = self
        site.certificates = []
        site.automatic = nil
        site.associations.signing = nil
        return site
    }

    /// Its title in findings, with its environment.
    package var title: String { described.title }

    package var described: DescribedSite {
        DescribedSite(name: name, environment: environment, position: position)
    }

    /// Every host and wildcard, as the configuration writes them and certificates cover them.
    package var hostPatterns: [String] {
        answeredHosts.map(\.description) + wildcards.map { "*.\($0)" }
    }

    /// Every host that is served, including `open-host`, without duplicates.
    package var answeredHosts: [HostName] {
        guard let openHost, !hosts.contains(openHost) else { return hosts }
        return hosts + [openHost]
    }
}

/// One app of an environment, and the links that open it there, in the order of their rules.
package struct Publication: Hashable, Sendable {
    package let app: App
    package let links: [Link]

    /// The rules of all links, in order.
    package var components: [Component] { links.flatMap(\.components) }

    /// Whether Apple's association file contains the app: its rules, or a service.
    package var isToldApple: Bool {
        guard let ios = app.ios else { return false }
        return !links.isEmpty || !ios.services.isEmpty || ios.clip != nil
    }

    /// Whether Android has: the app's rules, or that it shares credentials.
    package var isToldAndroid: Bool {
        app.android.map { !links.isEmpty || $0.sharesCredentials } ?? false
    }

    /// Whether a file contains the app.
    package var isTold: Bool { isToldApple || isToldAndroid || app.harmony != nil }
}

/// A file or directory in the configuration: the path to open, resolved against the configuration's
/// directory, and its position.
package struct FileReference: Hashable, Sendable {
    package let path: String
    package let position: SourcePosition

    package init(path: String, position: SourcePosition) {
        self.path = path
        self.position = position
    }
}

/// A certificate chain and its private key, both PEM files.
package struct CertificateFiles: Hashable, Sendable {
    package let certificate: FileReference
    package let key: FileReference
    /// The host that it is requested for by itself; nil for files of the configuration.
    package let automaticHost: String?

    package init(certificate: FileReference, key: FileReference, automaticHost: String? = nil) {
        self.certificate = certificate
        self.key = key
        self.automaticHost = automaticHost
    }
}

/// The bytes of an environment's association files, ready to be sent.
package struct PublishedAssociations: Equatable, Sendable {
    /// `apple-app-site-association` as JSON, or a ready file that is signed already; at most
    /// 131,072 bytes; nil when no iOS app is published.
    package let aasa: [UInt8]?
    /// `assetlinks.json`; nil when no Android app is published.
    package let assetlinks: [UInt8]?
    /// Sign `aasa` (CMS, DER) with these when the snapshot is built; nil serves plain JSON.
    package internal(set) var signing: CertificateFiles?
    /// Whether `aasa` is a ready file that is already signed, and therefore not JSON.
    package var isSigned: Bool { aasa.map(SignedPayload.isLikely) ?? false }
    /// The content of `aasa` if it was generated; nil for a ready file.
    package let generated: AssociationFile?
    /// The form in which `generated` is written.
    package let form: AssociationForm
    /// The ready files in the configuration.
    package let readyAASA: FileReference?
    package let readyAssetLinks: FileReference?

    package init(
        aasa: [UInt8]?, assetlinks: [UInt8]?, signing: CertificateFiles?,
        generated: AssociationFile? = nil, form: AssociationForm = .modern,
        readyAASA: FileReference? = nil, readyAssetLinks: FileReference? = nil
    ) {
        self.aasa = aasa
        self.assetlinks = assetlinks
        self.signing = signing
        self.generated = generated
        self.form = form
        self.readyAASA = readyAASA
        self.readyAssetLinks = readyAssetLinks
    }
}

/// The response for a path that nothing else matches.
package enum UnmatchedAction: Hashable, Sendable {
    /// A file of the public directory, by its URL path (`/index.html`), with this status.
    case page(String, status: Int, position: SourcePosition)
    /// A redirect to this http or https URL, which has no stars.
    case redirect(URLTemplate, RedirectStatus)
    /// A generated page, with this status where no link claims the path.
    case landing(status: Int)
    /// The page of the environment's first app in the platform's store.
    case store
    case notFound

    package var isLanding: Bool { if case .landing = self { true } else { false } }

    /// The action as a link's; nil for the environment's own page or status.
    package var action: WebAction? {
        switch self {
        case .page, .notFound: nil
        case .landing: .landing
        case .store: .store
        case .redirect(let template, let status): .redirect(template, status)
        }
    }
}
