/// The rules of the live check. Their names are stable, so scripts can rely on them.
package enum LiveRule: String, CaseIterable, Sendable {
    case hostNotFound = "host-not-found"
    case resolverFailed = "resolver-failed"
    case privateAddress = "private-address"
    case addressesLeftOut = "addresses-left-out"
    case connectionRefused = "connection-refused"
    case connectionTimeout = "connection-timeout"
    case connectionLost = "connection-lost"
    case familyUnchecked = "family-unchecked"
    case missingIntermediate = "missing-intermediate"
    case unknownAuthority = "unknown-authority"
    case selfSignedCertificate = "self-signed-certificate"
    case certificateExpired = "certificate-expired"
    case certificateNotYetValid = "certificate-not-yet-valid"
    case certificateName = "certificate-name"
    case certificateInvalid = "certificate-invalid"
    case certificateEndsSoon = "certificate-ends-soon"
    case certificateOrder = "certificate-order"
    case clientCertificateRequired = "client-certificate-required"
    case clientCertificateRequested = "client-certificate-requested"
    case tlsTooOld = "tls-too-old"
    case tls12Refused = "tls12-refused"
    case notTLS = "not-tls"
    case handshakeFailed = "handshake-failed"
    case redirect
    case fileMissing = "file-missing"
    case noFile = "no-file"
    case requestFiltered = "request-filtered"
    case badStatus = "bad-status"
    case pageInsteadOfFile = "page-instead-of-file"
    case emptyFile = "empty-file"
    case fileTooLarge = "file-too-large"
    case contentType = "content-type"
    case contentCoding = "content-coding"
    case invalidFile = "invalid-file"
    case noLinks = "no-links"
    case includeUnchecked = "include-unchecked"
    case slowAnswer = "slow-answer"
    case malformedAnswer = "malformed-answer"
    case addressesDiffer = "addresses-differ"
    case pathsDiffer = "paths-differ"
    case agentsDiffer = "agents-differ"
    case longCacheTime = "long-cache-time"
    case liveDiffers = "live-differs"
    case softNotFound = "soft-not-found"
    case plainHTTPStays = "plain-http-stays"
    case plainHTTPHangs = "plain-http-hangs"
    case plainHTTPRefused = "plain-http-refused"
    case appleFiltered = "apple-filtered"
    case appleStatus = "apple-status"
    case applePrivateAddress = "apple-private-address"
    case appleTimeout = "apple-timeout"
    case appleContent = "apple-content"
    case appleFailure = "apple-failure"
    case appleRemembersFailure = "apple-remembers-failure"
    case appleStale = "apple-stale"
    case appleUnchecked = "apple-unchecked"
    case googleFailure = "google-failure"
    case googleStale = "google-stale"
    case googleUnchecked = "google-unchecked"

    /// The advice about it.
    package var advice: String {
        switch self {
        case .hostNotFound: "add an A and an AAAA record for the host, or correct its name"
        case .resolverFailed: "try again; if it stays so, check the zone's name servers and DNSSEC"
        case .privateAddress:
            "Apple and Google connect only to public addresses (Apple's CDN fails with SWCERR00202): "
                + "publish one, or try inside with --allow-private and Apple's developer mode"
        case .addressesLeftOut: "check the others with --connect HOST:ADDRESS:PORT"
        case .connectionRefused:
            "let the server listen on this address, or remove the address from DNS"
        case .connectionTimeout:
            "open the firewall for everybody on this address, or remove the address from DNS"
        case .connectionLost:
            "look at what closes connections: a firewall, a proxy, the server's log"
        case .familyUnchecked: "check from a network that has this family of addresses"
        case .missingIntermediate:
            "serve the whole chain: the host's certificate, then the certificate of its issuer. "
                + "Browsers fetch what is missing; Android, Apple's CDN and curl do not. A private "
                + "authority is given with --authorities"
        case .unknownAuthority:
            "get a certificate of a public authority: Apple's devices report this one as "
                + "SWCErrorDomain 100. A private authority is given with --authorities"
        case .selfSignedCertificate:
            "get a certificate of a public authority: Apple's devices report this one as "
                + "SWCErrorDomain 100"
        case .certificateExpired: "renew the certificate, and let the server load it"
        case .certificateNotYetValid:
            "correct the clocks, here and where the certificate was made, or wait"
        case .certificateName: "get a certificate for this host, or serve the one that it has"
        case .certificateInvalid: "get another certificate"
        case .certificateEndsSoon: "look at why it was not renewed"
        case .certificateOrder: "serve each certificate before that of its issuer"
        case .clientCertificateRequired:
            "do not require certificates of clients on this host: no fetcher has one"
        case .clientCertificateRequested:
            "do not ask clients for certificates on this host: some refuse to continue"
        case .tlsTooOld: "enable TLS 1.2 and 1.3"
        case .tls12Refused: "enable TLS 1.2 too; fetchers have been seen that use it"
        case .notTLS: "serve HTTPS on this port"
        case .handshakeFailed: "look at the server's log of TLS"
        case .redirect:
            "answer with the file itself: Google follows no redirect, and Apple documents none"
        case .fileMissing: "serve the file at exactly this path, without an extension"
        case .noFile: "nothing, if there is no app for this platform; else, serve the file here"
        case .requestFiltered:
            "let everybody fetch this path, without challenges and without rules on agents, "
                + "addresses and countries"
        case .badStatus: "answer 200 with the file"
        case .pageInsteadOfFile:
            "exempt /.well-known/ from the rule that answers every path with a page"
        case .emptyFile: "deploy the file with its content"
        case .fileTooLarge: "keep it under 131,072 bytes: devices read no more"
        case .contentType: "serve it as application/json"
        case .contentCoding: "send the file without an encoding, or with gzip when it is accepted"
        case .invalidFile: "`waymark lint` on the file shows everything and explains each rule"
        case .noLinks:
            "deploy the file with the rules of the app; if there is no app for this platform, say so "
                + "with --ios, --android or --config"
        case .includeUnchecked:
            "check that the included file is there, as JSON and without a redirect; only Google's "
                + "service follows includes"
        case .slowAnswer: "answer within a second: serve the file without the application behind it"
        case .malformedAnswer: "look at the server and at proxies: the answer breaks HTTP/1.1"
        case .addressesDiffer: "deploy the same version everywhere"
        case .pathsDiffer: "serve the same bytes at both paths"
        case .agentsDiffer:
            "answer everybody with the same file. A filter that knows Apple's addresses may refuse "
                + "only this check: `apple-cdn` says whether Apple gets the file"
        case .longCacheTime: "shorten max-age to an hour: Google follows it, so a fix would wait"
        case .liveDiffers: "deploy the configuration, or find what changes the file on its way"
        case .softNotFound:
            "answer 404 for names below /.well-known/ that do not exist: else password managers do not "
                + "use /.well-known/change-password"
        case .plainHTTPStays:
            "let port 80 redirect every path to https: who types the host's name can arrive there"
        case .plainHTTPHangs: "let port 80 redirect to https, or refuse connections"
        case .plainHTTPRefused:
            "nothing, if nobody asks for http://; else, let port 80 redirect to https"
        case .appleFiltered:
            "let AASA-Bot and agents with CFNetwork through, from all addresses and countries"
        case .appleStatus: "compare with the server's log; Apple's CDN tries again by itself"
        case .applePrivateAddress:
            "let public DNS have only public addresses: here DNS answers otherwise than outside "
                + "(split DNS). Inside, apps can use Apple's developer mode"
        case .appleTimeout:
            "find what drops or delays Apple's requests: a firewall, a country rule, a dead "
                + "IPv6 address, a cold start"
        case .appleContent: "`waymark lint` on the file; then wait until Apple's CDN asks again"
        case .appleFailure: "search for the code; give Apple the evidence with a report"
        case .appleRemembersFailure: "wait; Apple's CDN asks again when its answer has expired"
        case .appleStale: "wait: Apple's CDN asks again within a day, and cannot be told to"
        case .appleUnchecked: "check from a network that can reach Apple's CDN"
        case .googleFailure: "mend what Google names, then wait as long as its answer is kept"
        case .googleStale: "wait; Google asks again when the answer that it keeps has expired"
        case .googleUnchecked: "check from a network that can reach Google's service"
        }
    }

    /// The clients that cannot use the links because of a fault at a step.
    package func affects(_ hop: Hop) -> [Affected] {
        switch hop {
        // Browsers fetch the certificate that is missing.
        case .tls where self == .missingIntermediate:
            [.apple, .installed, .android, .previews]
        case .dns, .connect, .tls: Affected.allCases
        case .apple, .cdn: [.apple, .installed]
        case .android, .google: [.android]
        case .http, .wellKnown: [.browsers]
        }
    }
}
