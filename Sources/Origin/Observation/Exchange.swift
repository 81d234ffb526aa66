import ClientAddress
import HTTPMessages

/// The request at hand, as the log and the metrics will tell it when its answer is given.
struct Exchange: Sendable {
    /// Nil for a request that could not be read.
    var head: RequestHead?
    /// Where in the input a request begins that could not be read.
    var start = 0
    var route = Route.none
    var outcome = Outcome.none
    /// What is wrong with it, where it is refused for that.
    var fault: MessageError.Kind?
    /// The name of the link that claimed it, in the log's notes.
    var link = 0..<0
    /// Who asks.
    var client = IPAddress(high: 0, low: 0)
    /// What it is called, in the log's notes; empty where nobody will ask.
    var identifier = 0..<0
    /// Whether the answer says so: to trusted proxies, so that others get what `explain` shows.
    var saysIdentifier = false
    /// The value of `traceparent`, in the input, when it is one.
    var traceParent: Range<Int>?
}
