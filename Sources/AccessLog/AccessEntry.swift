package import ClientAddress

/// One request and its answer, as a line of the access log tells them. Texts are places in the
/// loop's input, or in its notes, which hold what stands in no input.
package struct AccessEntry: Sendable {
    /// In the notes: the request id.
    package var identifier = 0..<0
    /// In the input: the value of `traceparent`, when it is one.
    package var traceParent: Range<Int>?
    /// The client's address, and the peer's: a proxy's, where there is a trusted one.
    package var client = IPAddress(high: 0, low: 0)
    package var peer = IPAddress(high: 0, low: 0)

    // In the input; empty for a malformed request.
    package var requestLine = 0..<0
    package var method = 0..<0
    package var path = 0..<0
    package var host = 0..<0
    package var userAgent: Range<Int>?
    package var referer: Range<Int>?
    package var isHTTP10 = false
    /// What the connection's handshake agreed on.
    package var handshake = HandshakeNote.none

    /// What is wrong with a malformed request.
    package var fault: StaticString?
    package var route: StaticString = "none"
    package var platform: StaticString?
    package var clientClass: StaticString?
    /// In the notes: the name of the link that claimed the request.
    package var link = 0..<0

    /// An entry of which nothing is known.
    package init() {}
}

/// What is known once the answer was sent whole, or was cut off.
package struct AccessResult: BitwiseCopyable, Sendable {
    package let status: Int
    /// Of the content; the head is not counted.
    package var bytes: Int
    /// From the request's first byte.
    package let microseconds: Int
    /// What became of the request.
    package let outcome: StaticString

    package init(status: Int, bytes: Int, microseconds: Int, outcome: StaticString) {
        self.status = status
        self.bytes = bytes
        self.microseconds = microseconds
        self.outcome = outcome
    }
}

/// What all lines of one snapshot have in common.
package struct AccessContext: Sendable {
    package let format: AccessFormat
    package let isAnonymized: Bool
    /// Members of JSON that are the same in every line.
    let constants: [UInt8]

    /// That of no configuration.
    package init() { self.init(.json, isAnonymized: false, environment: "", generation: 0) }

    /// - Parameter generation: how many configurations were served so far, this one included.
    package init(
        _ format: AccessFormat, isAnonymized: Bool, environment: String, generation: Int
    ) {
        self.format = format
        self.isAnonymized = isAnonymized
        constants = Array("\",\"env\":\"\(environment)\",\"config_gen\":\(generation)}\n".utf8)
    }
}

/// How a line is written.
package enum AccessFormat: String, Hashable, BitwiseCopyable, Sendable, CaseIterable {
    /// An object of JSON in each line.
    case json
    /// nginx's and Apache's "combined".
    case combined
}
