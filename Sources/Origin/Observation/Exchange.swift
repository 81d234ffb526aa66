import ClientAddress
import HTTPMessages

/// What the access log and the metrics will record of the current request.
struct Exchange: Sendable {
    /// Nil for a malformed request.
    var head: RequestHead?
    /// Where in the input a malformed request begins.
    var start = 0
    var route = Route.none
    var outcome = Outcome.none
    /// What is wrong with it, where it is refused for that.
    var fault: MessageError.Kind?
    /// The name of the link that claimed it, in the log's notes.
    var link = 0..<0
    /// The client's address.
    var client = IPAddress(high: 0, low: 0)
    /// Its request id, in the log's notes; empty where it is neither logged nor sent.
    var identifier = 0..<0
    /// Whether the response carries it (X-Request-ID): to trusted proxies only, so that everybody
    /// else gets the bytes that `explain` shows.
    var saysIdentifier = false
    /// The value of `traceparent`, in the input, when it is one.
    var traceParent: Range<Int>?
}
