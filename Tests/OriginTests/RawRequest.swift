/// Bytes that a client sends over plain HTTP, and what it must get for them.
struct RawRequest: CustomStringConvertible, Sendable {
    let text: String
    /// A response for each request, in order.
    let statuses: [Int]
    /// Whether the connection must be at its end then; otherwise it must answer the next request.
    let closes: Bool
    let isHead: Bool

    private init(_ text: String, _ statuses: [Int], closes: Bool, isHead: Bool = false) {
        (self.text, self.statuses) = (text, statuses)
        (self.closes, self.isHead) = (closes, isHead)
    }

    /// Answered, and the connection goes on.
    static func stays(_ text: String, _ statuses: Int..., isHead: Bool = false) -> RawRequest {
        .init(text, statuses, closes: false, isHead: isHead)
    }

    /// Answered, and the connection ends.
    static func closes(_ text: String, _ statuses: Int..., isHead: Bool = false) -> RawRequest {
        .init(text, statuses, closes: true, isHead: isHead)
    }

    var description: String { "\(statuses): \(text.prefix(200).debugDescription)" }

    static let path = "/apple-app-site-association"
    static let line = "GET \(path) HTTP/1.1\r\n"
    static let host = "Host: localhost\r\n"

    /// A GET of the association file with these field lines.
    static func get(_ fields: String...) -> String {
        line + host + fields.map { "\($0)\r\n" }.joined() + "\r\n"
    }

    /// A POST with these field lines, and what follows its head.
    static func post(_ fields: [String], _ content: String = "") -> String {
        "POST / HTTP/1.1\r\n\(host)\(fields.map { "\($0)\r\n" }.joined())\r\n\(content)"
    }

    /// The same with a chunked body.
    static func chunked(_ content: String) -> String {
        post(["Transfer-Encoding: chunked"], content)
    }

    static let all = lines + fields + hosts + framing + content + semantics
}
