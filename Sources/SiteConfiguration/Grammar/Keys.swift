// The table of all keys of a configuration. The reader checks against it, the JSON Schema is
// generated from it, and a test compares the documentation with it.

extension Shape {
    static let configuration = Shape(
        "configuration",
        [
            Key("$schema", .text(.text), "Where an editor finds the schema of this file."),
            Key("version", .text(.version), required: true, "The version of this format: 1."),
            Key("site", .object(site), "Values that all pages of the site share."),
            Key(
                "sites", .either([.text(.siteFiles), .names(.name, of: .object(describedSite))]),
                "Several sites, by name, each with hosts of its own; or the directory of their "
                    + "files: sites/*.yaml."),
            Key("apps", .names(.name, of: .object(app)), "The apps that may open links, by name."),
            Key(
                "links", .names(.name, of: .object(link)),
                "The links, by name. Their order has no meaning; `publish` orders them."),
            Key(
                "environments", .names(.name, of: .object(environment)), required: true,
                "The environments, by name: dev, uat, prod."),
            Key(
                "expect", .list(of: .object(expectation)),
                "Link tests: what each of these URLs must do."),
        ])

    static let app = Shape(
        "app", needs: [.anyOf(["ios"], ["android"], ["harmony"])],
        [
            Key("name", .text(.text), "The app's name, as people know it."),
            Key("ios", .object(iosApp), "The app on Apple's systems."),
            Key("android", .object(androidApp), "The app on Android."),
            Key("harmony", .object(harmonyApp), "The app on HarmonyOS."),
        ])

    static let iosApp = Shape(
        "iosApp",
        [
            Key(
                "id", .text(.appIdentifier), required: true,
                "App ID prefix of 10 characters, full stop, bundle identifier."),
            Key("store", .text(.storeIdentifier), "The app's numeric App Store ID."),
            Key("scheme", .text(.scheme), "A URL scheme for systems before universal links."),
            Key(
                "services", .list(of: .text(.choice("webcredentials", "activitycontinuation"))),
                "Other services of the association file for this app: shared web credentials, "
                    + "Handoff."),
            Key("clip", .text(.appIdentifier), "The application identifier of the App Clip."),
        ])

    static let androidApp = Shape(
        "androidApp",
        [
            Key("package", .text(.androidPackage), required: true, "The app's package name."),
            Key(
                "sha256", .oneOrMore(.text(.fingerprint)), required: true,
                "The SHA-256 fingerprint of every key that signs the app, Play's first."),
            Key(
                "credentials", .text(.flag),
                "Whether the app and the site share sign-in credentials."),
            Key(
                "dynamic", .text(.flag),
                "Whether the links' rules are published for Android 15 and later, where they "
                    + "restrict the links in the app's manifest."),
            Key(
                "manifest", .text(.path),
                "The app's AndroidManifest.xml. With it, commands know which links the app opens."),
        ])

    static let link = Shape(
        "link",
        [
            Key(
                "match", rules, required: true,
                "Which URLs belong to the link: one path pattern, one of Apple's component "
                    + "objects, or a list of them, tried in order."),
            Key("exclude", rules, "Which of these URLs do not; tried before every `match`."),
            Key("page", .object(page), "The content of the link's page."),
            Key(
                "web", .either([.text(.webAction), .object(platforms)]),
                "What a browser gets: one action, or one for each platform."),
            Key(
                "campaign", .object(campaign),
                "Campaign parameters; a key here overrides the environment's."),
            Key(
                "from", .text(.time),
                "When browsers get the link for the first time, as 2026-09-01T00:00:00+02:00; "
                    + "before, it is not there. The app opens at any time."),
            Key(
                "until", .text(.time),
                "When the link ends; then browsers get `after`. The app opens at any time."),
            Key(
                "after", .either([.text(.webAction), .object(platforms)]),
                "What a browser gets after `until`, also for stored links that do not say it: gone "
                    + "(410, the default) or another action, or one for each platform."),
            Key(
                "stored", .object(stored),
                "The link's star stands for links that are made while the origin runs, and kept in "
                    + "the environment's `store`."),
        ])

    private static let rules = Kind.either([
        .text(.pathPattern), .object(component),
        .list(of: .either([.text(.pathPattern), .object(component)])),
    ])

    static let component = Shape(
        "component", needs: [.anyOf(["/"], ["?"], ["#"])],
        [
            Key("/", .text(.componentPath), "A pattern for the path."),
            Key(
                "?", .either([.text(.partPattern), .names(.queryName, of: .text(.partPattern))]),
                "A pattern for the whole query, or one for each named item."),
            Key("#", .text(.partPattern), "A pattern for the fragment."),
            Key("exclude", .text(.flag), "Whether a URL that matches does not open the app."),
            Key("comment", .text(.prose), "A remark, published with the rule."),
            Key("caseSensitive", .text(.flag), "Whether letter case matters; true by default."),
            Key(
                "percentEncoded", .text(.flag),
                "Whether URLs are compared as they are encoded; true by default."),
        ])

    static let platforms = Shape(
        "platforms",
        [
            Key("ios", .text(.webAction), "The action on an iPhone."),
            Key("ipad", .text(.webAction), "The action on an iPad."),
            Key("android", .text(.webAction), "The action on Android."),
            Key("desktop", .text(.webAction), "The action on a computer."),
            Key("default", .text(.webAction), "The action for all other platforms."),
        ])

    static let environment = Shape(
        "environment",
        [
            Key(
                "extends", .text(.name),
                "The environment from which this one inherits the keys that it does not set.")
        ] + siteKeys + [
            Key(
                "tls-tickets", .either([.text(.choice("auto", "off")), .list(of: .text(.path))]),
                "Keys of session tickets: auto (the default), off, or files that several origins "
                    + "share, the current one first."),
            Key(
                "unknown-name", .text(.choice("default", "refuse")),
                "What a TLS client gets that names another host: the first certificate (default), "
                    + "or an alert (refuse)."),
            Key("acme-webroot", .text(.path), "The directory that an ACME client writes to."),
            Key(
                "https-port", .text(.port),
                "The port in redirects from http to https, if a port mapping is in front of "
                    + "Waymark."),
            Key("log", .object(log), "The access log."),
            Key("proxies", .object(proxies), "The proxies in front of the environment."),
            Key(
                "countries", .object(countries),
                "Where the countries of visits come from: a proxy's header field, or a file."),
            Key("limits", .object(limits), "Limits for one client and for all clients."),
            Key(
                "store", .text(.store),
                "The database of stored links: a file that Waymark creates, var/links.db; or one of "
                    + "several nodes, postgresql://USER@HOST/DATABASE."),
            Key(
                "store-password", .text(.path),
                "The file with the password of the store's database."),
            Key(
                "store-secret", .either([.text(.path), .list(of: .text(.path))]),
                "The file with the secret that encrypts automatic certificates in the store's database; or "
                    + "several files, the current one first."),
            Key(
                "store-essential", .text(.flag),
                "Whether an origin is ready only while it can answer stored links; true by default."
            ),
            Key(
                "api-hosts", .oneOrMore(.text(.host)),
                "Hosts of the API of stored links over https, besides the admin listener; never "
                    + "hosts of links."),
            Key("console", .object(console), "The console over https, besides the admin listener."),
            Key(
                "watch", .either([.text(.flag), .object(watch)]),
                "Whether, or how, a running origin checks its hosts as `waymark check` does."),
        ])

    /// The needs of an environment that extends none, unless its sites meet them: the reader checks
    /// them, and the schema states them.
    static let environmentNeeds: [Need] = [
        .anyOf(["hosts", "tls"], ["extends"]),
        .anyOf(["publish"], ["aasa"], ["assetlinks"], ["extends"]),
    ]

    /// The keys that sites have, too.
    static let siteKeys: [Key] = associationKeys + wellKnownKeys + answerKeys

    private static let associationKeys: [Key] = [
        Key(
            "hosts", .oneOrMore(.text(.hostPattern)),
            "The hosts that the environment serves; the first is the canonical host."),
        Key("open-host", .text(.hostPattern), "A second associated host, for \"Open in app\"."),
        Key(
            "tls", .oneOrMore(.object(tls)),
            "Certificates and their private keys, or automatic ones."),
        Key(
            "publish",
            .names(.name, of: .either([.text(.name), .list(of: .text(.name), canBeEmpty: true)])),
            "Which app opens which links: names of apps, each with names of links in the order "
                + "in which they are tried; an empty list for an app that only has services."),
        Key(
            "aasa", .text(.path),
            "A ready apple-app-site-association file, served byte for byte instead of the "
                + "generated one."),
        Key(
            "assetlinks", .text(.path),
            "A ready assetlinks.json, served byte for byte instead of the generated one."),
        Key(
            "association-form", .text(.choice("modern", "compatible", "legacy")),
            "The form of the association file: for iOS 13 and later (modern, the default), for "
                + "all systems (compatible), or for systems before iOS 13 (legacy)."),
        Key(
            "signing", .object(certificate),
            "Sign the association file, for systems of the iOS 8 era."),
    ]

    private static let answerKeys: [Key] = [
        Key("public", .text(.path), "The directory whose files are served; Public by default."),
        Key(
            "unmatched", .either([.text(.unmatched), .object(unmatchedPage)]),
            "The response for every other path: not-found (the default), page, a public file, "
                + "a URL, landing or store."),
        Key(
            "robots", .text(.choice("open", "closed")),
            "Whether search engines may index the environment."),
        Key(
            "time-zone", .text(.timeZone),
            "The time zone of days and hours in the console's statistics, such as Europe/Berlin; "
                + "UTC by default."),
        Key(
            "campaign", .object(campaign),
            "Campaign parameters, for people who are sent to the web or to an app store."),
        Key(
            "scheme", .text(.flag),
            "Whether landing pages can offer the app's own URL scheme; false by default."),
        Key(
            "hsts", .either([.text(.hstsSeconds), .object(transportSecurity)]),
            "Strict-Transport-Security: for how many seconds browsers use only https for the "
                + "hosts; not sent by default."),
        Key(
            "headers", .list(of: .object(headerRule)),
            "Response header fields of public files and pages, by path. The first rule that has "
                + "a field decides."),
    ]

    /// A site among others.
    static let describedSite = Shape(
        "describedSite", canBeEmpty: true,
        [
            Key("$schema", .text(.text), "Where an editor finds the schema of this file."),
            Key("version", .text(.version), "The version of this format: 1."),
            Key("site", .object(site), "Values that all pages of the site share."),
            Key("apps", .names(.name, of: .object(app)), "The site's apps, by name."),
            Key("links", .names(.name, of: .object(link)), "The site's links, by name."),
        ] + siteKeys + [
            Key(
                "environments", .names(.name, of: .object(siteEnvironment)),
                "What differs in an environment, by its name."),
            Key(
                "expect", .list(of: .object(expectation)),
                "Link tests: what each of these URLs must do."),
        ])

    static let siteEnvironment = Shape("siteEnvironment", siteKeys)

    static let certificate = Shape(
        "certificate",
        [
            Key("certificate", .text(.path), required: true, "The chain, a PEM file."),
            Key("key", .text(.path), required: true, "Its private key, a PEM file."),
        ])

    static let headerRule = Shape(
        "headerRule",
        [
            Key(
                "match", .oneOrMore(.text(.pathPattern)),
                "Patterns for the paths of files and pages; all of them by default."),
            Key(
                "set", .names(.fieldName, of: .text(.fieldValue)), required: true,
                "Response header fields, by name."),
        ])

    static let unmatchedPage = Shape(
        "unmatchedPage",
        [
            Key(
                "page", .text(.unmatchedPage), required: true,
                "A public file, by its URL path; or landing, a generated page."),
            Key(
                "status", .text(.status),
                "Its status; by default 200, and 404 for a generated page."),
        ])

    static let expectation = Shape(
        "expectation", needs: [.anyOf(["opens"], ["gets"])],
        [
            Key("url", .text(.url), required: true, "The link."),
            Key("env", .text(.name), required: true, "The environment."),
            Key("as", .text(.profile), "The client, such as desktop-chrome."),
            Key(
                "opens", .list(of: .text(.name), canBeEmpty: true),
                "All apps that the link opens; an empty list for none."),
            Key(
                "at", .text(.time),
                "The time of the request; without it, every link is within its `from` and "
                    + "`until`."),
            Key("gets", .text(.outcome), "The status, or the status and the URL of the redirect."),
        ])
}
