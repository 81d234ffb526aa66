import ArgumentParser
import HTTPClient
import Sockets
import TLS

/// The options of every command that asks a running origin for stored links or tokens.
struct LinkOriginOptions: ParsableArguments {
    @Option(
        help:
            "The address of the origin's admin listener: ADDRESS:PORT; 127.0.0.1:9090 by default.",
        transform: ListenAddress.init(_:))
    var admin: ListenAddress?

    @Option(
        help: ArgumentHelp(
            "The host of the API in place of the admin listener: https://HOST[:PORT]. Its "
                + "certificate is verified, and redirects are not followed.", valueName: "url"),
        transform: APIAddress.init(_:))
    var api: APIAddress?

    @Option(
        help: ArgumentHelp(
            "A PEM file of certificates of authorities to trust for --api instead of the system's.",
            valueName: "file"))
    var authorities: String?

    @Option(
        help: "A proxy for --api: http://HOST:PORT. Without this option there is none.",
        transform: readProxy)
    var proxy: HTTPProxy?

    @Option(
        help: ArgumentHelp(
            "A file with the token; - is standard input. By default the environment variable "
                + "WAYMARK_TOKEN, or else the file STORE.token beside the store of the "
                + "configuration, and for a database links.token in the usual --state, which the origin writes "
                + "when it starts.", valueName: "file"))
    var tokenFile: String?

    @Option(
        name: .customLong("config"),
        help:
            "The configuration whose store has the token; - is standard input, waymark.yaml by default."
    )
    var path: String?

    @Option(
        name: .customLong("env"),
        help: "The environment whose store has the token, if there are several with a store.")
    var environmentName: String?

    func validate() throws {
        guard admin?.address != nil || admin == nil else {
            throw ValidationError("--admin names no address")
        }
        guard api == nil || admin == nil else {
            throw ValidationError("--admin and --api are two places; give one")
        }
        guard api != nil || authorities == nil && proxy == nil else {
            throw ValidationError("--authorities and --proxy are for --api")
        }
        guard api == nil || path == nil && environmentName == nil else {
            throw ValidationError(
                "--config and --env are for finding the token of the admin listener, which is none "
                    + "for --api; give --token-file")
        }
        guard tokenFile == nil || path == nil && environmentName == nil else {
            throw ValidationError(
                "--config and --env are for finding a token; --token-file has one")
        }
    }

    /// Whether standard input is taken.
    var readsStandardInput: Bool { tokenFile == "-" || path == "-" }

    /// The origin, with the token that it is asked with.
    /// - Throws: the exit status, after printing what is missing.
    func origin() throws(ExitCode) -> LinkOrigin {
        let token = TokenSource(file: tokenFile, path: path, environmentName: environmentName)
        guard let api else {
            let address = admin?.address ?? Self.usualAdmin
            return LinkOrigin(place: OriginPlace(admin: address), token: try token.token())
        }
        guard let token = try token.given() else {
            printMessages([
                "waymark: error: there is no token", "    give --token-file, or set WAYMARK_TOKEN",
            ])
            throw .noPermission
        }
        return LinkOrigin(place: OriginPlace(api, try client()), token: token)
    }

    private static let usualAdmin = SocketAddress(host: .v4([127, 0, 0, 1]), port: 9090)

    private func client() throws(ExitCode) -> HTTPClient {
        let trusted: TLSAuthorities =
            try authorities.map { path throws(ExitCode) in .pem(try readNamed(path)) } ?? .system
        do throws(OpenSSLError) {
            return try HTTPClient(authorities: trusted, allowsPrivateAddresses: true, proxy: proxy)
        } catch {
            printMessage("\(authorities ?? "waymark"): error: \(error)")
            throw .configurationInvalid
        }
    }
}
