package import SiteConfiguration
import URISyntax

/// Sites by the hosts that they answer for. A search allocates nothing.
package struct HostTable: Sendable {
    /// The numbers of sites by host, and by the domain behind a wildcard.
    private let hosts: PathTable
    private let wildcards: PathTable?

    /// - Parameter sites: none of them has a host of another.
    package init(_ sites: [Site]) {
        func numbered(_ names: (Site) -> [HostName]) -> [(path: [UInt8], value: Int)] {
            sites.enumerated().flatMap { number, site in
                names(site).map { (Array($0.description.utf8), number) }
            }
        }
        hosts = PathTable(numbered(\.answeredHosts))
        let domains = numbered(\.wildcards)
        wildcards = domains.isEmpty ? nil : PathTable(domains)
    }

    /// The number of the site that answers for a host, which is in lower case and without port; nil
    /// where none does. A wildcard stands for one label, as in certificates (RFC 9525 §6.3). A host
    /// that is listed itself comes first.
    package func site(of host: [UInt8], _ range: Range<Int>) -> Int? {
        if let number = hosts.find(host, range) { return number }
        guard let wildcards else { return nil }
        var index = range.lowerBound
        while index < range.upperBound, host[index] != UInt8(ascii: ".") { index += 1 }
        guard index > range.lowerBound, index < range.upperBound else { return nil }
        return wildcards.find(host, index + 1..<range.upperBound)
    }

    package func site(of host: String) -> Int? {
        let bytes = Array(host.utf8)
        return site(of: bytes, 0..<bytes.count)
    }
}
