import AccessLog
import Testing

@Suite("The access log as nginx's combined")
struct CombinedLineTests {
    @Test func `a line is nginx's`() {
        let request = LoggedRequest(referer: "https://ref.example/x?y")
        #expect(
            request.line(.combined) == #"192.0.2.177 - - [21/Nov/2026:12:32:01 +0000] "#
                + #""GET /a?b=c HTTP/1.1" 200 374 "https://ref.example/x?y" "curl/8.11.0""# + "\n")
        #expect(request.keptLine(.combined) == request.line(.combined))
    }

    @Test func `of an answer that was cut off, the bytes are fewer`() {
        let request = LoggedRequest()
        #expect(
            request.abortedLine(.combined)
                == request.line(.combined).replacing(" 200 374 ", with: " 200 5 "))
    }

    @Test func `what was not sent is a hyphen, and what was sent empty is empty`() {
        #expect(LoggedRequest(userAgent: nil).line(.combined).hasSuffix(#" 374 "-" "-""# + "\n"))
        #expect(LoggedRequest(userAgent: []).line(.combined).hasSuffix(#" 374 "-" """# + "\n"))
        let nothing = LoggedRequest(target: "", isReadable: false).line(.combined)
        #expect(nothing.contains(#"] "-" 200 "#))
    }

    @Test(
        "bytes that could be misread are written in hexadecimal",
        arguments: [
            ("a\"b\\c", #"a\x22b\x5Cc"#), ("\u{1}\t\u{1F} ~", #"\x01\x09\x1F ~"#),
            ("\u{7F}é", #"\x7F\xC3\xA9"#),
        ])
    func escapes(_ sent: String, _ written: String) {
        let line = LoggedRequest(userAgent: Array(sent.utf8)).line(.combined)
        #expect(line.hasSuffix("\"\(written)\"\n"))
    }

    @Test func `what is no request is told as it came`() {
        let line = LoggedRequest(target: "\u{16}\u{3}\u{1}x", isReadable: false).line(.combined)
        #expect(line.contains(#"] "\x16\x03\x01x" 200 374 "-" "-""#))
    }

    @Test(
        "a query that can have a token is left out",
        arguments: [
            ("/v1/shortLinks?key=secret", "GET /v1/shortLinks HTTP/1.1"),
            ("/v1/x?key=secret with?spaces", "GET /v1/x HTTP/1.1"),
            (
                "https://api.example.com/v1/x?a&key=secret",
                "GET https://api.example.com/v1/x HTTP/1.1"
            ),
            ("/v1/links", "GET /v1/links HTTP/1.1"), ("/v1?key=x", "GET /v1?key=x HTTP/1.1"),
            ("/s/v1/?key=x", "GET /s/v1/?key=x HTTP/1.1"), ("*", "GET * HTTP/1.1"),
        ])
    func tokens(_ target: String, _ written: String) {
        let line = LoggedRequest(target: target).line(.combined)
        #expect(line.contains("] \"\(written)\" 200"), "\(line)")
        let cut = LoggedRequest(target: "GET \(target)", isReadable: false).line(.combined)
        #expect(!cut.contains("secret"), "\(cut)")
    }

    @Test func `addresses are cut to their networks`() {
        let line = LoggedRequest(isAnonymized: true).line(.combined)
        #expect(line.hasPrefix("192.0.2.0 - - ["))
    }
}
