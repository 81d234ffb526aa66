package import ClientAddress
import Memory

/// One request and its response, for a line of the access log. Texts are ranges of the loop's
/// input, or of its notes, which hold texts that are not in the input.
package struct AccessEntry: Sendable {
    /// In the notes: the request id.
    package var identifier = 0..<0
    /// In the input: the value of `traceparent`, if it is valid.
    package var traceParent: Range<Int>?
    /// The client's address, and the peer's, which can be a trusted proxy's.
    package var client = IPAddress(high: 0, low: 0)
    package var peer = IPAddress(high: 0, low: 0)

    // In the input; empty for a malformed request.
    package var requestLine = 0..<0
    package var method = 0..<0
    package var path = 0..<0
    package var host = 0..<0
    /// The path and the query.
    package var target = 0..<0
    package var userAgent: Range<Int>?
    package var referer: Range<Int>?
    package var isHTTP10 = false
    /// The parameters of the connection's handshake.
    package var handshake = HandshakeNote.none

    /// `/console`, the first octet lowest.
    private static var console: UInt64 { 0x656C_6F73_6E6F_632F }

    private static let signIn = Array("/console/sign-in/".utf8)

    private static let provider = Array("/console/openid".utf8)

    private static let framedPage = Array("/console/page".utf8)

    /// Leaves out the secret that the path of a sign-in link ends with, the query with which a provider sends a browser
    /// back, which has a code, and the query of a frame in the console, which has the link that somebody types.
    /// - Parameter text: the input.
    package mutating func hideSecret(_ text: [UInt8]) {
        guard path.count > 8, text.span.octets(at: path.lowerBound) == Self.console else { return }
        if text[path].elementsEqual(Self.provider) || text[path].elementsEqual(Self.framedPage) {
            target = path
            requestLine = requestLine.lowerBound..<path.upperBound
            return
        }
        guard text[path].starts(with: Self.signIn) else { return }
        let end = path.lowerBound + Self.signIn.count
        (path, target) = (path.lowerBound..<end, path.lowerBound..<end)
        requestLine = requestLine.lowerBound..<end
    }

    /// The fault of a malformed request.
    package var fault: StaticString?
    package var route: StaticString = "none"
    package var platform: StaticString?
    package var clientClass: StaticString?
    /// In the notes: the name of the link that matched.
    package var link = 0..<0
    /// The index of the site that answered, among those of the context; nil for none of several.
    package var site: Int? = 0

    /// An empty entry.
    package init() {}
}

/// The facts that are known after the response was sent or aborted.
package struct AccessResult: BitwiseCopyable, Sendable {
    package let status: Int
    /// The bytes of content, without the head.
    package var bytes: Int
    /// The time from the request's first byte.
    package let microseconds: Int
    /// The outcome of the request.
    package let outcome: StaticString

    package init(status: Int, bytes: Int, microseconds: Int, outcome: StaticString) {
        self.status = status
        self.bytes = bytes
        self.microseconds = microseconds
        self.outcome = outcome
    }
}

/// The parts that all lines of one snapshot have in common.
package struct AccessContext: Sendable {
    package let format: AccessFormat
    package let isAnonymized: Bool
    /// Members of JSON with the same value in every line.
    let constants: [UInt8]
    /// The names of several sites, one after the other, and the range of each.
    let siteNames: [UInt8]
    let sites: [Range<Int>]
    /// The names of the campaign parameters that are logged, likewise.
    let campaignNames: [UInt8]
    let campaigns: [Range<Int>]

    /// The context of no configuration.
    package init() { self.init(.json, isAnonymized: false, environment: "", generation: 0) }

    /// - Parameters:
    ///   - generation: the number of configurations that were served so far, including this one.
    ///   - sites: the names of several sites, in the order of their indexes.
    ///   - campaigns: the names of the query items that are logged, such as `utm_source`.
    package init(
        _ format: AccessFormat, isAnonymized: Bool, environment: String, generation: Int,
        sites: [String] = [], campaigns: [String] = []
    ) {
        self.format = format
        self.isAnonymized = isAnonymized
        constants = Array("\",\"env\":\"\(environment)\",\"config_gen\":\(generation)}\n".utf8)
        (siteNames, self.sites) = Self.joined(sites)
        (campaignNames, self.campaigns) = Self.joined(campaigns)
    }

    /// Texts one after the other, and the range of each.
    private static func joined(_ names: [String]) -> ([UInt8], [Range<Int>]) {
        var bytes = [UInt8]()
        let ranges = names.map { name in
            bytes += name.utf8
            return bytes.count - name.utf8.count..<bytes.count
        }
        return (bytes, ranges)
    }
}

/// The format of a line.
package enum AccessFormat: String, Hashable, BitwiseCopyable, Sendable, CaseIterable {
    /// An object of JSON in each line.
    case json
    /// nginx's and Apache's "combined".
    case combined
}
