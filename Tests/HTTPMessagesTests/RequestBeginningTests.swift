import HTTPMessages
import Testing

@Suite("Whether a connection begins with a request")
struct RequestBeginningTests {
    static let known: [(String, Method)] = [
        ("GET", .get), ("HEAD", .head), ("OPTIONS", .options), ("POST", .post), ("PUT", .put),
        ("PATCH", .patch), ("DELETE", .delete), ("TRACE", .trace), ("CONNECT", .connect),
    ]

    @Test("a known method is one from its space on, and a part of one before", arguments: known)
    func methods(_ name: String, _ method: Method) {
        let bytes = Array("\0\(name) / HTTP/1.1\r\n".utf8)
        for end in 1...bytes.count {
            let beginning = RequestBeginning(bytes, 1..<end)
            #expect(beginning == (end > name.utf8.count + 1 ? .method(method) : .part), "\(end)")
        }
        for other in ["\(name)\t/", "\(name.lowercased()) /", "\(name)\r\n", "\(name)X /"] {
            #expect(RequestBeginning(Array(other.utf8), 0..<other.utf8.count) == .none, "\(other)")
        }
    }

    @Test(
        "what other protocols begin with is no request",
        arguments: [
            "\u{16}\u{3}\u{1}", "HELO friend", "SSH-2.0-OpenSSH_9.2 Debian", "PRI * HTTP/2.0",
            "PROXY TCP4 ", "\r\nGET / ", " GET / ", "GE\u{3}", "QUIT\r\n", "\0",
        ])
    func others(_ text: String) {
        #expect(RequestBeginning(Array(text.utf8), 0..<text.utf8.count) == .none)
    }
}
