import Answering
import ArgumentParser
import Associations
import HTTPClient
import LinkIndex
import Origin
import Services
import SiteConfiguration
import Snapshots
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
    ) -> FetchResponse {
        // Browsers send the trailing full stop of a host.
        let stop = url.host.utf8.last == UInt8(ascii: ".") ? "." : ""
        var fields = userAgent.isEmpty ? [] : ["User-Agent: \(userAgent)"]
        if let acceptEncoding { fields.append("Accept-Encoding: \(acceptEncoding)") }
        let request = FetchRequest(
            isSecure: url.isSecure, host: url.requestedHost + stop, port: url.port,
            target: url.requested.target, fields: fields)
        // An address is no server name (RFC 6066 §3).
        let isNamed = (try? HostName(url.requestedHost))?.isAddress == false
        return FetchResponse(
            predictor.answer(
                request.head(isLast: false), isSecure: url.isSecure,
                hasServerName: url.isSecure && isNamed,
                now: time?.seconds ?? Clock.unixSeconds))
    }
}
