import AppFiles

/// The hosts of an app's filters that are verified, or may be.
struct VerifiedHosts {
    /// Those without a port.
    let withoutPort: HostPatterns
    /// Those whose activities others can start.
    let opened: HostPatterns

    init(_ app: AndroidDeclaration) {
        let filters = app.filters.filter { $0.isForWebLinks && $0.mayBeVerified }
        withoutPort = HostPatterns(
            filters.flatMap(\.authorities).filter { $0.port == nil }.map(\.host.text))
        opened = HostPatterns(
            filters.filter { $0.isExported && !$0.isDisabled }.flatMap(\.hosts).map(\.text))
    }
}
