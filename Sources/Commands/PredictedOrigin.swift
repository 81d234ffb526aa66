import Answering
import ArgumentParser
import Associations
import LinkIndex
import Origin
import SiteConfiguration
import Sockets
import TLS
import URISyntax

/// An origin that answers without a connection, with the code of `serve`.
final class PredictedOrigin {
    let snapshot: Snapshot
    private var predictor: Predictor

    /// - Parameter index: the stored links; nil if none are looked up.
    /// - Throws: the exit status, after printing the errors.
    init(_ environment: Environment, stored index: LinkIndex? = nil) throws {
        do {
            snapshot = try Snapshot.build(
                environment, limits: OriginLimits(), ticketKeys: try TicketKeys(),
                now: Clock.unixSeconds)
            for site in snapshot.sites.sites { site.prepareFiles() }
        } catch let error as BuildError {
            for diagnostic in error.diagnostics { printMessage(diagnostic) }
            throw ExitCode.configurationInvalid
        }
        predictor = snapshot.predictor(now: Clock.unixSeconds, stored: index)
    }

    /// Looks up stored links in this index from now on.
    func use(_ index: LinkIndex) { predictor.use(index) }

    /// The response to a client for the URL.
    /// - Parameters:
    ///   - acceptEncoding: the codings that the client accepts besides none.
    ///   - time: of the request; nil is now.
    func get(
        _ url: LinkURL, userAgent: String, acceptEncoding: String? = nil, at time: Timestamp? = nil
    ) -> HTTPResponse {
        // Browsers leave out the scheme's own port.
        let isDefault = url.port == (url.isSecure ? 443 : 80)
        let port = isDefault ? "" : url.port.map { ":\($0)" } ?? ""
        // Browsers send the trailing full stop of a host.
        let stop = url.host.utf8.last == UInt8(ascii: ".") ? "." : ""
        let host = "\(url.requestedHost)\(stop)\(port)"
        var request = "GET \(url.requested.target) HTTP/1.1\r\nHost: \(host)\r\n"
        if !userAgent.isEmpty { request += "User-Agent: \(userAgent)\r\n" }
        if let acceptEncoding { request += "Accept-Encoding: \(acceptEncoding)\r\n" }
        request += "\r\n"
        // An address is no server name (RFC 6066 §3).
        let isNamed = (try? HostName(url.requestedHost))?.isAddress == false
        return HTTPResponse(
            predictor.answer(
                Array(request.utf8), isSecure: url.isSecure,
                hasServerName: url.isSecure && isNamed,
                now: time?.seconds ?? Clock.unixSeconds))
    }
}
