package import Associations
package import Diagnostics
package import LinkIndex
package import SiteConfiguration

/// The paths of a link on each platform: the content of its debug page. Each path is one that
/// `explain` reports.
package struct FirebaseDebug: Sendable {
    /// The link, without `d=1`.
    package let url: String
    /// The parts of a long link that are not kept.
    package let notes: [FirebaseNote]
    /// By the names of clients.
    package let paths: [(client: String, explanation: RequestExplanation)]
    /// The apps that open it on each system, by their names for people, or else their identifiers.
    package let apple: [String]
    package let android: [String]
    /// The identifiers of the same apps.
    private let opens: [String]

    /// A client for each path that a link can take.
    private static let clients = [
        "iphone-safari", "ipad-safari", "ipad-mobile", "android-chrome", "desktop-chrome",
        "messages-preview",
    ]

    /// - Parameter now: seconds since 1970.
    package init(
        _ url: LinkURL, _ site: Site, _ router: Router, _ resolver: LinkResolver, at now: Int,
        stored index: LinkIndex?
    ) {
        let link = url.withoutDebug
        self.url = link.description
        notes = resolver.longLink(link)?.notes ?? []
        let apps = resolver.allApps(opening: link)
        apple = apps.compactMap { app in app.ios.map { app.name ?? $0.id.description } }
        android = apps.compactMap { app in app.android.map { app.name ?? $0.package.description } }
        opens = LinkResolver.identifiers(of: apps)
        paths = Self.clients.map { client in
            let visitor = Visitor(userAgent: VisitorProfile.userAgent(of: client) ?? "")
            return (
                client,
                RequestExplanation(link, visitor, site, router, resolver, at: now, stored: index)
            )
        }
    }

    /// The same for programs.
    package var json: JSONText {
        .object([
            ("url", .string(url)), ("opens", .strings(opens)),
            (
                "warnings",
                .array(
                    notes.map { note in
                        .object([
                            ("parameter", .string(note.parameter)),
                            ("warningCode", .string(note.code.rawValue)),
                            ("warningMessage", .string(note.detail)),
                        ])
                    })
            ),
            (
                "platforms",
                .array(
                    paths.map { path in
                        .object([("as", .string(path.client))] + path.explanation.json)
                    })
            ),
        ])
    }
}
