import ArgumentParser
import Diagnostics
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
        let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        let answer: [UInt8]
        do {
            answer = try sendAndReceive(
                Array(request.utf8), to: address, seconds: answerSeconds, bytesMax: 65536)
        } catch {
            let fact = error.isTimeOver ? " within \(answerSeconds) s" : ": \(error)"
            printMessage("waymark: error: \(address) does not answer\(fact)")
            throw ExitCode.unreachable
        }
        let line = String(
            decoding: answer.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        guard line.utf8.starts(with: "HTTP/".utf8) else {
            printMessage(
                "waymark: error: \(address) answers, but not with HTTP; is it the admin listener?")
            throw ExitCode.no
        }
        let isReady = line.utf8.starts(with: "HTTP/1.1 200".utf8)
        try printOutput(.lines([line] + (isReady ? [] : content(of: answer))))
        if !isReady { throw ExitCode.no }
    }

    /// The lines after the response's head: the checks that failed.
    private func content(of answer: [UInt8]) -> [String] {
        HTTPResponse(answer).body.split(separator: UInt8(ascii: "\n"))
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

/// How long to wait for a response.
private let answerSeconds = 3
