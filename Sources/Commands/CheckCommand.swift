import ArgumentParser
import Diagnostics
import HTTPClient
import LiveCheck
import SiteConfiguration
import Sockets
import TLS
import URISyntax

/// Checks live hosts as fetchers of association files do. Exit status: 0 if links open apps there;
/// 1 if something is broken; 69 if no host could be asked.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Ask a live site as Apple and Google do, and name what is broken.",
        discussion: """
            Checks DNS, each address, TLS, both association files, and the copies of Apple's CDN \
            and Google's service, and names the first cause with its cure. Apple's CDN is asked \
            only if the file can be fetched directly, because it keeps failures for an hour.
            """)

    @Argument(help: "Hosts, such as www.example.com or www.example.com:8443.")
    var hosts = [String]()

    @Option(
        name: .customLong("config"),
        help: "A configuration, to check the hosts of --env and compare their files with it.")
    var path: String?

    @Option(name: .customLong("env"), help: "The name of the environment.")
    var environment: String?

    @Option(
        help: "Connect there instead of asking DNS: HOST:ADDRESS:PORT. Can be repeated.",
        transform: readOverride)
    var connect = [AddressOverride]()

    @Option(help: "A PEM file of certificates of authorities to trust instead of the system's.")
    var authorities: String?

    @Option(help: "Apple's CDN: a URL, or off.", transform: ServiceOption.init(_:))
    var apple: ServiceOption?

    @Option(help: "Google's service: a URL, or off.", transform: ServiceOption.init(_:))
    var google: ServiceOption?

    @Flag(help: "Also connect to addresses that are not of the public internet.")
    var allowPrivate = false

    @Flag(help: "Let warnings count: the exit status is 1.")
    var strict = false

    @Flag(help: "Let it count if Apple's CDN does not have the live file: the exit status is 1.")
    var requireCDN = false

    @Option(help: "The format of the results: text, json, github or junit.")
    var format = Format.text

    /// The format of the results.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json, github, junit
    }

    mutating func validate() throws {
        guard (path == nil) == (environment == nil) else {
            throw ValidationError("--config and --env belong together")
        }
        guard path != nil || !hosts.isEmpty else {
            throw ValidationError("no host was given, and no --config with --env")
        }
        for host in hosts { _ = try LiveHost(host) }
    }

    func run() throws {
        let client: HTTPClient
        do {
            client = try HTTPClient(
                authorities: try authorities.map { try .pem(readNamed($0)) } ?? .system,
                overrides: connect, allowsPrivateAddresses: allowPrivate)
        } catch let error as OpenSSLError {
            printMessage("\(authorities ?? "waymark"): error: \(error)")
            throw ExitCode.configurationInvalid
        }
        var services = LiveServices()
        if let apple { services.apple = apple.address }
        if let google { services.google = google.address }
        let surveyor = Surveyor(
            client, services, agent: "Waymark/\(programVersion)")
        let reports = try targets().map { host, expected in
            HostReport(
                surveyor.survey(host.name, port: host.port), expected: expected,
                now: Clock.unixSeconds)
        }
        switch format {
        case .text: try printOutput(.lines(reports.flatMap(\.lines)))
        case .json: try printOutput(.json(.array(reports.map(\.json))))
        case .github: try printOutput(.commands(reports.flatMap(\.commands)))
        case .junit: try printOutput(.xml(JUnitReport(reports).root))
        }
        if let status = status(of: reports) { throw status }
    }

    /// The hosts, with the files that the configuration generates for them.
    private func targets() throws(ExitCode) -> [(host: LiveHost, expected: ExpectedFiles?)] {
        let named = hosts.compactMap { try? LiveHost($0) }
        guard let path, let environment else { return named.map { ($0, nil) } }
        let loaded = try ConfigurationOptions.given(config: path, env: environment).load()
        let all = named.isEmpty ? loaded.sites.flatMap { $0.hosts.map(LiveHost.init(_:)) } : named
        return all.map { host in
            let files = loaded.site(of: host.name)?.associations
            // A signature has another form each time.
            let isComparable = files?.signing == nil && files?.isSigned != true
            return (
                host,
                files.map { .init(apple: isComparable ? $0.aasa : nil, android: $0.assetlinks) }
            )
        }
    }

    /// Nil for 0.
    private func status(of reports: [HostReport]) -> ExitCode? {
        if reports.contains(where: { $0.verdict == .broken }) { return .no }
        if strict, reports.contains(where: { $0.verdict == .warning }) { return .no }
        if requireCDN, reports.contains(where: { !$0.isCurrentAtApple }) { return .no }
        return reports.allSatisfy { $0.verdict == .unchecked } ? .unreachable : nil
    }
}

/// A host and a port of the command line.
struct LiveHost {
    let name: String
    let port: UInt16

    init(_ host: HostName) { (name, port) = (host.description, 443) }

    /// - Throws: for a URL, an address, or another text that is no host.
    init(_ text: String) throws {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let port = parts.count == 2 ? String(Substring(parts[1])) : "443"
        guard parts.count <= 2, let number = UInt16(port), number > 0,
            let host = try? HostName(String(Substring(parts[0]))), !host.isAddress
        else {
            throw ValidationError(
                "\(quoted(text)) is no host; write a name such as www.example.com, with a port if it "
                    + "is not 443")
        }
        (name, self.port) = (host.description, number)
    }
}

/// Where a service is, or that it is not asked.
struct ServiceOption: Sendable {
    let address: ServiceAddress?

    init(_ text: String) throws {
        if text == "off" {
            address = nil
            return
        }
        guard let url = try? WebURL(text), url.path.utf8.count <= 1 else {
            throw ValidationError("\(quoted(text)) is neither a URL without a path, nor off")
        }
        address = ServiceAddress(
            isSecure: url.isSecure, host: url.host.description, port: url.port)
    }
}

/// Reads `HOST:ADDRESS:PORT`, or `HOST:PORT:ADDRESS:PORT` for a port that is not 443.
private func readOverride(_ text: String) throws -> AddressOverride {
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
