import AppFiles

/// The hosts of an app's filters that are verified, or may be.
struct VerifiedHosts {
    /// Those without a port.
    let withoutPort: HostPatterns
    /// Those whose activities others can start.
    let opened: HostPatterns
    /// Those of filters that Android verifies: it collects the hosts of each filter by itself.
    let verified: HostPatterns

    init(_ app: AndroidDeclaration) {
        let filters = (app.filters + app.merged).filter { $0.mayBeForWebLinks && $0.mayBeVerified }
        verified = HostPatterns(
            filters.filter { filter in
                filter.isDefault && filter.isBrowsable && filter.mimeTypes.isEmpty
                    && filter.schemes.allSatisfy { isWebScheme($0.text) }
            }.flatMap(\.hosts).map(\.text))
        withoutPort = HostPatterns(
            filters.flatMap(\.authorities).filter { $0.port == nil }.map(\.host.text))
        opened = HostPatterns(
            filters.filter {
                $0.isExported && !$0.isDisabled && $0.permissionOfOwn == nil
                    && $0.undecided.isEmpty
            }.flatMap(\.hosts).map(\.text))
    }
}

extension AndroidDeclaration {
    /// Whether it is made for Android 11 or earlier, and has a filter that Android verifies. Then Android verifies the
    /// hosts of all filters for links of the web, those with other schemes among them (AOSP,
    /// `DomainVerificationCollector`).
    var verifiesTogether: Bool {
        guard let target = targetAPI ?? targetAPIOfScript, target < 31 else { return false }
        return (filters + merged).contains { filter in
            filter.isForWebLinks && filter.isVerified && filter.isBrowsable
                && filter.schemes.allSatisfy { isWebScheme($0.text) }
        }
    }
}

extension IntentFilter {
    /// The permission that browsers do not have; nil if they may start the activity. They have permissions of the
    /// system, but none of the app's own.
    var permissionOfOwn: Value? {
        permission.flatMap { value in
            value.isUnresolved || value.text.utf8.starts(with: "android.permission.".utf8)
                ? nil : value
        }
    }
}
