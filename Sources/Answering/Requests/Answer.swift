import Diagnostics
package import HTTPMessages
package import SiteConfiguration

/// The response to a request, decided before a byte of it is written.
package enum Answer: Sendable {
    /// A prepared head, and a body unless the request was a HEAD.
    case prepared(PreparedHead, body: Range<Int>?)
    /// A public file, a part of it or several, or 304 in its place.
    case file(FileAnswer)
    /// 416, for a resource with this number of bytes.
    case noPart(of: Int)
    /// 308 to https; the ranges are ranges of what the head was read from.
    case redirect(host: Range<Int>, port: UInt16?, target: Range<Int>)
    /// 308 to this URL.
    case moved([UInt8])
    /// A redirect to a URL that the configuration names, for this visitor.
    case found([UInt8], RedirectStatus)
    /// The same to a URL among the site's bytes; its segment is a range of what the head was read from.
    case fixed(PreparedURL, RedirectStatus)
    /// Content that was generated for this request.
    case document(Document, isHead: Bool)
    /// 304 in place of it.
    case unchanged(Document)
    case status(Status, isHead: Bool)
    /// Something has to be asked for first; the answer comes of what is found.
    case later(Inquiry, isHead: Bool)

    /// The bytes that were made for it alone, and that it holds while it waits.
    package var heldBytes: Int {
        switch self {
        case .document(let document, _): document.body.capacity
        case .moved(let location), .found(let location, _): location.capacity
        case .prepared, .file, .noPart, .redirect, .fixed, .unchanged, .status, .later: 0
        }
    }
}

/// The source of an awaited answer: a file that a loop looks for at once, or a handler.
package enum Inquiry: Sendable {
    /// The file of an ACME challenge, by its token (RFC 8555 §8.3).
    case challenge(token: String)
    /// An answer from another thread.
    case handled(HandledRequest)
}

/// Generated content, and what its response says about it.
package struct Document: Sendable {
    package let status: Status
    package let type: String
    package let body: [UInt8]
    /// Field lines with their ends: those that a 304 repeats for caches, and the others.
    package let cacheFields: [UInt8]
    package let fields: [UInt8]

    package init(
        status: Status = .ok, type: String, body: [UInt8], cacheFields: [UInt8] = [],
        fields: [UInt8] = []
    ) {
        (self.status, self.type, self.body) = (status, type, body)
        (self.cacheFields, self.fields) = (cacheFields, fields)
    }
}

extension Document {
    /// A refusal in the form that programs read (RFC 9457).
    /// - Parameter type: a URI reference; nil for one that says no more than the status.
    package static func problem(
        _ status: Status, _ detail: String, type: String? = nil
    ) -> Document {
        let problem = JSONText.object(
            (type.map { [(key: "type", value: JSONText.string($0))] } ?? []) + [
                ("title", .string("\(status.reason)")), ("status", .number(status.rawValue)),
                ("detail", .string(detail)),
            ])
        var fields = ["Cache-Control: no-store", "X-Content-Type-Options: nosniff"]
        if status == .serviceUnavailable { fields.append("Retry-After: 5") }
        return Document(
            status: status, type: "application/problem+json",
            body: Array("\(problem.compact)\n".utf8), fields: fieldLines(fields))
    }
}

/// The persistence of a connection, as a response states it.
package enum Ending: Sendable {
    case stays
    /// A client of HTTP/1.0 must be told (RFC 9112 §9.3).
    case staysForHTTP10
    case closes
}
