package import AppFiles
import Diagnostics

/// The hosts and paths for which the iOS apps of a project open links, beside those of its Android apps.
struct PlatformComparison {
    private var ios = Side()
    private var android = Side()
    /// The identifier of the iOS app, as far as it is known.
    private var identifier: String?
    /// The Android apps with verified hosts.
    private var manifests = [(file: String, app: AndroidDeclaration)]()

    private struct Side {
        /// In lower case, with `*.` before a wildcard's.
        var hosts = [String]()
        /// The file and the place that another host would be added to.
        var file: String?
        var place: TextPlace?
        /// Whether a host is not known.
        var isOpen = false
        /// The app that the hosts are of, as far as it is known, and its flavour.
        var app: String?
        var flavor: String?

        /// Leaves it open if the hosts are of several apps or flavours, which may have others each.
        mutating func note(app other: String?, flavor otherFlavor: String? = nil) {
            if let other {
                if let app, !app.isScalarwise(other) { isOpen = true }
                app = other
            }
            if let otherFlavor {
                if let flavor, !flavor.isScalarwise(otherFlavor) { isOpen = true }
                flavor = otherFlavor
            }
        }
    }

    init(_ files: [(file: String, declarations: [AppDeclaration])]) {
        for (file, declarations) in files {
            for declaration in declarations {
                switch declaration {
                case .apple(let app): add(app, file)
                case .android(let app): add(app, file)
                case .key: break
                case .program: (ios.isOpen, android.isOpen) = (true, true)
                }
            }
        }
    }

    private mutating func add(_ app: AppleDeclaration, _ file: String) {
        guard app.kind != .profile, app.unused == nil, !app.isClip,
            case .list(let entries) = app.domains
        else { return }
        for entry in entries {
            do throws(AssociatedDomain.Fault) {
                let domain = try AssociatedDomain(entry.text)
                guard domain.service.isScalarwise("applinks"), !domain.isForDevelopers else {
                    continue
                }
                ios.note(app: app.use?.bundleIdentifier ?? app.applicationIdentifier)
                identifier = app.applicationIdentifier ?? app.sourceIdentifier
                if ios.file == nil { (ios.file, ios.place) = (file, app.place) }
                ios.hosts.append(domain.pattern)
            } catch {
                if case .variable = error { ios.isOpen = true }
            }
        }
    }

    private mutating func add(_ app: AndroidDeclaration, _ file: String) {
        if app.navigation != nil { android.isOpen = true }
        if app.filters.contains(where: { $0.isForWebLinks && $0.isVerified }) {
            manifests.append((file, app))
        }
        for filter in app.filters where filter.isForWebLinks {
            if filter.autoVerify?.isUnresolved == true { android.isOpen = true }
            guard filter.isVerified else { continue }
            android.note(app: app.applicationID, flavor: app.flavor)
            for host in filter.hosts {
                guard !host.isUnresolved else {
                    android.isOpen = true
                    continue
                }
                if android.file == nil { (android.file, android.place) = (file, filter.place) }
                // Every host is none that an entry can name.
                guard host.text != "*" else {
                    android.isOpen = true
                    continue
                }
                android.hosts.append(host.text.lowercased())
            }
        }
    }

    /// The findings, each with its file. There are none if a platform has no hosts.
    /// - Parameter sites: those whose files say which links open the iOS app.
    func findings(beside sites: [SiteHalf]) -> [(file: String, finding: Diagnostic)] {
        guard !ios.isOpen, !android.isOpen else { return [] }
        return hostFindings + sites.flatMap { pathFindings(beside: $0) }
    }

    /// The links of hosts of both platforms that open the app on one of them.
    private func pathFindings(beside site: SiteHalf) -> [(file: String, finding: Diagnostic)] {
        guard site.hosts == nil, let rules = site.appleRules, let identifier, manifests.count == 1,
            let links = PublishedLinks.of(rules, where: identifier.isScalarwise)
        else { return [] }
        let known = HostPatterns(ios.hosts)
        var seen = Set<String>()
        let hosts = android.hosts.filter { known.take($0) && seen.insert($0).inserted }.map {
            $0.utf8.starts(with: "*.".utf8) ? "www\(Substring($0.utf8.dropFirst()))" : $0
        }
        var paths = PathComparison(manifests[0].app)
        paths.compare(hosts, links)
        var found = AppFindings(file: manifests[0].file)
        for finding in paths.findings {
            found.add(
                finding.severity, finding.rule, finding.place ?? manifests[0].app.place,
                finding.message, advice: finding.advice)
        }
        return found.list.map { (manifests[0].file, $0) }
    }

    private var hostFindings: [(file: String, finding: Diagnostic)] {
        [
            finding(
                of: android, missingIn: ios, "the manifest verifies",
                "no associated domain is for it", { "add applinks:\($0) to the associated domains" }
            ),
            finding(
                of: ios, missingIn: android, "the associated domains have",
                "no filter verifies it",
                { host in
                    manifests.first?.app.isOfExpo == true
                        ? "add {\"scheme\": \"https\", \"host\": \"\(host)\"} to data of the filter"
                        : "add <data android:host=\"\(host)\"/> to the filter"
                }),
        ].compactMap(\.self)
    }

    private func finding(
        of one: Side, missingIn other: Side, _ fact: String, _ lack: String,
        _ advice: (String) -> String
    ) -> (file: String, finding: Diagnostic)? {
        guard let file = other.file else { return nil }
        let known = HostPatterns(other.hosts)
        // A host can stand in several filters.
        var seen = Set<String>()
        let missing = one.hosts.filter { !known.take($0) && seen.insert($0).inserted }
        guard let first = missing.first else { return nil }
        var found = AppFindings(file: file)
        found.add(
            .warning, .platformsDifferInHosts, other.place,
            "\(fact) \(enumerated(missing)), and \(lack)", advice: advice(first))
        return found.list.first.map { (file, $0) }
    }
}

extension AppComparison {
    /// Adds the apps that declare nothing, and what differs between the platforms of one project. A site that says its
    /// hosts says the latter of each by itself.
    package func addPlatforms(
        to agreements: inout [AppAgreement],
        _ files: [(file: String, declarations: [AppDeclaration])]
    ) {
        joinUnused(&agreements, files)
        addBareApps(to: &agreements, files)
        joinSchemes(&agreements)
        openOthers(&agreements)
        addLeftOut(to: &agreements, files)
        guard sites.allSatisfy({ $0.hosts == nil }) else { return }
        let parts = files.map { part in
            (file: part.file, declarations: compared(part.declarations))
        }
        let comparison = PlatformComparison(parts)
        for (file, finding) in comparison.findings(beside: sites) {
            let index = agreements.firstIndex { agreement in
                agreement.source.isScalarwise(file)
                    || agreement.source.utf8.starts(with: "\(file): ".utf8)
            }
            if let index { agreements[index].findings.append(finding) }
        }
    }
}
