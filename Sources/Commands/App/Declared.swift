import AppFiles
import Diagnostics
import Linting

/// The declaration of one app, for people.
struct Declared {
    /// The file, and within it the bundle, target or flavour, as an agreement has it.
    let source: String
    let platform: AppAgreement.Platform
    /// The line before the others.
    let title: String
    let lines: [String]

    /// Nil for one that declares no links.
    init?(_ declaration: AppDeclaration, in file: String) {
        switch declaration {
        case .apple(let app): self.init(app, file)
        case .android(let app): self.init(app, file)
        case .key(let key): self.init(key, file)
        case .program: return nil
        }
    }

    private init?(_ key: AppSigningKey, _ file: String) {
        guard let fingerprint = key.fingerprint else { return nil }
        source = key.alias.map { "\(file): \(quoted($0))" } ?? file
        platform = .android
        title = "\(file): the certificate has the fingerprint"
        lines = [fingerprint]
    }

    private init?(_ app: AppleDeclaration, _ file: String) {
        guard app.kind != .profile, app.unused == nil, case .list(let domains) = app.domains else {
            return nil
        }
        source = (app.bundle ?? app.use?.description).map { "\(file): \($0)" } ?? file
        platform = app.isForMac ? .macos : .ios
        title = "\(source): \(app.name ?? "an app") (\(platform.name)) declares"
        lines = domains.map { shortened($0.text) }
    }

    private init?(_ app: AndroidDeclaration, _ file: String) {
        let filters = app.filters.filter(\.isForWebLinks)
        guard !filters.isEmpty else { return nil }
        source = app.flavor.map { "\(file): flavor \($0)" } ?? file
        platform = .android
        title = "\(source): \(app.applicationID ?? "an app") (Android) declares"
        var lines = [String]()
        var seen = Set<String>()
        for filter in filters {
            let paths =
                filter.paths.map { "\($0.attribute) \(shortened($0.value.text))" }
                + filter.groups.map { _ in "a uri-relative-filter-group" }
            let end = filter.mayBeVerified ? "" : ", not verified: android:autoVerify is missing"
            var known = Set<String>()
            let unique = paths.filter { known.insert($0).inserted }
            // Each host of the filter has all of them.
            let shown =
                unique.prefix(pathsMax).joined(separator: ", ")
                + (unique.count > pathsMax ? " and \(unique.count - pathsMax) more" : "")
            for host in filter.hosts {
                let line = "\(shortened(host.text)): \(paths.isEmpty ? "every path" : shown)\(end)"
                // A host stands once for each of its paths in many manifests.
                if seen.insert(line).inserted { lines.append(line) }
            }
        }
        self.lines = lines
    }
}

extension AppleDeclaration {
    /// The identifier, as far as it is known.
    fileprivate var name: String? {
        guard let bundle = use?.bundleIdentifier else { return applicationIdentifier }
        return use?.team.map { "\($0).\(bundle)" } ?? bundle
    }
}

/// A text that is no longer than a host or a usual path.
private func shortened(_ text: String) -> String {
    guard text.utf8.count > 255 else { return text }
    return String(decoding: text.utf8.prefix(255), as: UTF8.self) + "…"
}

private let pathsMax = 20
