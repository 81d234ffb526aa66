import AppFiles

/// Hosts as filters have them, in lower case.
struct FilterHosts {
    private let names: Set<String>

    init(_ hosts: [String]) { names = Set(hosts.map { $0.lowercased() }) }

    var isEmpty: Bool { names.isEmpty }

    /// Whether one of them takes all links of a host, or of a wildcard. What is too long for a host is no matter.
    func take(_ host: String) -> Bool {
        let host = host.lowercased()
        guard host.utf8.count <= 255, !names.contains(host), !names.contains("*") else {
            return true
        }
        return host.utf8.indices.contains { index in
            host.utf8[index] == UInt8(ascii: ".") && names.contains("*\(host[index...])")
        }
    }
}

/// The hosts of an app's filters that are verified, or may be.
struct VerifiedHosts {
    /// Those without a port.
    let withoutPort: FilterHosts
    /// Those whose activities others can start.
    let opened: FilterHosts

    init(_ app: AndroidDeclaration) {
        let filters = app.filters.filter { filter in
            filter.isOfWeb && filter.isView
                && (filter.isVerified || filter.autoVerify?.isUnresolved == true)
        }
        withoutPort = FilterHosts(
            filters.flatMap(\.authorities).filter { $0.port == nil }.map(\.host.text))
        opened = FilterHosts(
            filters.filter { $0.isExported && !$0.isDisabled }.flatMap(\.hosts).map(\.text))
    }
}
