import Diagnostics
package import HTTPClient
import OpenID
package import SiteConfiguration
import Sockets
import TLS
import URISyntax

/// The requests to a provider, until a time. No redirect is followed, because none is in the standards: what answers at
/// another place is another program.
struct ProviderRequests {
    let http: HTTPClient
    /// By a clock that never goes back, in milliseconds.
    let deadline: Int

    private static let requestMilliseconds = 5_000
    private static let stepMilliseconds = 3_000

    func metadata(of issuer: String) throws(ProviderTrouble) -> ProviderMetadata {
        guard let url = try? WebURL(ProviderMetadata.location(of: issuer)) else {
            throw .here("the issuer is no URL")
        }
        let bytes = try content(url, bytesMax: ProviderMetadata.bytesMax)
        do throws(OpenIDFault) {
            return try ProviderMetadata(bytes, of: issuer)
        } catch {
            throw .wrong(error)
        }
    }

    func keys(_ metadata: ProviderMetadata) throws(ProviderTrouble) -> KeySet {
        let bytes = try content(metadata.keys, bytesMax: KeySet.bytesMax)
        do throws(OpenIDFault) { return try KeySet(bytes) } catch { throw .wrong(error) }
    }

    /// Uses a code up.
    func tokens(
        _ metadata: ProviderMetadata, _ request: (fields: [String], content: [UInt8])
    ) throws(ProviderTrouble) -> TokenAnswer {
        let (status, bytes) = try fetch(
            metadata.token, request.fields, posting: request.content,
            bytesMax: TokenAnswer.bytesMax)
        // A refusal has a code; anything else has none.
        if status != 200, !(400..<500).contains(status) { throw away(metadata.token, status) }
        do throws(OpenIDFault) {
            return try TokenAnswer(bytes, status: status)
        } catch {
            throw .wrong(error)
        }
    }

    /// The further claims of a person.
    func userInfo(_ url: WebURL, _ accessToken: String) throws(ProviderTrouble) -> [UInt8] {
        try content(
            url, ["Authorization: Bearer \(accessToken)"],
            bytesMax: ProviderPerson.userInfoBytesMax)
    }

    private func content(
        _ url: WebURL, _ fields: [String] = [], bytesMax: Int
    ) throws(ProviderTrouble) -> [UInt8] {
        let (status, bytes) = try fetch(
            url, ["Accept: application/json"] + fields, bytesMax: bytesMax)
        guard status == 200 else { throw away(url, status) }
        return bytes
    }

    private func away(_ url: WebURL, _ status: Int) -> ProviderTrouble {
        let redirect = (300..<400).contains(status) ? ", and no redirect is followed" : ""
        return .away("\(url.place) answers with the status \(status)\(redirect)")
    }

    private func fetch(
        _ url: WebURL, _ fields: [String], posting content: [UInt8]? = nil, bytesMax: Int
    ) throws(ProviderTrouble) -> (status: Int, bytes: [UInt8]) {
        let left = deadline - Clock.monotonicMilliseconds
        guard left > 0 else { throw .away("its answers take too long") }
        var http = http
        let (isEnded, deadline) = (http.isEnded, deadline)
        http.isEnded = { isEnded() || Clock.monotonicMilliseconds >= deadline }
        let step = min(Self.stepMilliseconds, left)
        http.limits.resolveMilliseconds = step
        http.limits.connectMilliseconds = step
        http.limits.handshakeMilliseconds = step
        http.limits.firstByteMilliseconds = min(Self.requestMilliseconds, left)
        http.limits.totalMilliseconds = min(Self.requestMilliseconds, left)
        http.limits.contentBytesMax = bytesMax
        http.limits.overheadBytesMax = 262_144
        var request = FetchRequest(
            isSecure: url.isSecure, host: url.host.description, port: url.port,
            target: url.requestTarget, fields: ["User-Agent: waymark"] + fields)
        if let content {
            request.method = "POST"
            request.content = content
        }
        switch http.fetch(request).result {
        case .failure(let failure): throw .away("\(url.place): \(failure.words)")
        case .success(let response):
            guard case .whole(let bytes) = response.content else {
                throw .away(
                    "\(url.place) answers with more than \(bytesMax) bytes, or in an unknown coding"
                )
            }
            return (response.status, bytes)
        }
    }
}

extension OpenIDSettings {
    /// A client that trusts the provider's authorities. The provider is the operator's choice, also in a private network.
    package func makeClient() throws(Unusable) -> HTTPClient {
        do {
            return try HTTPClient(
                authorities: TLSAuthorities(of: authorities), allowsPrivateAddresses: true)
        } catch {
            throw Unusable(
                diagnostic: Diagnostic(
                    .error, .openID, at: authorities?.position ?? position,
                    "the authorities of `openid` cannot be used, so nobody is signed in there: \(error)",
                    advice: "give the certificates of authorities, in PEM form"))
        }
    }
}

extension WebURL {
    /// Without its query, for the log.
    fileprivate var place: String {
        String(Substring(description.utf8.prefix { $0 != UInt8(ascii: "?") }))
    }
}
