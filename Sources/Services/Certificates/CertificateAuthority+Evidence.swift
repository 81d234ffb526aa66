import Certificates
import HTTPClient
import SiteConfiguration

extension CertificateAuthority {
    /// The answer that this machine gets when it asks for the host's challenge itself. Nil for
    /// names that are not reached, such as those with a wildcard.
    func evidence(for name: CertificateName) -> String? {
        guard !name.isWildcard else { return nil }
        let name = name.description
        var client = client
        client.limits = FetchLimits()
        client.limits.connectMilliseconds = 3_000
        let token = "waymark-asks-itself"
        let addresses = client.resolve(name, port: 80)
        if let fault = addresses.fault { return "this machine finds no address of it: \(fault)" }
        let found = addresses.list(port: 80).prefix(4).map { address -> String in
            let request = FetchRequest(
                isSecure: false, host: name, target: "/.well-known/acme-challenge/\(token)",
                fields: ["User-Agent: \(agent)"])
            let answer: String =
                switch client.fetch(request, at: address).result {
                case .failure(let failure): failure.words
                case .success(let response):
                    response.bytes
                        == Array("\(token).\(session.key.thumbprint)".utf8)
                        ? "the right answer" : "status \(response.status) of another server"
                }
            return "\(address) gives \(answer)"
        }
        return "asked from this machine, " + found.joined(separator: "; ")
    }
}
