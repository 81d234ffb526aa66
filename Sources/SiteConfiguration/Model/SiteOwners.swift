/// Sites by the hosts that they answer for, as configurations are read and checked. Requests are
/// looked up in a `HostTable`.
package struct SiteOwners: Sendable {
    /// The numbers of sites by host and by wildcard, `*.` and its domain.
    private let numbers: [String: Int]

    /// - Parameter sites: none of them has a host of another.
    package init(_ sites: [Site]) {
        numbers = Dictionary(
            sites.enumerated().flatMap { number, site in
                site.hostPatterns.map { ($0, number) }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The number of the site that answers for a host, which is in lower case and without port; nil
    /// where none does. A wildcard stands for one label, and a host that is listed itself comes
    /// first.
    package func site(of host: String) -> Int? {
        if let number = numbers[host] { return number }
        guard let dot = host.utf8.firstIndex(of: UInt8(ascii: ".")), dot > host.startIndex else {
            return nil
        }
        return numbers["*\(host[dot...])"]
    }
}
