import AppFiles
import Associations
import Diagnostics

// The domains of an app beside the hosts of sites.

extension AppleComparison {
    mutating func compare(_ siteEntries: inout [OpeningEntries?]) {
        var foreign = [AssociatedDomain]()
        // Once for a site, which can list thousands of apps, and not for each domain.
        let listings = sites.map { ($0, AppListing(of: identifier, in: $0)) }
        let others = listings.map { otherHosts(than: $0.0, $0.1) }
        var misfits = [AssociatedDomain]()
        var answered = [AssociatedDomain]()
        for (entry, place) in domains {
            // For a wildcard, Apple asks the domain itself (TN3155).
            let meant = listings.indices.filter { listings[$0].0.answers(entry.host) }
            if meant.isEmpty { foreign.append(entry) } else { answered.append(entry) }
            for index in meant {
                if others[index].contains(entry.host) {
                    misfits.append(entry)
                } else {
                    compare(entry, place, with: listings[index].0, listings[index].1)
                }
            }
        }
        addForeign(foreign, beside: answered)
        addMisfits(misfits)
        findClosed(&siteEntries)
        guard let identifier else { return addUnknownApp() }
        for site in sites { compare(site, listing: identifier) }
    }

    /// Says which hosts are of other sites. If all are, nothing is known.
    private mutating func addForeign(
        _ entries: [AssociatedDomain], beside answered: [AssociatedDomain]
    ) {
        guard !entries.isEmpty else { return }
        if let entry = developerEntry(restingOn: entries, of: answered) {
            let covering = entries.filter { other in
                other.service.isScalarwise(entry.service)
                    && HostPatterns([other.pattern]).take(entry.pattern)
            }
            let asked = covering.first(where: \.isWildcard).map { wildcard in
                ", or give the configuration of \(wildcard.host), which Apple asks for \(quoted(wildcard.pattern))"
            }
            add(
                .warning, .hostNotCompared, nil,
                "without developer mode, only \(enumerated(covering.map { "\($0.service):\($0.pattern)" })) is for "
                    + "\(quoted(entry.host)), and the site does not have it",
                advice:
                    "add \(entry.service):\(entry.pattern) without ?mode=developer\(asked ?? "")")
            guard covering.count < entries.count else { return }
        }
        let own = sites.flatMap { $0.hosts ?? [] }
        let near = entries.lazy.compactMap { entry in own.first { isNear(entry.host, $0) } }.first
        let isAll = entries.count == domains.count
        let wildcard = entries.first(where: \.isWildcard)
        let first = written(entries[0])
        add(
            isAll ? .warning : .note, .hostNotCompared, first?.place,
            "the site does not have \(isAll ? "any host of the app" : "all hosts of the app"): "
                + enumerated(entries.map { "\($0.service):\($0.pattern)" })
                + (first?.origin.map { " (\($0))" } ?? ""),
            advice: near.map(didYouMean)
                ?? "give the configuration and the environment of these hosts"
                + (wildcard.map { "; for \(quoted($0.pattern)), Apple asks \($0.host)" } ?? ""))
    }

    /// An entry as the file has it.
    private func written(_ entry: AssociatedDomain) -> AppleDeclaration.Domain? {
        guard case .list(let domains) = app.domains else { return nil }
        return domains.first { (try? AssociatedDomain($0.text)) == entry }
    }

    /// An entry of the site's hosts that is for developers, and that only wildcards of other sites repeat for everybody.
    private func developerEntry(
        restingOn foreign: [AssociatedDomain], of answered: [AssociatedDomain]
    ) -> AssociatedDomain? {
        guard app.isForDevelopment != true else { return nil }
        func patterns(_ entries: [AssociatedDomain]) -> [String: HostPatterns] {
            Dictionary(grouping: entries.filter { !$0.isForDevelopers }, by: \.service)
                .mapValues { HostPatterns($0.map(\.pattern)) }
        }
        let (own, others) = (patterns(answered), patterns(foreign))
        return answered.first { entry in
            entry.isForDevelopers && own[entry.service]?.take(entry.pattern) != true
                && others[entry.service]?.take(entry.pattern) == true
        }
    }

    /// The hosts that a file without a host is not of: it fits another host of the app, and no entry of these. Apps have
    /// hosts of others, too, such as those of a service for sign-in.
    private func otherHosts(than site: SiteHalf, _ listing: AppListing) -> Set<String> {
        guard site.hosts == nil, case .read(let services) = site.apple else { return [] }
        var (all, fitting) = (Set<String>(), Set<String>())
        for (entry, _) in domains {
            all.insert(entry.host)
            let isOfClip =
                entry.service.isScalarwise("appclips") && !app.isClip
                && bundle.map(site.listsClip) == true
            let fits =
                if identifier != nil {
                    listing.services.contains(entry.service)
                } else if let bundle {
                    site.lists(bundle: bundle, for: entry.service)
                } else {
                    !services[entry.service, default: []].isEmpty
                }
            if fits || isOfClip { fitting.insert(entry.host) }
        }
        return fitting.isEmpty ? [] : all.subtracting(fitting)
    }

    /// Says which hosts the file is not taken for.
    private mutating func addMisfits(_ entries: [AssociatedDomain]) {
        guard !entries.isEmpty else { return }
        add(
            .note, .hostNotCompared, nil,
            "the file fits another host of the app, and not \(enumerated(entries.map { "\($0.service):\($0.pattern)" }))",
            advice: "give the configuration of these hosts, or ask them with --live")
    }

    private mutating func compare(
        _ entry: AssociatedDomain, _ place: TextPlace?, with site: SiteHalf,
        _ listing: AppListing
    ) {
        if isWithoutEffect(entry, on: site) { return addWithoutEffect(entry, place) }
        switch site.apple {
        case .notGiven:
            add(
                .warning, .siteHalfMissing, place,
                "the site's half for iOS is not given", advice: "give it with --aasa FILE")
        case .absent:
            add(
                .error, .hostWithoutAASA, place,
                "\(asked(entry)) publishes no apple-app-site-association",
                advice: "publish the app on this host, or remove the entry")
        case .read(let services):
            if let fault = site.faults.apple {
                add(
                    fault.isOfContent ? .warning : .error,
                    fault.isOfContent ? .siteHalfMissing : .hostWithoutAASA, place,
                    fault.sentence(of: asked(entry)), advice: fault.advice)
            }
            if entry.service.isScalarwise("appclips"), !app.isClip,
                let bundle, site.listsClip(ofBundle: bundle)
            {
                return
            }
            guard let identifier else {
                if services[entry.service, default: []].isEmpty {
                    add(
                        .error, .serviceNotPublished, place,
                        "\(asked(entry)) lists no app for \(entry.service)",
                        advice: "publish the service, or remove the entry")
                } else if let bundle = app.use?.bundleIdentifier {
                    compare(
                        bundle: bundle, services[entry.service, default: []], with: entry, place)
                }
                return
            }
            guard !listing.services.contains(entry.service) else { return }
            explain(identifier, entry, place, listing)
        }
    }

    /// Compares an app whose prefix is not known with those that a host lists for the service of an entry.
    private mutating func compare(
        bundle: String, _ listed: [String], with entry: AssociatedDomain, _ place: TextPlace?
    ) {
        let same = listed.filter { $0.isIdentifier(ofBundle: bundle) }
        guard let first = same.first else {
            return add(
                .error, .appNotListed, place,
                "\(asked(entry)) lists no app \(quoted(bundle)) for \(entry.service)"
                    + but(listed),
                advice: "publish the app on this host, or remove its domain")
        }
        // No team can have the prefix, whichever the app's is.
        guard same.allSatisfy(isPlaceholder) else { return }
        add(
            .error, .appIDPrefixDiffers, place,
            "\(asked(entry)) lists \(quoted(first)), whose prefix no app has",
            advice: "publish the prefix of the app's signature: most have that of the team")
    }

    /// The host that Apple asks for an entry, for people.
    func asked(_ entry: AssociatedDomain) -> String {
        entry.isWildcard
            ? "\(quoted(entry.host)) (for \(quoted(entry.pattern)))" : quoted(entry.host)
    }

    /// Without its prefix; nil if it is not known.
    var bundle: String? {
        app.use?.bundleIdentifier
            ?? identifier.map { String(decoding: bundleBytes($0), as: UTF8.self) }
    }

    /// Says why a site does not list an app for a service.
    private mutating func explain(
        _ identifier: String, _ entry: AssociatedDomain, _ place: TextPlace?,
        _ listing: AppListing
    ) {
        let host = asked(entry)
        let isOther = listing.services.isEmpty && listing.otherPrefix != nil
        guard !app.isClip || entry.service != "appclips" || isOther else {
            return add(
                .error, .clipNotListed, place,
                "\(host) does not list the App Clip \(quoted(identifier)) for appclips",
                advice:
                    "write clip: \(identifier) for the app of the configuration, which stands beside its id"
            )
        }
        guard listing.services.isEmpty else {
            return add(
                .error, .serviceNotPublished, place,
                "\(host) lists \(quoted(identifier)) for \(listing.services.joined(separator: ", ")), but not for "
                    + entry.service,
                advice: "publish the service for the app, or remove the entry")
        }
        if let other = listing.otherPrefix {
            let prefix = String(
                decoding: identifier.utf8.prefix(while: { $0 != UInt8(ascii: ".") }), as: UTF8.self)
            // Old App IDs have another prefix than their team. A text that can be no prefix is wrong.
            let mayBe =
                app.use != nil && (try? AppIdentifier(other)) != nil && !isPlaceholder(other)
            return add(
                mayBe ? .warning : .error, .appIDPrefixDiffers, nil,
                "\(host) lists \(quoted(other)), but the app is \(quoted(identifier))",
                advice: mayBe
                    ? "publish the prefix \(prefix), or give the .ipa: an old App ID has another one than its team"
                    : "publish the prefix of the app's signature, \(prefix)")
        }
        if let other = listing.alike {
            return add(
                .error, .bundleIDDiffersALittle, nil,
                "\(host) lists \(quoted(other)), which is almost the app's \(quoted(identifier))",
                advice: "publish the identifier that the app has, to the letter")
        }
        add(
            .error, .appNotListed, nil,
            "\(host) does not list \(quoted(identifier))\(but(listing.others))",
            advice: "publish the app on this host, or remove its domain")
    }

    /// Finds the services that a site lists the app for, and that the app does not declare.
    private mutating func compare(_ site: SiteHalf, listing identifier: String) {
        for service in AssociatedDomain.services where site.lists(identifier, for: service) {
            let own = domains.map(\.entry).filter { $0.service.isScalarwise(service) }
            guard let hosts = site.hosts else {
                if own.isEmpty { addUnentitled(service, identifier, "the site's file") }
                continue
            }
            let all =
                hosts.filter { host in !own.contains { $0.covers(host) } }
                + site.wildcards.filter { domain in
                    !own.contains {
                        $0.isWildcard && ($0.host.isScalarwise(domain) || $0.covers(domain))
                    }
                }.map { "*.\($0)" }
            let apexes = all.filter { host in
                own.contains { $0.isWildcard && $0.host.isScalarwise(host) }
            }
            // Nothing of the site opens the app, if another service shows that the site is meant.
            let isNone = !site.isLive && all.count == hosts.count + site.wildcards.count
            if let apex = apexes.first {
                // The subdomains can be another site, for which Apple asks this one.
                let isNone = isNone && !takesHost(ofAnySiteListing: identifier, service, own)
                add(
                    isNone ? severity(ofLacking: service) : .warning, .wildcardWithoutApex, nil,
                    "\(service):*.\(apex) is for subdomains, and not for \(quoted(apex)), which lists the app"
                        + (isNone ? ", so none of its hosts is declared" : ""),
                    advice: "add \(service):\(apex) to the associated domains")
            }
            let missing = all.filter { host in !apexes.contains(where: host.isScalarwise) }
            guard !missing.isEmpty else { continue }
            let isOfSite = domains.contains { domain in hosts.contains(where: domain.entry.covers) }
            if own.isEmpty, isOfSite {
                addUnentitled(service, identifier, enumerated(missing))
            } else {
                // One file can be for several sites, of which the app need not open the links of each.
                let isElsewhere = own.contains { entry in
                    sites.contains { $0.lists(identifier, for: service) && $0.answers(entry.host) }
                }
                let twin = twin(among: missing, of: own.filter { !$0.isWildcard }.map(\.host))
                add(
                    isNone && isOfSite && !isElsewhere
                        ? severity(ofLacking: service) : .warning,
                    .siteHostNotEntitled, nil,
                    "the app does not declare \(service) for \(enumerated(missing)), which lists it"
                        + (twin.map { ": \(quoted($0)) is another host" } ?? ""),
                    advice:
                        "add \(service):\(missing[0]) to the associated domains, or publish the app on "
                        + "fewer hosts")
            }
        }
    }

    /// Whether entries of a service take a host of any site that lists the app for it.
    private func takesHost(
        ofAnySiteListing identifier: String, _ service: String, _ entries: [AssociatedDomain]
    ) -> Bool {
        sites.contains { site in
            site.lists(identifier, for: service)
                && (site.hosts ?? []).contains { host in entries.contains { $0.covers(host) } }
        }
    }

    /// The severity of a service that the app declares for no host of a site that lists it. Only links certainly need their
    /// service: an app need not ask for passwords or hand over activities.
    private func severity(ofLacking service: String) -> Severity {
        let isOfLinks = service.isScalarwise("applinks") || service.isScalarwise("appclips")
        return isOfLinks && !found.contains(.domainsVariable) && !isOpenToOthers ? .error : .warning
    }

    private mutating func addUnentitled(_ service: String, _ identifier: String, _ place: String) {
        // A domain that is not known here may be one of the service, and builds for Macs may need none of it.
        let isOfLinks = service.isScalarwise("applinks") || service.isScalarwise("appclips")
        if isOpenToOthers || !isOfLinks { opening.insert(.serviceNotEntitled) }
        let effect =
            isOfLinks ? "" : ": whether the app has a use for the service is not known here"
        add(
            severity(ofLacking: service), .serviceNotEntitled, nil,
            "\(place) lists \(quoted(identifier)) for \(service), which the app does not declare\(effect)",
            advice: "add \(service):HOST to the associated domains, or stop publishing the service")
    }
}

/// A host that an app declares, and that differs from a missing one by `www.` alone; nil if there is none.
func twin(among missing: [String], of declared: [String]) -> String? {
    declared.first { host in
        missing.contains { "www.\($0)".isScalarwise(host) || $0.isScalarwise("www.\(host)") }
    }
}

/// The way in which a site's file lists an app: itself, or under another identifier.
struct AppListing {
    /// The services that list it.
    private(set) var services = [String]()
    /// An identifier with another prefix.
    private(set) var otherPrefix: String?
    /// An identifier that is almost the app's.
    private(set) var alike: String?
    /// The identifiers that it lists, each once.
    private(set) var others = [String]()

    init(of identifier: String?, in site: SiteHalf) {
        guard let identifier, let listed = site.listed else { return }
        services = AssociatedDomain.services.filter { listed.lists(identifier, for: $0) }
        otherPrefix = listed.withAnyPrefix(identifier)
        alike = listed.alike(identifier)
        others = listed.names
    }
}

/// Whether identifiers differ only in letter case and in hyphens and underscores, or have their parts
/// in another order.
func isAlike(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    plainParts(one) == plainParts(other)
}

/// The parts of an identifier in order, without what `isAlike` ignores, and the number of their bytes with the full stops.
func plainParts(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    let plain = bytes.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }.map {
        (0x41...0x5A).contains($0) ? $0 | 0x20 : $0
    }
    let parts = plain.split(separator: UInt8(ascii: ".")).sorted {
        $0.lexicographicallyPrecedes($1)
    }
    return parts.map { Array($0) } + [Array("\(plain.count)".utf8)]
}

/// Whether two hosts differ in one letter, or in two that are exchanged.
func isNear(_ one: String, _ other: String) -> Bool {
    min(one.utf8.count, other.utf8.count) >= 8 && differsBySlip(one, other)
}
