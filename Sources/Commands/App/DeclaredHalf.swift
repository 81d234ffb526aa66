import AppFiles
import Diagnostics
import Linting

/// The declarations of apps, and the files that their hosts have to serve, for people who have no site's half yet.
struct DeclaredHalf {
    private let files: [(file: String, declarations: [AppDeclaration])]
    private let wanted: WantedHalf
    /// The hosts that have to serve Apple's file, and Google's.
    private let appleHosts: [String]
    private let androidHosts: [String]

    init(_ files: [(file: String, declarations: [AppDeclaration])]) {
        self.files = files
        let declarations = files.flatMap(\.declarations)
        wanted = WantedHalf(declarations)
        let apple = declarations.filter { if case .apple = $0 { true } else { false } }
        let android = declarations.filter { if case .android = $0 { true } else { false } }
        appleHosts = Self.servedHosts(apple)
        androidHosts = Self.servedHosts(android)
    }

    private static func servedHosts(_ declarations: [AppDeclaration]) -> [String] {
        var seen = Set<String>()
        return declarations.flatMap(\.servedHosts).filter { seen.insert($0).inserted }
    }

    /// The findings that need no site, the declarations, and the files to serve.
    func text(_ agreements: [AppAgreement], sources: SourceLines) -> PrintedText {
        var sources = sources
        // Flavours of one manifest have most of them together.
        var known = Set<Diagnostic>()
        let findings = agreements.flatMap(\.findings).filter {
            $0.rule != .siteHalfMissing && known.insert($0).inserted
        }
        return .lines(
            findings.flatMap { $0.excerpted(from: &sources) }
                + files.flatMap { file, declarations in declarations.flatMap { lines($0, file) } }
                + nothing + published + missing)
    }

    private func lines(_ declaration: AppDeclaration, _ file: String) -> [String] {
        switch declaration {
        case .apple(let app): lines(app, file)
        case .android(let app): lines(app, file)
        case .key(let key):
            key.fingerprint.map { ["\(file): the certificate has the fingerprint", "    \($0)"] }
                ?? []
        case .program: []
        }
    }

    private func lines(_ app: AppleDeclaration, _ file: String) -> [String] {
        guard app.kind != .profile, app.unused == nil, case .list(let domains) = app.domains else {
            return []
        }
        let place = (app.bundle ?? app.use?.description).map { "\(file): \($0)" } ?? file
        return ["\(place): \(app.name ?? "an app") (iOS) declares"]
            + domains.map { "    \($0.text)" }
    }

    private func lines(_ app: AndroidDeclaration, _ file: String) -> [String] {
        let filters = app.filters.filter(\.isForWebLinks)
        guard !filters.isEmpty else { return [] }
        let place = app.flavor.map { "\(file): flavor \($0)" } ?? file
        var lines = ["\(place): \(app.applicationID ?? "an app") (Android) declares"]
        var seen = Set<String>()
        for filter in filters {
            let paths =
                filter.paths.map { "\($0.attribute) \($0.value.text)" }
                + filter.groups.map { _ in "a uri-relative-filter-group" }
            let end =
                filter.mayBeVerified ? "" : ", not verified: android:autoVerify is missing"
            var known = Set<String>()
            let shown = paths.filter { known.insert($0).inserted }.joined(separator: ", ")
            for host in filter.hosts {
                let line = "    \(host.text): \(paths.isEmpty ? "every path" : shown)\(end)"
                // A host stands once for each of its paths in many manifests.
                if seen.insert(line).inserted { lines.append(line) }
            }
        }
        return lines
    }

    /// Says that none of the files is about links.
    private var nothing: [String] {
        guard !files.isEmpty, files.allSatisfy(\.declarations.isEmpty) else { return [] }
        return [
            files.count == 1
                ? "the only file of an app declares no links"
                : "none of the \(files.count) files of apps declares links"
        ]
    }

    private var published: [String] {
        let files: [(String, [UInt8]?, [String])] = [
            ("apple-app-site-association", wanted.aasa, appleHosts),
            ("assetlinks.json", wanted.assetlinks, androidHosts),
        ]
        return files.flatMap { name, content, hosts -> [String] in
            guard let content, !hosts.isEmpty else { return [] }
            let text = String(decoding: content, as: UTF8.self)
            let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
                .map { String(Substring($0)) }
            return ["", "\(addresses(name, hosts)) has to be"]
                + (lines.last == "" ? lines.dropLast() : lines)
        }
    }

    private func addresses(_ name: String, _ hosts: [String]) -> String {
        let more = hosts.count > 1 ? " (and on \(enumerated(Array(hosts.dropFirst()))))" : ""
        return "https://\(hosts[0])/.well-known/\(name)\(more)"
    }

    private var missing: [String] {
        (wanted.gaps.isEmpty ? [] : ["", "The files do not say"] + wanted.gaps.map { "    \($0)" })
            + [
                "",
                "To compare with what a site publishes, add --live, --aasa FILE and --assetlinks FILE, or",
                "--config FILE --env NAME. waymark init --from FILE begins a configuration.",
            ]
    }
}

extension AppleDeclaration {
    /// The identifier, as far as it is known.
    fileprivate var name: String? {
        guard let bundle = use?.bundleIdentifier else { return applicationIdentifier }
        return use?.team.map { "\($0).\(bundle)" } ?? bundle
    }
}
