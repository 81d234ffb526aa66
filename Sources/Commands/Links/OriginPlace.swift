import ArgumentParser
import Diagnostics
import HTTPClient
private import HTTPMessages
import LiveCheck
import Sockets
import URISyntax

/// The place of an origin's API: its admin listener, or a host of the API.
struct OriginPlace {
    /// As it was given, for messages.
    let name: String
    let isSecure: Bool
    let host: String
    let port: UInt16
    let client: HTTPClient
    /// Whether it is the admin listener.
    let isAdmin: Bool

    /// An admin listener, which is asked without TLS.
    init(admin address: SocketAddress) {
        name = "\(address)"
        (isSecure, host, port, isAdmin) = (false, "localhost", address.port, true)
        client = HTTPClient(plainTo: [AddressOverride(host: host, port: port, address: address)])
    }

    /// A host of the API.
    init(_ url: APIAddress, _ client: HTTPClient) {
        name = url.description
        (isSecure, host, port, isAdmin) = (url.isSecure, url.host, url.port, false)
        self.client = client
    }

    /// The address of the admin listener, as a browser on the origin's machine has it.
    var adminName: String { isAdmin ? name : "127.0.0.1:9090" }

    // MARK: What does not answer

    /// Prints why a request has no answer. Of an API that is elsewhere it is what `waymark check`
    /// finds.
    /// - Returns: the exit status.
    func report(_ exchange: ClientExchange, seconds: Int) -> ExitCode {
        guard let failure = exchange.failure else { return .ourFault }
        switch failure.phase {
        case .receive where failure.isNotHTTP:
            printMessages([
                "waymark: error: \(name) answers, but not with HTTP", "    \(address)",
            ])
        case .receive:
            printMessages([
                "waymark: error: \(name) ends before its answer does",
                "    what came is not all; look at what was done before you run the command again, "
                    + "and at the origin's log",
            ])
        case .connect where client.proxy != nil && failure.kind == .unreachable,
            .resolve where client.proxy != nil:
            printMessages([
                "waymark: error: \(name) is not reached through the proxy: \(failure.text)",
                "    correct --proxy, or ask the proxy's operator to let connections to "
                    + "\(host):\(port) through",
            ])
        default:
            if !isAdmin, let finding = HostReport.fault(of: exchange) {
                let evidence = finding.evidence.map { " (\($0))" } ?? ""
                // The authority of a development origin has no other above it.
                let message =
                    finding.message.hasPrefix("the server does not send")
                    ? "the certificate's authority is not trusted here, and the server sends no "
                        + "certificate of it" : finding.message
                printMessages([
                    "waymark: error: \(name): \(message)\(evidence) [\(finding.rule.rawValue)]",
                    "    \(advice(on: finding))",
                ])
            } else {
                let fact = failure.kind == .timeout ? " within \(seconds) s" : ": \(failure.text)"
                printMessages([
                    "waymark: error: \(name) does not answer\(fact)", "    \(address)",
                ])
            }
        }
        return .unreachable
    }

    /// Prints that the API does not answer there.
    /// - Returns: the exit status.
    func reportForeign(_ response: FetchResponse) -> ExitCode {
        let target = response.head.value("location").map { " to \(quoted($0))" } ?? ""
        let isRedirect = 300..<400 ~= response.status
        let isOfProxy = [502, 503, 504].contains(response.status)
        guard !isOfProxy else {
            printMessages([
                "waymark: error: \(name) answers \(response.status)"
                    + (response.head.reason.isEmpty ? "" : " \(response.head.reason)")
                    + ", and not as an origin does",
                "    a proxy in front of the origin does not reach it: look at the proxy's log, and "
                    + "whether the origin runs",
            ])
            return .unreachable
        }
        printMessages([
            "waymark: error: \(name) has no API of stored links: it answers \(response.status)"
                + (response.head.reason.isEmpty ? "" : " \(response.head.reason)") + target,
            isRedirect
                ? "    redirects are not followed, because the token would go with them; give the "
                    + "host itself"
                : "    \(question)",
        ])
        return .unreachable
    }

    private var address: String {
        isAdmin ? "is it the address of the origin's admin listener (--admin)?" : question
    }

    private var question: String {
        isAdmin
            ? "is it the admin listener (--admin) of an environment with a `store`?"
            : "is it one of the `api-hosts` of the origin's environment?"
    }

    private func advice(on finding: LiveFinding) -> String {
        let own =
            "give the authority's certificate with --authorities, such as certs/dev-ca.pem of a "
            + "development origin"
        return switch finding.rule {
        case .unknownAuthority, .selfSignedCertificate: own
        case .missingIntermediate: "\(own); of a public authority: \(finding.advice)"
        case .hostNotFound: "correct the name, or ask from a network that knows it"
        default: finding.advice
        }
    }
}

/// The URL of an API, of which only scheme, host and port are given.
struct APIAddress: Sendable, CustomStringConvertible {
    let isSecure: Bool
    let host: String
    let port: UInt16
    let description: String

    /// - Throws: for another URL, and for one over which anybody on the way could read the token.
    init(_ text: String) throws {
        guard let url = try? WebURL(text), url.description.utf8.count <= url.originBytes + 1,
            url.path.utf8.count <= 1
        else {
            throw ValidationError(
                "\(quoted(text)) is no address of an API, such as https://api.example.com")
        }
        host = url.host.description
        isSecure = url.isSecure
        port = url.port ?? (isSecure ? 443 : 80)
        description = String(decoding: url.description.utf8.prefix(url.originBytes), as: UTF8.self)
        guard isSecure || Self.isHere(host, port) else {
            throw ValidationError(
                "\(quoted(text)) is not https: anybody on the way to another machine could read the "
                    + "token; plain http is for loopback addresses alone")
        }
    }

    private static func isHere(_ host: String, _ port: UInt16) -> Bool {
        SocketAddress("\(host):\(port)")?.host?.isLoopback == true
    }
}
