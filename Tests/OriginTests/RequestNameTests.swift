import TestSupport
import Origin
import SiteConfiguration
import Testing

@Suite("What a request is called")
struct RequestNameTests {
    @Test func `the answer says what the log calls it; a trusted peer's name is kept`() throws {
        let log = TestLog(.json)
        let origin = try TestOrigin({ $0.proxies = proxies("private", nil) }, log: log)
        let client = try TestClient(port: origin.httpPort)
        let path = "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n"
        let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        var names = [String?]()
        for fields in [
            "", "X-Request-ID: a.B-1_\r\n", "X-Request-ID: a b\r\n",
            "X-Request-ID: a\r\nX-Request-ID: b\r\n", "traceparent: \(trace)\r\n",
            "X-Request-ID: later\r\nContent-Length: 1\r\n",
        ] {
            client.send("\(path)\(fields)\r\n")
            if fields.contains("Content-Length") { client.send("x") }
            names.append(try client.readResponse().fields["x-request-id"])
        }
        // What is no request has a name too.
        client.send("GET / HTTP/1.1\r\n\r\n")
        names.append(try client.readResponse().fields["x-request-id"])
        try log.finish(origin)
        let lines = try log.objects(origin)
        #expect(lines.map { $0["request_id"] as? String } == names)
        #expect(names[1] == "a.B-1_" && names[5] == "later")
        for index in [0, 2, 3, 4, 6] { #expect(names[index]?.utf8.count == 32) }
        #expect(Set(names).count == 7)
        #expect(lines[4]["trace_id"] as? String == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(lines[4]["span_id"] as? String == "00f067aa0ba902b7")
        #expect(lines[0]["trace_id"] == nil)
    }

    @Test(
        "a traceparent that the standard does not allow is not logged",
        arguments: [
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", true),
            ("01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00-later", true),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00-later", false),
            ("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", false),
            ("00-00000000000000000000000000000000-00f067aa0ba902b7-00", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-00", false),
        ])
    func traceParent(_ value: String, _ isLogged: Bool) throws {
        let log = TestLog(.json)
        let origin = try TestOrigin(log: log)
        let client = try TestClient(port: origin.httpPort)
        let head = "GET / HTTP/1.1\r\nHost: localhost\r\n"
        client.send("\(head)traceparent: \(value)\r\n\r\n")
        _ = try client.readResponse()
        // Two of them are none.
        client.send("\(head)traceparent: \(value)\r\ntraceparent: \(value)\r\n\r\n")
        _ = try client.readResponse()
        client.finishSending()
        try log.finish(origin)
        let lines = try log.objects(origin)
        #expect(lines.map { $0["trace_id"] != nil } == [isLogged, false])
    }

    @Test func `a name that nobody could look up is not said, and a stranger's never`() throws {
        let origin = try TestOrigin()
        let client = try TestClient(port: origin.httpPort)
        client.send("GET / HTTP/1.1\r\nHost: localhost\r\nX-Request-ID: a\r\n\r\n")
        #expect(try client.readResponse().fields["x-request-id"] == nil)
    }
}
