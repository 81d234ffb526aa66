// The table of keys: everything that a configuration may say. The reader checks against it, the
// JSON Schema is printed from it, and the documentation is held against it.

extension Shape {
    static let configuration = Shape(
        "configuration",
        [
            Key("$schema", .text(.text), "Where an editor finds the schema of this file."),
            Key("version", .text(.version), required: true, "The version of this format: 1."),
            Key("site", .object(site), "What all pages of the site have in common."),
            Key("apps", .names(.name, of: .object(app)), "The apps that may open links, by name."),
            Key(
                "links", .names(.name, of: .object(link)),
                "What is linked to, by name. Their order here has no meaning; `publish` orders."),
            Key(
                "environments", .names(.name, of: .object(environment)), required: true,
                "The origins that this file describes, by name: dev, uat, prod."),
            Key(
                "expect", .list(of: .object(expectation)),
                "Link tests: what each of these URLs must do."),
        ])

    static let app = Shape(
        "app", needs: [.anyOf(["ios"], ["android"])],
        [
            Key("name", .text(.text), "What people call the app."),
            Key("ios", .object(iosApp), "The app on Apple's systems."),
            Key("android", .object(androidApp), "The app on Android."),
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
                "Further services of the association file that list the app: shared web "
                    + "credentials, Handoff."),
            Key("clip", .text(.appIdentifier), "The application identifier of the App Clip."),
        ])

    static let androidApp = Shape(
        "androidApp",
        [
            Key("package", .text(.androidPackage), required: true, "The app's package name."),
            Key(
                "sha256", .oneOrMore(.text(.fingerprint)), required: true,
                "The SHA-256 fingerprint of every key that signs the app, Play's first."),
            Key("credentials", .text(.flag), "Whether app and site share sign-in credentials."),
            Key(
                "dynamic", .text(.flag),
                "Whether the links' rules are published for Android 15 and later, where they "
                    + "narrow those of the app's manifest."),
        ])

    static let link = Shape(
        "link",
        [
            Key(
                "match", rules, required: true,
                "Which URLs belong to the link: one path pattern, one of Apple's component "
                    + "objects, or a list of them, tried in order."),
            Key("exclude", rules, "Which of these do not; tried before every `match`."),
            Key("page", .object(page), "What the link's page says."),
            Key(
                "web", .either([.text(.webAction), .object(platforms)]),
                "What a browser gets: one action, or one for each platform."),
            Key(
                "campaign", .object(campaign),
                "How visits are told apart; each key comes before the environment's."),
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
                "A pattern for the whole query, or one for each named item of it."),
            Key("#", .text(.partPattern), "A pattern for the fragment."),
            Key("exclude", .text(.flag), "Whether a match keeps the URL from opening the app."),
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
            Key("default", .text(.webAction), "The action wherever none is named."),
        ])

    static let environment = Shape(
        "environment",
        needs: [
            .anyOf(["hosts", "tls"], ["extends"]),
            .anyOf(["publish"], ["aasa"], ["assetlinks"], ["extends"]),
        ],
        [
            Key(
                "extends", .text(.name),
                "The environment whose keys hold where this one has none of its own."),
            Key(
                "hosts", .oneOrMore(.text(.host)),
                "The hosts that are answered; the first is the canonical one."),
            Key("open-host", .text(.host), "A second associated host, for \"Open in app\"."),
            Key("tls", .oneOrMore(.object(certificate)), "Certificates and their private keys."),
            Key(
                "tls-tickets", .either([.text(.choice("auto", "off")), .list(of: .text(.path))]),
                "Keys of session tickets: auto (the default), off, or files that several origins "
                    + "share, the current one first."),
            Key(
                "unknown-name", .text(.choice("default", "refuse")),
                "What a client gets that asks TLS for another host: the first certificate "
                    + "(if this is `default`, or not written), or a refusal."),
            Key(
                "publish",
                .names(
                    .name,
                    of: .either([.text(.name), .list(of: .text(.name), canBeEmpty: true)])),
                "Which app opens which links: names of apps, each with names of links, in the "
                    + "order in which they are tried; none for one with services alone."),
            Key(
                "aasa", .text(.path),
                "A ready apple-app-site-association file, served as it is in place of the "
                    + "generated one."),
            Key(
                "assetlinks", .text(.path),
                "A ready assetlinks.json, served as it is in place of the generated one."),
            Key(
                "association-form", .text(.choice("modern", "compatible", "legacy")),
                "How the association file is written: for iOS 13 and later (modern, unless "
                    + "said), for all (compatible), or as before iOS 13 (legacy)."),
            Key(
                "signing", .object(certificate),
                "Sign the association file, for systems of the iOS 8 era."),
            Key(
                "public", .text(.path),
                "The directory whose files are served; Public by default."),
            Key("acme-webroot", .text(.path), "The directory that an ACME client fills."),
            Key(
                "https-port", .text(.port),
                "The port that visitors reach https on, where it is not the one listened on."),
            Key(
                "unmatched", .either([.text(.unmatched), .object(unmatchedPage)]),
                "What any other path gets: not-found (the default), page, a public file, a URL, "
                    + "landing or store."),
            Key("robots", .text(.choice("open", "closed")), "Whether robots may crawl the hosts."),
            Key(
                "campaign", .object(campaign),
                "How visits are told apart, where people are sent to the web or to a store."),
            Key(
                "scheme", .text(.flag),
                "Whether landing pages may offer the app's own URL scheme; false by default."),
            Key(
                "hsts", .either([.text(.hstsSeconds), .object(transportSecurity)]),
                "Strict-Transport-Security: for how many seconds browsers know that the hosts "
                    + "speak https alone; not sent by default."),
            Key("log", .object(log), "The access log."),
            Key("proxies", .object(proxies), "The proxies that the environment stands behind."),
            Key("limits", .object(limits), "How much one client, and all of them, may take."),
        ])

    static let certificate = Shape(
        "certificate",
        [
            Key("certificate", .text(.path), required: true, "The chain, a PEM file."),
            Key("key", .text(.path), required: true, "Its private key, a PEM file."),
        ])

    static let unmatchedPage = Shape(
        "unmatchedPage",
        [
            Key("page", .text(.page), required: true, "A public file, by its URL path."),
            Key("status", .text(.status), "Its status; 200 by default."),
        ])

    static let expectation = Shape(
        "expectation", needs: [.anyOf(["opens"], ["gets"])],
        [
            Key("url", .text(.url), required: true, "The link."),
            Key("env", .text(.name), required: true, "The environment that is asked."),
            Key("as", .text(.profile), "Who asks: a profile such as desktop-chrome."),
            Key(
                "opens", .list(of: .text(.name), canBeEmpty: true),
                "The apps that the link opens, all of them; an empty list for none."),
            Key("gets", .text(.outcome), "The status, and the URL where it has one."),
        ])
}
