import AppFiles
import Diagnostics
import Linting
import URISyntax

/// The site's half that files of apps ask for: association files with what they declare.
struct WantedHalf {
    /// The parts of the site's half that the files do not say, for people.
    private(set) var gaps = [String]()
    private var apps = [(id: String, services: [String])]()
    private var appsByID = Set<[UInt8]>()
    private var packages = UniqueTexts()
    private var fingerprints = [String: [String]]()
    /// Patterns of Apple for the paths that filters take.
    var paths: [String] { allPaths.texts }
    private var allPaths = UniqueTexts()
    /// Whether filters have paths that are left out.
    private var leavesOutPaths = false
    /// By the name of a host, what the declarations ask of it.
    private var hosts = [String: Host]()
    private var hostNames = [String]()
    /// The paths of filters, each list once: flavours have most of them together.
    private var pathLists = [PathList]()
    private var numbersOfLists: [[[UInt8]]: Int] = [:]

    /// The patterns of a filter's paths.
    private struct PathList {
        let patterns: [String]
        /// Whether the filter has others, which are left out.
        let isOpen: Bool
    }

    /// The apps and paths of one host: a build for developers has other hosts than a release, and shall not be listed
    /// there.
    private struct Host {
        private(set) var apps = [(id: String, services: [String])]()
        private var numbers = [[UInt8]: Int]()
        var packages = UniqueTexts()
        /// The numbers of its lists of paths, in their order.
        private(set) var lists = [Int]()
        private var knownLists = Set<Int>()

        mutating func add(list: Int) {
            if knownLists.insert(list).inserted { lists.append(list) }
        }

        mutating func add(_ id: String, _ service: String) {
            let key = Array(id.utf8)
            if let number = numbers[key] {
                apps[number].services.append(service)
            } else {
                numbers[key] = apps.count
                apps.append((id, [service]))
            }
        }
    }

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
        for package in packages.texts {
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

    /// Adds gaps for sources that were not read, each of which can change the domains and filters of an app.
    private mutating func add(unread: [UnreadSource]) {
        gaps += unread.prefix(AppFileLimits.unreadMax).map {
            "what \(quotedPath($0.name)) adds: \($0.fact)"
        }
    }

    private mutating func add(_ app: AppleDeclaration) {
        add(unread: app.unread)
        guard app.unused == nil, case .list(let domains) = app.domains else { return }
        let use = app.use.flatMap { use in
            use.team.flatMap { team in use.bundleIdentifier.map { "\(team).\($0)" } }
        }
        guard let id = app.applicationIdentifier ?? use else {
            return gaps.append(
                "the identifier of an iOS app: give the .ipa, or the project's directory")
        }
        // An app declares the domains of its App Clip, too, and only the App Clip is listed for them.
        let meant = domains.compactMap { try? AssociatedDomain($0.text) }.filter {
            app.isClip ? $0.service != "applinks" : $0.service != "appclips"
        }
        guard !meant.isEmpty else { return }
        if appsByID.insert(Array(id.utf8)).inserted { apps.append((id, meant.map(\.service))) }
        guard app.kind != .profile else { return }
        for domain in meant where !isAddress(domain.host) {
            change(domain.host) { $0.add(id, domain.service) }
        }
    }

    private func isAddress(_ name: String) -> Bool { (try? HostName(name))?.isAddress ?? true }

    private mutating func change(_ name: String, _ change: (inout Host) -> Void) {
        if hosts[name] == nil { hostNames.append(name) }
        change(&hosts[name, default: Host()])
    }

    /// The names of the hosts that Android asks for a filter's: of a wildcard, the domain.
    private func names(of filter: IntentFilter) -> [String] {
        filter.hosts.filter { !$0.isUnresolved }.compactMap { host in
            let isWildcard = host.text.utf8.starts(with: "*.".utf8)
            let name = String(Substring(host.text.utf8.dropFirst(isWildcard ? 2 : 0)))
            guard isAndroidHost(name), (try? HostName(name))?.isAddress != true else { return nil }
            return name.lowercased()
        }
    }

    private mutating func add(_ app: AndroidDeclaration) {
        add(unread: app.unread)
        let filters = app.filters.filter { $0.isForWebLinks && $0.isVerified }
        addUnverifiedHosts(app, Set(filters.flatMap(\.hosts).map { $0.text.lowercased() }))
        guard !filters.isEmpty else { return }
        for filter in filters {
            addPaths(filter)
        }
        guard let package = app.applicationID else {
            return gaps.append("the application ID of an Android app: give the .apk")
        }
        packages.append(package)
        for name in filters.flatMap(names(of:)) {
            change(name) { $0.packages.append(package) }
        }
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

    private mutating func addPaths(_ filter: IntentFilter) {
        var names = UniqueTexts()
        for name in self.names(of: filter) { names.append(name) }
        var (patterns, isOpen) = ([String](), false)
        // A group can also take links away from the paths beside it.
        if !filter.groups.isEmpty {
            isOpen = true
            gaps.append("the paths of a filter with a uri-relative-filter-group")
        } else {
            for path in filter.paths where path.pattern == nil {
                isOpen = true
                gaps.append("the pattern for \(path.attribute) \(quoted(path.value.text))")
            }
            patterns = filter.paths.isEmpty ? ["/*"] : filter.paths.compactMap(\.pattern)
        }
        let mark: [[UInt8]] = isOpen ? [[]] : []
        let key = patterns.map { Array($0.utf8) } + mark
        let number = numbersOfLists[key] ?? pathLists.count
        if number == pathLists.count {
            numbersOfLists[key] = number
            pathLists.append(PathList(patterns: patterns, isOpen: isOpen))
            if isOpen { leavesOutPaths = true }
            for pattern in patterns { allPaths.append(pattern) }
        }
        for name in names.texts {
            change(name) { $0.add(list: number) }
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

    /// Apple's file for all hosts together; nil if no app is known.
    var aasa: [UInt8]? { aasa(apps, paths, leavesOutPaths: leavesOutPaths) }

    /// Google's file for all hosts together; nil if no app is known with its key.
    var assetlinks: [UInt8]? { assetlinks(packages.texts) }

    /// The same with a placeholder for the keys that are not known, for a configuration that people complete; nil if a key is known.
    var assetlinksToComplete: [UInt8]? {
        guard assetlinks == nil else { return nil }
        return assetlinks(
            packages.texts, placeholder: Array(repeating: "00", count: 32).joined(separator: ":"))
    }

    static let completion =
        "sha256 in waymark.yaml is a placeholder, which lint refuses: write the fingerprint of the key there"

    /// Apple's files, each with the hosts that have to serve it.
    var appleFiles: [(content: [UInt8], hosts: [String])] {
        grouped {
            HostKey(
                texts: $0.apps.map { app in
                    ([app.id] + app.services).map { Array($0.utf8) }
                }, lists: $0.lists)
        } file: { host in
            var paths = UniqueTexts()
            for list in host.lists {
                for pattern in pathLists[list].patterns { paths.append(pattern) }
            }
            return aasa(
                host.apps, paths.texts,
                leavesOutPaths: host.lists.contains { pathLists[$0].isOpen })
        }
    }

    /// Google's files, each with the hosts that have to serve it.
    var androidFiles: [(content: [UInt8], hosts: [String])] {
        grouped { host in
            HostKey(texts: [host.packages.texts.map { Array($0.utf8) }], lists: [])
        } file: { host in
            assetlinks(host.packages.texts)
        }
    }

    /// The parts of a host's file. Hosts with the same parts have the same file.
    private struct HostKey: Hashable {
        let texts: [[[UInt8]]]
        let lists: [Int]
    }

    /// The hosts by the file that each has to serve, in their order. A file is made once for all hosts with the same key.
    private func grouped(
        by keyOf: (Host) -> HostKey, file: (Host) -> [UInt8]?
    ) -> [(content: [UInt8], hosts: [String])] {
        var numbers = [[UInt8]: Int]()
        var groups = [(content: [UInt8], hosts: [String])]()
        var known = [HostKey: Int?]()
        for name in hostNames {
            guard let host = hosts[name] else { continue }
            let key = keyOf(host)
            if let number = known[key] {
                if let number { groups[number].hosts.append(name) }
                continue
            }
            guard let content = file(host) else {
                known.updateValue(nil, forKey: key)
                continue
            }
            let number = numbers[content] ?? groups.count
            if number == groups.count {
                numbers[content] = number
                groups.append((content, []))
            }
            groups[number].hosts.append(name)
            known.updateValue(number, forKey: key)
        }
        return groups
    }

    private func aasa(
        _ apps: [(id: String, services: [String])], _ paths: [String], leavesOutPaths: Bool
    ) -> [UInt8]? {
        func listing(_ service: String) -> [String] {
            apps.filter { $0.services.contains(service) }.map(\.id)
        }
        let components = (paths.isEmpty ? ["/*"] : paths).map { path in
            JSONText.object([("/", .string(path))])
        }
        let isOpen = paths.isEmpty && leavesOutPaths
        let opening = isOpen ? [] : listing("applinks")
        var members = [(key: String, value: JSONText)]()
        if !opening.isEmpty {
            let detail = JSONText.object([
                ("appIDs", .strings(opening)), ("components", .array(components)),
            ])
            members.append(("applinks", .object([("details", .array([detail]))])))
        }
        for service in ["webcredentials", "activitycontinuation", "appclips"]
        where !listing(service).isEmpty {
            members.append((service, .object([("apps", .strings(listing(service)))])))
        }
        return members.isEmpty ? nil : Array(JSONText.object(members).formatted.utf8)
    }

    private func assetlinks(_ packages: [String], placeholder: String? = nil) -> [UInt8]? {
        let statements = packages.compactMap { package -> JSONText? in
            let known = fingerprints[package, default: []]
            let keys = known.isEmpty ? [placeholder].compactMap(\.self) : known
            guard !keys.isEmpty else { return nil }
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

/// Texts in their order, each once.
private struct UniqueTexts {
    private(set) var texts = [String]()
    private var known = Set<[UInt8]>()

    mutating func append(_ text: String) {
        if known.insert(Array(text.utf8)).inserted { texts.append(text) }
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
        guard isPattern || isPrefix || attribute == "path", !value.isOpen,
            plain.utf8.first == UInt8(ascii: "/"),
            !plain.utf8.contains(where: { "*?$%".utf8.contains($0) || $0 <= 0x20 || $0 >= 0x7F }),
            !isPattern || !plain.utf8.contains(where: { ".\\".utf8.contains($0) })
        else { return nil }
        return isPrefix ? "\(plain)*" : String(plain)
    }
}
