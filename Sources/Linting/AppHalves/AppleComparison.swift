import AppFiles
import Diagnostics

/// Compares what one app for Apple's systems declares with what sites publish.
struct AppleComparison {
    let app: AppleDeclaration
    let file: String
    let sites: [SiteHalf]
    /// With its prefix; nil if it is not known.
    let identifier: String?
    var found: AppFindings
    var domains = [(entry: AssociatedDomain, place: TextPlace?)]()
    /// The same as they are written.
    var texts = [String]()
    /// Rules whose findings leave the verdict open.
    var opening = Set<RuleName>()

    /// The app that the caller names, which need not be this one.
    let claimed: ClaimedApp

    init(_ app: AppleDeclaration, file: String, _ sites: [SiteHalf], claimed: ClaimedApp) {
        (self.app, self.file, self.sites, self.claimed) = (app, file, sites, claimed)
        found = AppFindings(file: file, app.path)
        let own = app.applicationIdentifier.flatMap { name in
            isBuildVariable(name) || name.utf8.contains(UInt8(ascii: "*")) ? nil : name
        }
        identifier = own ?? (app.kind == .entitlements ? app.sourceIdentifier : nil)
    }

    /// The agreement of the app; nil for a bundle that declares nothing and that nobody lists, such as a watch app.
    /// - Parameter siteEntries: the entries of each site's file.
    mutating func agreement(_ siteEntries: inout [OpeningEntries?]) -> AppAgreement? {
        guard !app.isOpen else { return nil }
        switch app.kind {
        case .profile: examineProfile()
        case .entitlements:
            if let unused = app.unused {
                // Nothing of an Info.plist is compared.
                if unused == .whileOfSchemes { opening.insert(.httpsURLType) }
                examineScheme()
                examine(unused)
            } else if let file = app.lostFile {
                add(
                    .warning, .entitlementsMissing, nil,
                    "the release is signed with \(quotedPath(file)), which is not among the files of the directory",
                    advice:
                        "correct CODE_SIGN_ENTITLEMENTS; if a program writes the file, or another directory has it, "
                        + "give the .ipa"
                )
            } else {
                examineClip()
                examine(&siteEntries)
                examineDebug()
            }
        case .signature:
            if app.isUnsigned {
                add(
                    .warning, .appNotSigned, app.place,
                    "the executable has no entitlements in a signature",
                    advice: "give the .ipa that is uploaded")
            } else {
                examineScheme()
                if app.isAdHoc {
                    add(
                        .warning, .appNotSigned, app.place,
                        "the signature is ad hoc: it has no certificate, so the app is neither uploaded nor installed",
                        advice: "give the .ipa that is uploaded")
                }
                examineSignature()
                examineClip()
                examine(&siteEntries)
            }
        }
        if isNested || app.use != nil, case .missing = app.domains, found.list.isEmpty {
            return nil
        }
        found.add(.note, changing: app.writers, app.place, advice: "give the .ipa")
        found.add(unread: app.unread, app.place, orGive: ".ipa")
        var agreement = AppAgreement(
            app: identifier ?? app.bundleIdentifier ?? app.use?.bundleIdentifier,
            platform: app.isForMac ? .macos : .ios,
            source: (app.bundle ?? app.use?.description).map { "\(file): \($0)" } ?? file,
            findings: found.list, opening: opening)
        agreement.isOfApp = app.unused != .whileOfSchemes
        if isExtension { agreement.open(Self.listingRules) }
        return agreement
    }

    /// Whether the bundle is within another one.
    private var isNested: Bool {
        guard let bundle = app.bundle else { return false }
        return Array(bundle.utf8).split(separator: UInt8(ascii: "/")).count { part in
            part.suffix(4).elementsEqual(".app".utf8) || part.suffix(6).elementsEqual(".appex".utf8)
        } > 1
    }

    mutating func add(
        _ severity: Severity, _ rule: RuleName, _ place: TextPlace?, _ message: String,
        advice: String
    ) {
        let bundle = app.bundle.map { " (in \(quoted($0)))" } ?? ""
        found.add(severity, rule, place ?? app.place, message + bundle, advice: advice)
    }

    private mutating func examine(_ unused: AppleDeclaration.Unused) {
        let fact =
            switch unused {
            case .whileAnAppHasNone:
                "no configuration of the Xcode project names the file, and the release of an app has no "
                    + "entitlements"
            case .whileItsReleaseHasNone:
                "the release of the app has no entitlements, and the file is of other builds alone"
            case .whileAllHaveOthers: "no configuration of the Xcode project names the file"
            case .whileInInfoPlist:
                "the associated domains of an Info.plist are not read, and no entitlements have any"
            case .whileOfSchemes: ""
            }
        guard unused != .whileOfSchemes else { return }
        add(
            unused == .whileAllHaveOthers ? .warning : .error, .entitlementsUnused, nil, fact,
            advice: unused == .whileInInfoPlist
                ? "move them to the .entitlements file of the target, which CODE_SIGN_ENTITLEMENTS names"
                : "set CODE_SIGN_ENTITLEMENTS of the target to it, or remove the file")
    }

    private mutating func examineDebug() {
        guard let other = app.use?.otherInDebug else { return }
        add(
            .warning, .entitlementsDifferByConfiguration, nil,
            "debug builds of the app have other domains, those of \(quotedPath(other))",
            advice: "give both files the same domains")
    }

    private mutating func examineProfile() {
        examinePrefix()
        switch app.domains {
        case .missing where app.applicationIdentifier.map(isListed(orWildcard:)) != false:
            // It can be of an extension, which needs none.
            let isOpen = sites.allSatisfy(\.lacksApple)
            if isOpen { opening.insert(.profileWithoutDomains) }
            add(
                isOpen ? .warning : .error, .profileWithoutDomains, nil,
                "the profile does not allow associated domains",
                advice: isOpen
                    ? "if it is of an app with links, enable Associated Domains for the App ID, and make it again"
                    : "enable Associated Domains for the App ID, and make the profile again")
        default:
            add(
                .warning, .appUnknown, nil,
                "a profile says what an app may declare, not what it declares",
                advice: "give the .ipa, or the .entitlements file")
        }
    }

    /// Whether a site lists an app that a profile is for.
    private func isListed(orWildcard pattern: String) -> Bool {
        let isWildcard = pattern.utf8.last == UInt8(ascii: "*")
        return sites.contains { site in
            guard case .read(let services) = site.apple else { return true }
            return services.values.joined().contains { listed in
                isWildcard
                    ? listed.utf8.starts(with: pattern.utf8.dropLast())
                    : listed.isScalarwise(pattern)
            }
        }
    }

    /// App IDs of before 2011 have another prefix than their team.
    private mutating func examinePrefix() {
        guard let own = app.applicationIdentifier, let team = app.team,
            !own.utf8.starts(with: "\(team).".utf8)
        else { return }
        let prefix = own.utf8.prefix { $0 != UInt8(ascii: ".") }
        add(
            .note, .prefixIsNotTeam, nil,
            "the App ID has the prefix \(quoted(String(Substring(prefix)))), and the team is \(quoted(team))",
            advice: "publish the prefix, not the team")
    }

    private mutating func examineSignature() {
        if app.isForDevelopment == true {
            add(
                .warning, .debuggableBuild, nil,
                "the app is signed for development, so it is no evidence for the release",
                advice: "give the .ipa that is uploaded")
        }
        if app.formsDiffer {
            add(
                .error, .entitlementsDiffer, nil,
                "slices of the executable, or the XML and the DER form of its entitlements, differ",
                advice: "sign the app again, all of it with one entitlements file")
        }
        if app.lacksDER {
            add(
                .error, .entitlementsDiffer, nil,
                "the signature has no DER form of the entitlements, without which iOS 15 and later do not start the app",
                advice:
                    "sign the app again, with Xcode 12.5 or later, or another program that writes it"
            )
        }
        examinePrefix()
        if let own = app.applicationIdentifier, let bundle = app.bundleIdentifier {
            let rest = own.utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst()
            if !rest.elementsEqual(bundle.utf8) {
                add(
                    .error, .bundleIDInSignature, nil,
                    "the signature is of \(quoted(own)), and Info.plist has \(quoted(bundle))",
                    advice: "sign with a profile of this bundle identifier, without a star")
            }
        }
        if app.profileAllowsDomains == false, case .list(let entries) = app.domains,
            !entries.isEmpty
        {
            add(
                .error, .profileWithoutDomains, nil,
                "the app has associated domains, which its profile does not allow",
                advice: "enable Associated Domains for the App ID, and make the profile again")
        }
    }

    private mutating func examine(_ siteEntries: inout [OpeningEntries?]) {
        switch app.domains {
        case .missing: examineMissing()
        case .star(let place):
            add(
                .error, .domainsAreStar, place,
                "the associated domains are \"*\", which is the text of a profile and no domain",
                advice:
                    "sign with the app's own entitlements: a program that signed again took the "
                    + "profile's")
        case .other(let place):
            add(
                .error, .domainsForm, place, "the associated domains are no list of texts",
                advice: app.isOfExpo
                    ? "write [\"applinks:HOST\"]"
                    : "write <array><string>applinks:HOST</string></array>")
        case .list(let entries):
            for entry in entries { read(entry) }
            examinePorts()
            examineForms(entries)
            examineDevelopers()
            compare(&siteEntries)
        }
    }

    private mutating func examineMissing() {
        let lists = listedServices
        if let name = identifier ?? app.use?.bundleIdentifier, !lists.isEmpty {
            // An app need not ask for passwords or hand over activities.
            let isOpen = isOpenToOthers || !lists.contains { $0 == "applinks" || $0 == "appclips" }
            if isOpen { opening.insert(.domainsMissing) }
            add(
                isOpen ? .warning : .error, .domainsMissing, nil,
                "the site lists \(quoted(listedName ?? name)) for \(lists.joined(separator: ", ")), but the app has "
                    + "no associated domains",
                advice: nearKeyAdvice ?? missingAdvice)
        } else if !isNested, app.use == nil {
            // An app without links is right while no site lists it.
            let isOpen = sites.allSatisfy(\.lacksApple)
            if isOpen { opening.insert(.domainsMissing) }
            add(
                app.kind == .signature && !isOpen ? .error : .warning, .domainsMissing, nil,
                "the app has no associated domains",
                advice: nearKeyAdvice
                    ?? "add com.apple.developer.associated-domains with applinks:HOST")
            if app.kind == .entitlements { addUnknownApp() }
        } else if app.use?.isOfApp == true, sites.contains(where: \.lacksApple),
            sites.contains(where: { !$0.lacksAndroid })
        {
            add(
                .warning, .siteHalfMissing, nil, "the site's half for iOS is not given",
                advice: "give it with --aasa FILE")
        }
    }

    /// Whether something else may declare what the source lacks: a build for Macs or televisions, which can have the
    /// identifier of the phone's, may need no links, and plugins add them.
    var isOpenToOthers: Bool {
        app.use.map { $0.isOfOtherSystem || $0.isOfOtherDevice || $0.hasPlugins } ?? false
    }

    /// The identifier under which a site lists the app, with the prefix that it has there.
    private var listedName: String? {
        guard let bundle = app.use?.bundleIdentifier else { return nil }
        return sites.lazy.compactMap { site -> String? in
            guard case .read(let services) = site.apple else { return nil }
            let all = AssociatedDomain.services.flatMap { services[$0] ?? [] }
            return all.first { name in identifier.map(name.isScalarwise) == true }
                ?? all.first { $0.isIdentifier(ofBundle: bundle) }
        }.first
    }

    private var missingAdvice: String {
        if app.isOfExpo {
            return "add \"associatedDomains\": [\"applinks:HOST\"] to ios"
                + (app.hasRemovedDomains ? ": Expo removes the domains of ios.entitlements" : "")
        }
        if app.use?.hasPlugins == true {
            return
                "add <config-file target=\"*-Release.plist\" parent=\"com.apple.developer.associated-domains\">; "
                + "if a plugin adds them, give the .ipa"
        }
        return
            "add com.apple.developer.associated-domains to the entitlements that the release is signed with"
    }

    private var nearKeyAdvice: String? {
        app.nearKey.map { "write com.apple.developer.associated-domains, not \($0)" }
    }

    /// The services for which a site lists the app, in source with any prefix.
    private var listedServices: [String] {
        AssociatedDomain.services.filter { service in
            sites.contains { site in
                identifier.map { site.lists($0, for: service) } == true
                    || app.use?.bundleIdentifier.map { site.lists(bundle: $0, for: service) }
                        == true
            }
        }
    }

    private mutating func read(_ entry: AppleDeclaration.Domain) {
        do throws(AssociatedDomain.Fault) {
            let domain = try AssociatedDomain(entry.text)
            domains.append((domain, entry.place))
            texts.append(entry.text)
            if domain.hasPort {
                add(
                    .warning, .domainsPort, entry.place,
                    "\(quoted(entry.text)) has a port, which Apple does not document",
                    advice: "remove it: files are read from port 443")
            }
        } catch {
            add(error, entry)
        }
    }

    /// An entry such as `applinks://HOST` without its slashes; nil for one with a path.
    private static func withoutPath(_ text: String) -> String? {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"))
        guard parts.count == 2, parts[0].last == UInt8(ascii: ":") else { return nil }
        return parts.map { String(Substring($0)) }.joined()
    }

    private mutating func add(_ fault: AssociatedDomain.Fault, _ entry: AppleDeclaration.Domain) {
        let text = quoted(entry.text) + (entry.origin.map { " (\($0))" } ?? "")
        let usual = "write applinks:HOST, such as applinks:www.example.com"
        switch fault {
        case .variable:
            add(
                .warning, .domainsVariable, entry.place,
                "\(text) has a variable that Xcode replaces, so the domain is not known here",
                advice: "give the .ipa, which has the value")
        case .service(let name, let hasColon):
            let nearest = nearestName(to: name, among: AssociatedDomain.services)
            add(
                .error, .domainsService, entry.place,
                hasColon
                    ? "\(quoted(name)) of \(text) is no service, so the entry is ignored"
                    : "\(text) has no service before the host, so the entry is ignored",
                advice: hasColon ? nearest.map { "write \($0):" } ?? usual : usual)
        case .scheme(let isCut):
            add(
                .error, .domainsScheme, entry.place,
                isCut
                    ? "\(text) is the beginning of a URL, must be a host"
                    : "\(text) is a URL, must be a host",
                advice: isCut
                    ? "write the host alone: in an .xcconfig file, // begins a comment" : usual)
        case .path:
            add(
                .error, .domainsPath, entry.place, "\(text) has a path, or a slash at its end",
                advice: Self.withoutPath(entry.text).map { "write \($0)" }
                    ?? "remove it: the site's file says which paths open the app")
        case .form(let reason):
            add(.error, .domainsForm, entry.place, "\(text) is no domain: \(reason)", advice: usual)
        }
    }
}
