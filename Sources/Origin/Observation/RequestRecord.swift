import Answering
import ClientAddress
import HTTPMessages

/// The request at hand, and everything that log, counters and visits tell of it. It is not copied:
/// each request would pay for that.
struct RequestRecord: ~Copyable {
    /// Nil for a malformed request.
    private(set) var head: RequestHead?
    /// The position in the input at which a malformed request begins.
    private(set) var start = 0
    /// The classification of the request, decided with its answer.
    var summary = RequestSummary()
    /// The key of the link that claimed it, in the line's notes.
    var link = 0..<0
    /// The client's address.
    var client = IPAddress(high: 0, low: 0)
    /// Whether a trusted proxy sends the request.
    var isByProxy = false
    /// Its request id, in the line's notes; empty where it is neither logged nor sent.
    var identifier = 0..<0
    /// The value of `traceparent`, in the input, when it is one.
    var traceParent: Range<Int>?

    /// Begins with a head that was read.
    @inline(__always)
    mutating func begin(_ head: RequestHead, from client: IPAddress) {
        self.head = head
        (self.client, link, identifier, traceParent) = (client, 0..<0, 0..<0, nil)
        isByProxy = false
    }

    /// Begins with a request whose head could not be read.
    mutating func begin(malformedAt start: Int, _ summary: RequestSummary, from client: IPAddress) {
        (head, self.start, self.summary, self.client) = (nil, start, summary, client)
        (link, identifier, traceParent) = (0..<0, 0..<0, nil)
    }
}
