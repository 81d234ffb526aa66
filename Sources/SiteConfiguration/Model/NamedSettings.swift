private import Associations
private import ClientAddress
private import Diagnostics
private import URISyntax

/// A setting in words, for comparing two versions of a configuration.
package struct NamedSetting: Hashable, Sendable {
    /// As the documentation calls it: `robots`, `Strict-Transport-Security`.
    package let name: String
    package let value: String

    init(_ name: String, _ value: String?) { (self.name, self.value) = (name, value ?? "not set") }
}

extension Environment {
    /// The settings of the process that serves the environment. Two environments have the same
    /// names in the same order.
    /// - Parameter directory: of the configuration; names of files are relative to it.
    package func settings(in directory: String) -> [NamedSetting] {
        let keys: String =
            switch tls.tickets {
            case .automatic: "auto"
            case .off: "off"
            case .files(let files): names(files, directory)
            }
        let trusted = proxies.trusted.map(\.text).joined(separator: ", ")
        return [
            NamedSetting("tls-tickets", keys),
            NamedSetting("unknown-name", tls.refusesUnknownNames ? "refuse" : "default"),
            NamedSetting("log.access", accessLog.form?.rawValue),
            NamedSetting("log.to", accessLog.file.map { $0.name(in: directory) } ?? "stdout"),
            NamedSetting(
                "log.utm",
                accessLog.campaigns.isEmpty ? nil : accessLog.campaigns.joined(separator: ", ")),
            NamedSetting("log.anonymize", "\(accessLog.isAnonymized)"),
            NamedSetting("proxies.trusted", trusted.isEmpty ? "none" : trusted),
            NamedSetting("proxies.header", proxies.header?.rawValue ?? "none"),
            NamedSetting("proxies.protocol", proxies.expectsProxyHeader ? "proxy" : "none"),
            NamedSetting("store", store.map { $0.file?.name(in: directory) ?? $0.path }),
            NamedSetting("store-password", store?.password.map { $0.name(in: directory) }),
            NamedSetting(
                "store-secret", (store?.secrets).flatMap { $0.isEmpty ? nil : names($0, directory) }
            ),
            NamedSetting("store-essential", "\(isStoreEssential)"),
            NamedSetting(
                "api-hosts",
                apiHosts.isEmpty ? nil : apiHosts.map { "\($0.name)" }.joined(separator: ", ")),
            NamedSetting("console.host", consoleHost.map { "\($0.name)" }),
            NamedSetting("console.identity-header", identityField),
        ]
            + OpenIDSettings.settings(openID, in: directory)
            + WatchSettings.settings(watch, in: directory)
            + CountrySettings.settings(countries, in: directory)
            + [NamedSetting("countries.attribution", countryAttribution)]
            + Limit.allCases.map {
                NamedSetting("limits.\($0.rawValue)", "\(limits[$0] ?? $0.usual)")
            }
    }
}

extension Site {
    /// Settings that its responses depend on, besides hosts, links and apps. Two sites have the same
    /// names in the same order, except for texts and styles.
    /// - Parameter directory: of the configuration; names of files are relative to it.
    package func settings(in directory: String) -> [NamedSetting] {
        let chains = certificates.map { $0.names(in: directory) }
        return [
            NamedSetting("open-host", openHost.map { "\($0)" }),
            NamedSetting("certificate", chains.isEmpty ? nil : chains.joined(separator: ", ")),
            NamedSetting("https-port in redirects", httpsPort.map { "\($0)" }),
            NamedSetting("Strict-Transport-Security", transportSecurity.map(\.field) ?? "not sent"),
            NamedSetting("public files", publicDirectory.name(in: directory)),
            NamedSetting("acme-webroot", acmeWebroot.map { $0.name(in: directory) }),
            NamedSetting("time-zone", timeZone),
            NamedSetting(
                "robots",
                isClosedToRobots
                    ? "closed: search engines may not list pages"
                    : "open: search engines may list pages"),
            NamedSetting("association-form", associations.form.rawValue),
            NamedSetting(
                "signing of the association file",
                associations.signing.map { $0.names(in: directory) }),
            NamedSetting(
                "ready apple-app-site-association",
                associations.readyAASA.map { $0.name(in: directory) }),
            NamedSetting(
                "ready assetlinks.json",
                associations.readyAssetLinks.map { $0.name(in: directory) }),
            NamedSetting("manifests of Android apps", manifestNames(in: directory)),
        ] + AutomaticCertificates.settings(automatic, in: directory) + wellKnown.settings
            + headerSettings + presentation.settings(in: directory)
    }
}

extension Site {
    /// The manifests of the published apps with a hash of their content; nil if there are none.
    private func manifestNames(in directory: String) -> String? {
        let names = publications.compactMap { publication -> String? in
            guard let manifest = publication.app.android?.manifest else { return nil }
            var digest = ConfigurationDigest()
            digest.add(manifest.bytes ?? [])
            let content = manifest.bytes == nil ? "not read" : digest.text
            return "\(publication.app.key): \(manifest.file.name(in: directory)) (\(content))"
        }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
}

extension AutomaticCertificates {
    /// The settings with which certificates are requested; all are unset where there are none.
    fileprivate static func settings(
        _ automatic: AutomaticCertificates?, in directory: String
    ) -> [NamedSetting] {
        let dns: String? =
            switch automatic?.dns {
            case .program(let file): file.name(in: directory)
            case .persistent: "persistent"
            case nil: nil
            }
        let others = automatic?.others.map {
            account($0, in: directory).compactMap { key, value in value.map { "\(key) \($0)" } }
                .joined(separator: ", ")
        }
        let own = account(automatic, in: directory)
        return own.map { NamedSetting("automatic certificates: \($0)", $1) } + [
            NamedSetting(
                "automatic certificates: hosts",
                automatic.map {
                    $0.hosts?.map(\.description).joined(separator: ", ")
                        ?? "all that no other certificate is for"
                }),
            NamedSetting("automatic certificates: dns", dns),
            NamedSetting(
                "automatic certificates: otherwise",
                others.flatMap { $0.isEmpty ? nil : $0.joined(separator: "; ") }),
        ]
    }

    /// The settings of an account with an authority, by the names of the keys.
    private static func account(
        _ automatic: AutomaticCertificates?, in directory: String
    ) -> [(key: String, value: String?)] {
        let external = automatic?.externalAccount.map {
            "\($0.id) with \($0.key.name(in: directory))"
        }
        return [
            ("directory", automatic?.directory),
            ("staging", automatic.map { $0.staging ?? "off" }),
            ("profile", automatic?.profile), ("email", automatic?.email),
            ("external-account", external),
            ("authorities", automatic?.authorities?.name(in: directory)),
        ]
    }
}

extension OpenIDSettings {
    /// The settings of the provider; all are unset where there is none.
    fileprivate static func settings(
        _ openID: OpenIDSettings?, in directory: String
    ) -> [NamedSetting] {
        let roles = openID?.roles.map { role in
            let collections = role.collections.map { " of \($0.joined(separator: ", "))" } ?? ""
            return "\(role.group) is \(role.role)\(collections)"
        }
        return [
            ("issuer", openID?.issuer), ("client-id", openID?.clientID),
            ("client-secret", openID.map { $0.secret.name(in: directory) }),
            ("name", openID?.name), ("scopes", openID?.scopes?.joined(separator: " ")),
            ("groups-claim", openID?.groupsClaim), ("roles", roles?.joined(separator: "; then ")),
            ("authorities", openID?.authorities?.name(in: directory)),
        ].map { NamedSetting("console.openid.\($0)", $1) }
    }
}

extension CountrySettings {
    fileprivate static func settings(
        _ countries: CountrySettings?, in directory: String
    ) -> [NamedSetting] {
        var (header, file) = (String?.none, String?.none)
        switch countries {
        case .header(let name, _): header = name
        case .file(let reference): file = reference.name(in: directory)
        case nil: break
        }
        return [NamedSetting("countries.header", header), NamedSetting("countries.file", file)]
    }
}

extension WatchSettings {
    /// The settings of the checks; all are unset where there are none.
    fileprivate static func settings(
        _ watch: WatchSettings?, in directory: String
    ) -> [NamedSetting] {
        let addresses = watch?.addresses.map { "\($0) at \($1)" }.sorted()
        return [
            NamedSetting("watch", watch.map { "every \($0.seconds) s" }),
            NamedSetting(
                "watch.hosts",
                watch.map {
                    $0.hosts?.map(\.description).joined(separator: ", ") ?? "all"
                }),
            NamedSetting("watch.apple", watch?.apple.words),
            NamedSetting("watch.google", watch?.google.words),
            NamedSetting("watch.authorities", watch?.authorities?.name(in: directory)),
            NamedSetting(
                "watch.connect",
                addresses.flatMap { $0.isEmpty ? nil : $0.joined(separator: ", ") }),
            NamedSetting("watch.proxy", watch?.proxy.map { "\($0)" }),
        ]
    }
}

extension WatchedService {
    fileprivate var words: String {
        switch self {
        case .usual: "asked"
        case .off: "off"
        case .at(let url): "\(url)"
        }
    }
}

extension WellKnownFiles {
    fileprivate var settings: [NamedSetting] {
        let origins = relatedOrigins.map(\.text)
        let pages = [
            ("enroll", passkeyEndpoints?.enroll), ("manage", passkeyEndpoints?.manage),
            ("prf-usage-details", passkeyEndpoints?.prfUsageDetails),
        ].compactMap { key, url in url.map { "\(key) \($0)" } }
        let endpoints = pages.isEmpty ? "no pages" : pages.joined(separator: ", ")
        return [
            NamedSetting("webauthn", origins.isEmpty ? nil : origins.joined(separator: ", ")),
            NamedSetting("passkey-endpoints", passkeyEndpoints.map { _ in endpoints }),
            NamedSetting("change-password", changePassword?.description),
            NamedSetting(
                "applinking.json",
                harmonyApps.isEmpty ? nil : harmonyApps.joined(separator: ", ")),
        ]
    }
}

extension Site {
    /// The value of each configured field, by its name and the patterns; and of a name with several rules,
    /// their order, because the first rule that matches decides.
    private var headerSettings: [NamedSetting] {
        var (values, orders) = ([NamedSetting](), [String: [String]]())
        for rule in headers {
            let patterns = rule.patterns.joined(separator: ", ")
            for field in rule.fields {
                values.append(NamedSetting("\(field.name) of \(patterns)", field.value))
                orders[field.name.lowercased(), default: []].append(patterns)
            }
        }
        let several = orders.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }
        return values
            + several.map { name, patterns in
                NamedSetting("order of \(name)", patterns.joined(separator: "; then "))
            }
    }
}

extension Collection {
    /// The settings of its links, apart from what they are answered with. Two collections have the
    /// same names in the same order; the order of destinations and characters means nothing.
    package var settings: [NamedSetting] {
        let parts: [(FirebaseParts, String)] = [
            (.longLinks, "long-links"), (.debug, "debug"), (.api, "api"),
        ]
        let served = parts.filter { firebase.contains($0.0) }.map(\.1)
        return [
            NamedSetting(
                "destinations", destinations.map(\.description).sorted().joined(separator: ", ")),
            NamedSetting("case", isExact ? "exact" : "fold"),
            NamedSetting("alphabet", String(decoding: alphabet.sorted(), as: UTF8.self)),
            NamedSetting("length", "\(length)"),
            NamedSetting("firebase", served.isEmpty ? nil : served.joined(separator: ", ")),
        ]
    }
}

extension Presentation {
    fileprivate func settings(in directory: String) -> [NamedSetting] {
        let words = texts.flatMap { language, words in
            words.map { NamedSetting("site text \($0.key) (\(language))", $0.value) }
        }
        return [
            NamedSetting("site name", name), NamedSetting("site url", url),
            NamedSetting("site imprint", imprint), NamedSetting("site privacy", privacy),
            NamedSetting("site logo", logo),
            NamedSetting("site icon", icon), NamedSetting("site account on X", twitter),
            NamedSetting("site pages elsewhere", sameAs.joined(separator: ", ")),
            NamedSetting("site languages", languages.joined(separator: ", ")),
            NamedSetting("site theme", theme.map { $0.name(in: directory) }),
            NamedSetting("site App Store badge", appStoreBadge),
            NamedSetting("site Google Play badge", googlePlayBadge),
        ]
            + style.sorted { $0.key < $1.key }.map { NamedSetting("site style \($0)", $1) }
            + words.sorted { $0.name < $1.name }
    }
}

extension LinkPage {
    /// The content in words, under the names of its keys; without what is not set.
    package var settings: [NamedSetting] {
        let steps = breadcrumbs.map { $0.name + ($0.url.map { " (\($0))" } ?? "") }
        let whole: String? =
            switch schema {
            case .type(let name): name
            case .whole(let json): json.compact
            case nil: nil
            }
        let translated = translations.sorted { $0.key < $1.key }.flatMap { language, words in
            [("title", words.title), ("description", words.description), ("alt", words.alt)].map {
                ("\($0) (\(language))", $1)
            }
        }
        let all: [(String, String?)] =
            [
                ("title", title), ("description", description), ("image", image?.words),
                ("video", video?.words), ("type", type), ("schema", whole),
                ("breadcrumbs", steps.isEmpty ? nil : steps.joined(separator: " › ")),
                ("clip", showsClipCard ? "card" : nil), ("argument", argument?.text),
                ("twitter-card", twitterCard?.rawValue),
                ("index", isIndexed ? nil : "false: search engines may not list it"),
                ("insert", isInserted ? "true" : nil),
            ] + translated
        return all.compactMap { name, value in value.map { NamedSetting(name, $0) } }
    }
}

extension PageImage {
    fileprivate var words: String {
        [
            url, widthPixels.map { "\($0) pixels wide" }, heightPixels.map { "\($0) high" }, type,
            alt,
        ].compactMap(\.self).joined(separator: ", ")
    }
}

extension PageVideo {
    fileprivate var words: String {
        [
            url, widthPixels.map { "\($0) pixels wide" }, heightPixels.map { "\($0) high" }, type,
            duration, uploaded,
        ].compactMap(\.self).joined(separator: ", ")
    }
}

extension FileReference {
    /// The path as the configuration in this directory has it.
    fileprivate func name(in directory: String) -> String {
        let start = Array("\(directory)/".utf8)
        let bytes = Array(path.utf8)
        return bytes.starts(with: start)
            ? String(decoding: bytes.dropFirst(start.count), as: UTF8.self) : path
    }
}

extension CertificateFiles {
    fileprivate func names(in directory: String) -> String {
        "\(certificate.name(in: directory)) with \(key.name(in: directory))"
    }
}

private func names(_ files: [FileReference], _ directory: String) -> String {
    files.map { $0.name(in: directory) }.joined(separator: ", ")
}
