import AppFiles

/// The hosts of an app's filters that are verified, or may be.
struct VerifiedHosts {
    /// Those without a port.
    let withoutPort: HostPatterns
    /// Those whose activities others can start.
    let opened: HostPatterns
    /// Those of filters that Android verifies: it collects the hosts of each filter by itself.
    let verified: HostPatterns
    /// The number of filters with a host that Android verifies.
    private let verifyingCount: Int
    /// Whether a filter that is verified makes Android verify the hosts of all.
    let isTogether: Bool

    init(_ app: AndroidDeclaration) {
        isTogether = app.verifiesTogether
        let filters = (app.filters + app.merged).filter { $0.mayBeForWebLinks && $0.mayBeVerified }
        verified = HostPatterns(filters.filter(\.isVerifiable).flatMap(\.hosts).map(\.text))
        verifyingCount = filters.count(where: \.verifiesHost)
        withoutPort = HostPatterns(
            filters.flatMap(\.authorities).filter { $0.port == nil }.map(\.host.text))
        opened = HostPatterns(
            filters.filter {
                $0.isExported && !$0.isDisabled && $0.permissionOfOwn == nil
                    && $0.undecided.isEmpty
            }.flatMap(\.hosts).map(\.text))
    }

    /// Whether Android verifies a host of another filter than one of them.
    func isVerified(besides filter: IntentFilter) -> Bool {
        verifyingCount > (filter.verifiesHost ? 1 : 0)
    }
}

/// Whether a host is one that Android can verify. `*` is not, and a word such as `user` is of a custom scheme.
func mayBeVerified(host: String) -> Bool {
    let isWildcard = host.utf8.starts(with: "*.".utf8)
    let name = String(decoding: host.utf8.dropFirst(isWildcard ? 2 : 0), as: UTF8.self)
    return name.utf8.contains(UInt8(ascii: ".")) && isAndroidHost(name)
}

extension AndroidDeclaration {
    /// Whether it is made for Android 11 or earlier, and has a filter that Android verifies. Then Android verifies the
    /// hosts of all filters for links of the web, those with other schemes among them (AOSP,
    /// `DomainVerificationCollector`).
    var verifiesTogether: Bool {
        guard let target = targetAPI ?? targetAPIOfScript, target < 31 else { return false }
        return [filters, merged].joined().contains { filter in
            filter.isForWebLinks && filter.isVerified && filter.isBrowsable
                && filter.schemes.allSatisfy { isWebScheme($0.text) }
        }
    }
}

extension IntentFilter {
    /// Whether Android collects its hosts to verify them, if `autoVerify` is true.
    fileprivate var isVerifiable: Bool {
        isDefault && isBrowsable && mimeTypes.isEmpty
            && schemes.allSatisfy { isWebScheme($0.text) }
    }

    /// Whether Android verifies one of its hosts, as far as they are known.
    fileprivate var verifiesHost: Bool {
        mayBeForWebLinks && mayBeVerified && isVerifiable
            && hosts.contains { !$0.isUnresolved && Linting.mayBeVerified(host: $0.text) }
    }

    /// The permission that browsers do not have; nil if they may start the activity. They have permissions of the
    /// system, but none of the app's own.
    var permissionOfOwn: Value? {
        permission.flatMap { value in
            value.isUnresolved || value.text.utf8.starts(with: "android.permission.".utf8)
                ? nil : value
        }
    }
}
