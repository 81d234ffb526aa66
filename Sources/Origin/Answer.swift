import HTTPMessages

/// What a request gets, decided before a byte of it is written.
enum Answer: Sendable {
    /// A head as it was prepared, and a body unless the request was a HEAD.
    case prepared(PreparedHead, body: Range<Int>?)
    /// A part of a resource's identity form (206); the body unless the request was a HEAD.
    case part(resource: Int, range: Range<Int>, isHead: Bool)
    /// Several parts of it.
    case parts(resource: Int, [Range<Int>])
    /// 416, of a resource that has so many bytes.
    case noPart(of: Int)
    /// 308 to https; places in the loop's input.
    case redirect(host: Range<Int>, port: UInt16?, target: Range<Int>)
    /// 308 to this URL.
    case moved([UInt8])
    /// 302 to a URL that the configuration names, for this visitor.
    case found([UInt8])
    /// A page that is written for this visitor.
    case document(Document, isHead: Bool)
    /// 304 in place of such a page.
    case unchanged(Document)
    /// The file of an ACME challenge.
    case challenge([UInt8], isHead: Bool)
    /// What the admin listener was asked for.
    case admin(AdminPage, isHead: Bool)
    case status(Status, isHead: Bool)
}

/// An answer that was decided before its request's content has come. By then the loop has read
/// other requests, and there may be another snapshot.
struct WaitingAnswer: Sendable {
    /// Never a `redirect`, whose ranges are places in the loop's input.
    let answer: Answer
    let ending: Ending
    /// The one that the answer's ranges are places in.
    let snapshot: Snapshot
}

/// A generated page, and what its response says of it.
struct Document: Sendable {
    let html: [UInt8]
    /// Field lines with their ends: those that a 304 repeats for caches, and the others.
    let cacheFields: [UInt8]
    let fields: [UInt8]
}

/// What an answer says about its connection.
enum Ending: Sendable {
    case stays
    /// A client of HTTP/1.0 must be told (RFC 9112 §9.3).
    case staysForHTTP10
    case closes
}
