import AppFiles
import Diagnostics
import Linting

/// The site's half that files of apps ask for: association files with what they declare.
struct WantedHalf {
    /// The parts of the site's half that the files do not say, for people.
    private(set) var gaps = [String]()
    private var apps = [(id: String, services: [String])]()
    private var packages = [String]()
    private var fingerprints = [String: [String]]()
    /// Patterns of Apple for the paths that filters take.
    private(set) var paths = [String]()
    /// Whether filters have paths that are left out.
    private var leavesOutPaths = false

    init(_ declarations: [AppDeclaration]) {
        var keys = [String]()
        for declaration in declarations {
            switch declaration {
            case .apple(let app): add(app)
            case .android(let app): add(app)
            case .key(let key):
                // Whoever has a debug key could take the links of the site.
                if key.isForDebugging {
                    gaps.append("the key of the release: a debug key is given")
                } else {
                    keys += [key.fingerprint].compactMap(\.self)
                }
            case .program: gaps.append("what a program declares: give the .ipa and the .apk")
            }
        }
        for package in packages {
            for key in keys where !fingerprints[package, default: []].contains(key) {
                fingerprints[package, default: []].append(key)
            }
            if fingerprints[package, default: []].isEmpty {
                gaps.append(
                    "the key of \(package): give the .apk, the key store or the certificate, too")
            }
        }
        if paths.isEmpty, leavesOutPaths, !apps.isEmpty {
            gaps.append("the paths of applinks: no filter has paths that Apple's file can say")
        } else if paths.isEmpty, leavesOutPaths {
            gaps.append("the paths of links: no filter has paths that a pattern can say")
        }
        // Flavours have most of them together.
        var known = Set<String>()
        gaps.removeAll { !known.insert($0).inserted }
    }

    private mutating func add(_ app: AppleDeclaration) {
        guard app.unused == nil, case .list(let domains) = app.domains else { return }
        let use = app.use.flatMap { use in
            use.team.flatMap { team in use.bundleIdentifier.map { "\(team).\($0)" } }
        }
        guard let id = app.applicationIdentifier ?? use else {
            return gaps.append(
                "the identifier of an iOS app: give the .ipa, or the project's directory")
        }
        // An app declares the domains of its App Clip, too, and only the App Clip is listed for them.
        let services = domains.compactMap { try? AssociatedDomain($0.text).service }.filter {
            app.isClip ? $0 != "applinks" : $0 != "appclips"
        }
        guard !services.isEmpty, !apps.contains(where: { $0.id.isScalarwise(id) }) else { return }
        apps.append((id, services))
    }

    private mutating func add(_ app: AndroidDeclaration) {
        let filters = app.filters.filter { $0.isForWebLinks && $0.isVerified }
        addUnverifiedHosts(app, Set(filters.flatMap(\.hosts).map { $0.text.lowercased() }))
        guard !filters.isEmpty else { return }
        for filter in filters {
            // A group can also take links away from the paths beside it.
            guard filter.groups.isEmpty else {
                leavesOutPaths = true
                gaps.append("the paths of a filter with a uri-relative-filter-group")
                continue
            }
            for path in filter.paths where path.pattern == nil {
                leavesOutPaths = true
                gaps.append("the pattern for \(path.attribute) \(quoted(path.value.text))")
            }
            for path in filter.paths.isEmpty ? ["/*"] : filter.paths.compactMap(\.pattern)
            where !paths.contains(path) {
                paths.append(path)
            }
        }
        guard let package = app.applicationID else {
            return gaps.append("the application ID of an Android app: give the .apk")
        }
        if !packages.contains(package) { packages.append(package) }
        let certificates = (app.certificates ?? []).filter { !$0.isForDebugging }
        if app.isDebuggable || app.isForTests || certificates.count < (app.certificates ?? []).count
        {
            return gaps.append(
                "the key of the release of \(package): the file is of a build for development")
        }
        for certificate in certificates
        where !fingerprints[package, default: []].contains(certificate.fingerprint) {
            fingerprints[package, default: []].append(certificate.fingerprint)
        }
        if app.isForUpload {
            gaps.append(
                "the key with which Google Play signs \(package): Play Console › App integrity")
        }
    }

    /// Hosts of filters that are not verified can be of others.
    private mutating func addUnverifiedHosts(_ app: AndroidDeclaration, _ verified: Set<String>) {
        let hosts = app.filters.filter { $0.isForWebLinks && !$0.isVerified }
            .flatMap(\.hosts)
            .filter { !$0.isUnresolved && !verified.contains($0.text.lowercased()) }
            .map(\.text)
        guard !hosts.isEmpty else { return }
        gaps.append("whether the site has \(enumerated(hosts)): no filter verifies it")
    }

    /// Apple's file; nil if no app is known.
    var aasa: [UInt8]? {
        guard !apps.isEmpty else { return nil }
        func listing(_ service: String) -> [String] {
            apps.filter { $0.services.contains(service) }.map(\.id)
        }
        let components = (paths.isEmpty ? ["/*"] : paths).map { path in
            JSONText.object([("/", .string(path))])
        }
        let isOpen = paths.isEmpty && leavesOutPaths
        let details = (isOpen ? [] : listing("applinks")).map { id in
            JSONText.object([("appIDs", .strings([id])), ("components", .array(components))])
        }
        var members = [(key: String, value: JSONText)]()
        if !details.isEmpty {
            members.append(("applinks", .object([("details", .array(details))])))
        }
        for service in ["webcredentials", "activitycontinuation", "appclips"]
        where !listing(service).isEmpty {
            members.append((service, .object([("apps", .strings(listing(service)))])))
        }
        return members.isEmpty ? nil : Array(JSONText.object(members).formatted.utf8)
    }

    /// Google's file; nil if no app is known with its key.
    var assetlinks: [UInt8]? {
        let statements = packages.compactMap { package -> JSONText? in
            guard let keys = fingerprints[package], !keys.isEmpty else { return nil }
            let target = JSONText.object([
                ("namespace", .string("android_app")), ("package_name", .string(package)),
                ("sha256_cert_fingerprints", .strings(keys)),
            ])
            let relation = JSONText.strings(["delegate_permission/common.handle_all_urls"])
            return .object([("relation", relation), ("target", target)])
        }
        return statements.isEmpty ? nil : Array(JSONText.array(statements).formatted.utf8)
    }
}

extension IntentFilter.Path {
    /// The pattern of Apple that matches the same paths; nil for what has none, or is not known.
    fileprivate var pattern: String? {
        let text = value.text
        let isPattern = attribute == "pathPattern"
        // Behind a pattern, `.*` is any text, which it is for a prefix, too.
        let isPrefix =
            attribute == "pathPrefix" || isPattern && text.utf8.suffix(2).elementsEqual(".*".utf8)
        let plain = isPattern && isPrefix ? Substring(text.utf8.dropLast(2)) : Substring(text)
        guard isPattern || isPrefix || attribute == "path", !value.isUnresolved,
            plain.utf8.first == UInt8(ascii: "/"),
            !plain.utf8.contains(where: { "*?$%".utf8.contains($0) || $0 <= 0x20 || $0 >= 0x7F }),
            !isPattern || !plain.utf8.contains(where: { ".\\".utf8.contains($0) })
        else { return nil }
        return isPrefix ? "\(plain)*" : String(plain)
    }
}
