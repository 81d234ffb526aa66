import HTTPMessages
import Memory
private import SiteConfiguration
import URISyntax

/// The site of a request by its host, and the path that it asks for.
extension Responder {
    /// Decodes the path into `path` and returns its length; nil for one that is refused. A target
    /// in absolute form may have none, which means the root (RFC 9112 §3.2.2).
    @inline(__always)
    mutating func decodePath(_ head: RequestHead, _ text: [UInt8]) -> Int? {
        guard !head.path.isEmpty else {
            path[0] = UInt8(ascii: "/")
            return 1
        }
        guard !head.isPathLiteral else {
            path.copy(text, head.path, to: 0)
            return head.path.count
        }
        return try? PathDecoding.decode(text, head.path, into: &path)
    }

    /// The authority of the request's host, with or without the full stop that may end it; most
    /// requests name the host of the one before. The site that answers for the host is used from
    /// now on. An https resource is not served unless the client speaks TLS, and the certificate of
    /// its connection is for the host (RFC 9110 §7.4).
    @inline(__always)
    mutating func authority(
        of head: RequestHead, _ text: [UInt8], _ client: borrowing Client
    ) -> HostAuthority {
        if head.hostNumber != 0, head.hostNumber == knownHost.number,
            client.certificateNumber == knownHost.certificate
        {
            if knownHost.siteNumber != siteNumber { useSite(knownHost.siteNumber) }
            return knownHost.authority
        }
        guard client.isSecure || !head.namesHTTPS(text) else { return .unknown }
        var count = head.host.count
        host.copyLowercased(text, head.host, to: 0)
        if count > 0, host[count - 1] == UInt8(ascii: ".") { count -= 1 }
        let number = sites.number(of: host, 0..<count)
        if let number, number != siteNumber { useSite(number) }
        // An unknown host gets nothing of the site that was asked for before.
        if number == nil { forgetSite() }
        var authority = number == nil ? HostAuthority.unknown : .ours
        if case .ours = authority, client.certificate?.covers(host, 0..<count) == false {
            authority = .uncovered
        }
        if head.hostNumber != 0 {
            knownHost = (head.hostNumber, client.certificateNumber, authority, siteNumber)
        }
        return authority
    }

    /// Whether the certificate of the connection, if it has one, is for the request's host.
    func isCovered(_ head: RequestHead, _ text: [UInt8], _ client: borrowing Client) -> Bool {
        guard let certificate = client.certificate else { return true }
        var host = text[head.host].map { $0 }
        host.copyLowercased(text, head.host, to: 0)
        if host.last == UInt8(ascii: ".") { host.removeLast() }
        return certificate.covers(host, 0..<host.count)
    }

    /// The port that the redirect names: the configured one; else none when the client came to
    /// the standard port, where a mapping may stand in between; else the one listened on.
    func redirectPort(_ head: RequestHead, _ text: [UInt8]) -> UInt16? {
        let cameByPort = !head.port.isEmpty && !text[head.port].elementsEqual("80".utf8)
        let port = parts.value.site.source.httpsPort ?? (cameByPort ? httpsPort : nil)
        return port == 443 ? nil : port
    }
}
