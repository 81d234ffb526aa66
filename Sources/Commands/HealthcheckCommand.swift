import ArgumentParser
import Diagnostics
import HTTPClient
import HTTPMessages
import Sockets

/// Asks the admin listener whether the origin is ready, for containers without curl.
struct HealthcheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck",
        abstract: "Ask a running origin whether it is ready.",
        discussion: "The exit status is 0 if it is, 1 if it is not, and 69 if it does not answer.")

    @Option(
        help: "The address of the admin listener: ADDRESS:PORT; 127.0.0.1:9090 by default.",
        transform: ListenAddress.init(_:))
    var admin = ListenAddress.at(SocketAddress(host: .v4([127, 0, 0, 1]), port: 9090))
    @Option(help: "The path to request: /readyz or /livez.") var path = "/readyz"

    func run() throws {
        guard let address = admin.address else { throw ValidationError("--admin names no address") }
        var client = HTTPClient(plainTo: [])
        client.limits.totalMilliseconds = answerSeconds * 1_000
        client.limits.contentBytesMax = 65_536
        let request = FetchRequest(
            isSecure: false, host: "localhost", port: address.port, target: path)
        let response: FetchResponse
        do throws(FetchFailure) {
            response = try client.fetch(request, at: address).result.get()
        } catch {
            if error.isNotHTTP || error.isEmpty {
                printMessage(
                    "waymark: error: \(address) answers, but not with HTTP; is it the admin listener?"
                )
                throw ExitCode.no
            }
            let fact = error.kind == .timeout ? " within \(answerSeconds) s" : ": \(error.text)"
            printMessage("waymark: error: \(address) does not answer\(fact)")
            throw ExitCode.unreachable
        }
        // The lines after the response's head are the checks that failed.
        let isReady = response.status == 200
        let checks = isReady ? [] : response.bytes.split(separator: UInt8(ascii: "\n"))
        try printOutput(
            .lines(
                ["HTTP/1.1 \(response.status) \(response.head.reason)"]
                    + checks.map { String(decoding: $0, as: UTF8.self) }))
        if !isReady { throw ExitCode.no }
    }
}

/// The time in which a response must come.
private let answerSeconds = 3
