import ArgumentParser
import Diagnostics
import HTTPClient
import HTTPMessages
import LiveCheck
import Sockets
import TLS
import URISyntax

/// The options of commands that make requests.
struct FetchOptions: ParsableArguments {
    @Option(
        help: "Connect there instead of asking DNS: HOST:ADDRESS:PORT. Can be repeated.",
        transform: readOverride)
    var connect = [AddressOverride]()

    @Option(help: "A PEM file of certificates of authorities to trust instead of the system's.")
    var authorities: String?

    @Flag(help: "Also connect to addresses that are not of the public internet.")
    var allowPrivate = false

    @Option(
        help: """
            A proxy that connects to other hosts: http://HOST:PORT. It is asked with CONNECT, and asks \
            DNS itself. Without this option there is none, whatever the environment says.
            """, transform: readProxy)
    var proxy: HTTPProxy?

    /// Whether one of them is given.
    var isUsed: Bool { !connect.isEmpty || authorities != nil || allowPrivate || proxy != nil }

    /// - Throws: the exit status, after printing the reason.
    func client() throws(ExitCode) -> HTTPClient {
        let trusted: TLSAuthorities =
            try authorities.map { path throws(ExitCode) in
                .pem(try readNamed(path))
            } ?? .system
        do throws(OpenSSLError) {
            return try HTTPClient(
                authorities: trusted, overrides: connect, allowsPrivateAddresses: allowPrivate,
                proxy: proxy)
        } catch {
            printMessage("\(authorities ?? "waymark"): error: \(error)")
            throw .configurationInvalid
        }
    }

    /// Reads a file, standard input for `-`, or the content at an https URL.
    /// - Throws: the exit status, after printing the reason.
    func read(_ path: String) throws(ExitCode) -> [UInt8] {
        guard isFetched(path) else { return try readNamed(path) }
        let client = try client()
        do throws(FetchFault) {
            return try fetch(path, client)
        } catch {
            printMessage(error.diagnostic)
            throw error.status
        }
    }

    /// Fetches the content at an https URL as association files are fetched: without following a
    /// redirect. A URL without a path is the host's apple-app-site-association.
    func fetch(_ text: String, _ client: HTTPClient) throws(FetchFault) -> [UInt8] {
        try fetchWhole(text, client).bytes
    }

    /// The same, with the exchange that it came by.
    func fetchWhole(
        _ text: String, _ client: HTTPClient
    ) throws(FetchFault) -> (bytes: [UInt8], exchange: ClientExchange) {
        let text = trimmed(text)
        let url: WebURL
        do throws(WebURLError) {
            url = try WebURL(text)
        } catch {
            throw FetchFault(url: text, message: "\(error)", status: .validationFailure)
        }
        guard url.isSecure else {
            throw FetchFault(
                url: text, message: "it is no https URL", status: .validationFailure,
                advice: "write https://: association files are fetched over https alone")
        }
        let request = FetchRequest(
            host: url.host.description, port: url.port,
            target: url.requestTarget == "/" ? Surveyor.applePath : url.requestTarget,
            fields: ["User-Agent: Waymark/\(programVersion)", "Accept-Encoding: gzip"])
        let exchange = client.fetch(request)
        func fault(_ message: String) -> FetchFault {
            FetchFault(
                url: text, message: message, status: .unreachable,
                advice:
                    "waymark check \(url.host)\(url.port.map { ":\($0)" } ?? "") says what is wrong "
                    + "there")
        }
        switch exchange.result {
        case .failure(let failure):
            let address = exchange.address.map { " from \($0)" } ?? ""
            throw fault("it cannot be fetched\(address): \(failure.words)")
        case .success(let response):
            if (300..<400).contains(response.status) {
                let target = response.head.value("location").map { " to \(quoted($0))" } ?? ""
                throw fault(
                    "it is redirected\(target) with status \(response.status), which fetchers of "
                        + "association files do not follow")
            }
            guard response.status == 200 else {
                var missing = fault("it is answered with status \(response.status)")
                missing.isMissing = response.status == 404 || response.status == 410
                throw missing
            }
            switch response.content {
            case .whole(let bytes): return (bytes, exchange)
            case .tooLarge:
                throw fault("it has more than \(client.limits.contentBytesMax) bytes")
            case .undecodable(let coding): throw fault("its content cannot be decoded (\(coding))")
            }
        }
    }
}

/// The reason why a URL could not be fetched.
struct FetchFault: Error {
    let url: String
    let message: String
    let status: ExitCode
    var advice: String?
    /// Whether the host says that there is no such file.
    var isMissing = false

    var diagnostic: Diagnostic {
        Diagnostic(
            .error, .fileUnreadable, at: SourcePosition(file: url, line: 1, column: 1), message,
            advice: advice)
    }
}

/// Whether an argument is a URL, and no file; only those with https can be fetched.
func isFetched(_ path: String) -> Bool {
    let beginning = String(Substring(trimmed(path).utf8.prefix(8))).lowercased()
    return beginning == "https://" || beginning.hasPrefix("http://")
}

/// Without the blanks around a URL that was copied.
private func trimmed(_ text: String) -> String {
    String(Substring(text.utf8.trimmed { $0.isBlank || $0 == 0x0D || $0 == 0x0A }))
}

/// Reads the URL of a proxy.
func readProxy(_ text: String) throws -> HTTPProxy {
    guard let url = try? WebURL(text), !url.isSecure, url.path.utf8.count <= 1 else {
        throw ValidationError("\(quoted(text)) is no proxy, such as http://proxy.example.com:3128")
    }
    return HTTPProxy(host: url.host.description, port: url.port ?? 80)
}

/// Reads `HOST:ADDRESS:PORT`, or `HOST:PORT:ADDRESS:PORT` for a port that is not 443.
func readOverride(_ text: String) throws -> AddressOverride {
    let parts = text.utf8.split(
        separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    let error = ValidationError(
        "\(quoted(text)) is not HOST:ADDRESS:PORT, such as www.example.com:127.0.0.1:8443")
    guard parts.count == 2, let host = try? HostName(String(Substring(parts[0]))) else {
        throw error
    }
    let rest = String(Substring(parts[1]))
    if let address = SocketAddress(rest), address.host != nil {
        return AddressOverride(host: host.description, port: 443, address: address)
    }
    let more = rest.utf8.split(
        separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    guard more.count == 2, let port = UInt16(String(Substring(more[0]))),
        let address = SocketAddress(String(Substring(more[1]))), address.host != nil
    else { throw error }
    return AddressOverride(host: host.description, port: port, address: address)
}
