import ArgumentParser
import Diagnostics
import SiteConfiguration
import URISyntax

/// A host and a port of the command line.
struct LiveHost {
    let name: HostName
    let port: UInt16

    /// Whether only a private network can know the name: it has no domain, or one that is reserved
    /// for such networks (RFC 6761, RFC 6762).
    var isWithin: Bool {
        !name.hasDomain
            || ["localhost", "local", "internal"].contains(
                name.description.split(separator: ".").last.map(String.init))
    }

    /// - Throws: for a URL, an address, or another text that is no host.
    init(_ text: String) throws {
        if let blank = unseenEnd(of: text) {
            throw ValidationError("\(quoted(text)) ends with \(blank); remove it")
        }
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let port = parts.count == 2 ? String(Substring(parts[1])) : "443"
        guard parts.count <= 2, let number = UInt16(port), number > 0,
            let host = try? HostName(String(Substring(parts[0]))), !host.isAddress
        else {
            if let scheme = text.firstRange(of: "://") {
                let host = text[scheme.upperBound...].utf8.prefix { !"/?#".utf8.contains($0) }
                throw ValidationError(
                    "\(quoted(text)) is a URL, and check takes hosts: write \(Substring(host))")
            }
            if let host = hostWithin(text) {
                throw ValidationError("\(quoted(text)) is no host; write \(host)")
            }
            let isForeign = parts[0].contains { $0 >= 0x80 }
            if isForeign, let name = HostName(anyScript: String(Substring(parts[0]))) {
                throw ValidationError("\(quoted(text)) is no host; write it in punycode: \(name)")
            }
            throw ValidationError(
                "\(quoted(text)) is no host; write a name such as www.example.com, with a port if it "
                    + "is not 443")
        }
        (name, self.port) = (host, number)
    }
}
