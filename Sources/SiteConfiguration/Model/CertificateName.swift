package import URISyntax

/// The subject of an automatic certificate: a host, or all hosts directly below a domain.
package struct CertificateName: Hashable, Sendable, CustomStringConvertible {
    package let domain: HostName
    package let isWildcard: Bool

    package init(_ domain: HostName, isWildcard: Bool = false) {
        self.domain = domain
        self.isWildcard = isWildcard
    }

    /// As authorities and certificates write it.
    package var description: String { isWildcard ? "*.\(domain)" : domain.description }

    /// The same as the name of a file. No host has an underscore, so it is no other's.
    package var fileName: String { isWildcard ? "_.\(domain)" : domain.description }

    /// Whether a certificate for it is one for a host, or for a pattern with a wildcard.
    /// - Parameter host: in lower case.
    package func covers(_ host: String) -> Bool {
        guard isWildcard else { return host == description }
        guard let dot = host.utf8.firstIndex(of: UInt8(ascii: ".")), dot != host.startIndex else {
            return false
        }
        return host.utf8[host.utf8.index(after: dot)...].elementsEqual(domain.description.utf8)
    }
}
