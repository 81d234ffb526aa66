import ArgumentParser
import Associations
import Origin
import SiteConfiguration
import Sockets
import TLS

/// An origin that answers without a connection, by the code of the one that serves.
final class PredictedOrigin {
    let snapshot: Snapshot
    private var predictor: Predictor

    /// - Throws: the exit status, once what is wrong has been said.
    init(_ environment: Environment) throws {
        do {
            snapshot = try Snapshot.build(
                environment, limits: OriginLimits(), ticketKeys: try TicketKeys(),
                now: Clock.unixSeconds)
            snapshot.prepareFiles()
        } catch let error as SnapshotError {
            for diagnostic in error.diagnostics { printMessage(diagnostic) }
            throw ExitCode.configurationInvalid
        }
        predictor = Predictor(snapshot, now: Clock.unixSeconds)
    }

    /// What a client gets for the URL.
    /// - Parameter acceptEncoding: codings that it takes besides none.
    func get(
        _ url: LinkURL, userAgent: String, acceptEncoding: String? = nil
    ) -> HTTPResponse {
        let port = url.port.map { ":\($0)" } ?? ""
        // Browsers send the full stop that ends a host.
        let stop = url.host.utf8.last == UInt8(ascii: ".") ? "." : ""
        let host = "\(url.requestedHost)\(stop)\(port)"
        var request = "GET \(url.requested.target) HTTP/1.1\r\nHost: \(host)\r\n"
        if !userAgent.isEmpty { request += "User-Agent: \(userAgent)\r\n" }
        if let acceptEncoding { request += "Accept-Encoding: \(acceptEncoding)\r\n" }
        request += "\r\n"
        return HTTPResponse(
            predictor.answer(
                Array(request.utf8), isSecure: url.isSecure, now: Clock.unixSeconds))
    }
}
