import Resolution

/// The sites of an environment, prepared, and which of them answers for a host. It never changes: a
/// reload makes another one, with the sites that have not changed.
package final class SiteTable: Sendable {
    /// Never empty.
    package let sites: [PreparedSite]
    private let hosts: HostTable

    /// - Parameter sites: none of them has a host of another.
    package init(_ sites: [PreparedSite]) {
        self.sites = sites
        hosts = HostTable(sites.map(\.source))
    }

    /// The number of the site that answers for a host, which is in lower case and without port; nil
    /// where none does.
    package func number(of host: [UInt8], _ range: Range<Int>) -> Int? {
        hosts.site(of: host, range)
    }

    /// The most bytes that building another like it takes: what is read, what is made of it, and
    /// the work on both.
    package var rebuildBytes: Int { sites.reduce(16 << 20) { $0 + 2 * $1.bytes.count } }

    package func number(of host: String) -> Int? { hosts.site(of: host) }
}
