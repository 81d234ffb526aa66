/// A request without content, or with all of its content.
package struct FetchRequest: Hashable, Sendable {
    package var method = "GET"
    package var isSecure: Bool
    /// In lower case, without a port.
    package var host: String
    package var port: UInt16
    /// The path and the query, as they are sent.
    package var target: String
    /// Besides Host and Connection.
    package var fields: [String]
    /// Empty for methods that have none.
    package var content = [UInt8]()

    package init(
        isSecure: Bool = true, host: String, port: UInt16? = nil, target: String,
        fields: [String] = []
    ) {
        self.isSecure = isSecure
        self.host = host
        self.port = port ?? (isSecure ? 443 : 80)
        self.target = target
        self.fields = fields
    }

    /// Its URL.
    package var url: String { "\(isSecure ? "https" : "http")://\(authority)\(target)" }

    private var authority: String { port == (isSecure ? 443 : 80) ? host : "\(host):\(port)" }

    /// The request line and the field section (RFC 9112 §2.1).
    /// - Parameter isLast: whether it asks for the end of the connection after the response.
    package func head(isLast: Bool = true) -> [UInt8] {
        let own = ["Host: \(authority)"] + (isLast ? ["Connection: close"] : [])
        return Self.head("\(method) \(target) HTTP/1.1", own + fields)
    }

    /// The head and all of the content.
    var bytes: [UInt8] {
        guard method == "POST" || !content.isEmpty else { return head() }
        return adding("Content-Length: \(content.count)").head() + content
    }

    /// The head of a request whose content comes in chunks (RFC 9112 §7.1).
    var chunkedHead: [UInt8] { adding("Transfer-Encoding: chunked").head() }

    /// The request that asks a proxy for a connection (RFC 9110 §9.3.6).
    var connectBytes: [UInt8] {
        Self.head("CONNECT \(host):\(port) HTTP/1.1", ["Host: \(host):\(port)"])
    }

    private func adding(_ field: String) -> FetchRequest {
        var request = self
        request.fields.append(field)
        return request
    }

    private static func head(_ line: String, _ fields: [String]) -> [UInt8] {
        Array((([line] + fields).map { $0 + "\r\n" }.joined() + "\r\n").utf8)
    }
}
