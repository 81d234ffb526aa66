import AccessLog
import Foundation
import Testing

@Suite("The access log in JSON")
struct JSONLineTests {
    @Test func `a line has these members, in this order`() {
        let request = LoggedRequest(referer: "https://user@ref.example:8443/x?y", tls: true)
        #expect(
            request.line(.json) == #"{"ts":"2026-11-21T12:32:01.045Z","level":"info","#
                + #""msg":"request","request_id":"1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1e","#
                + #""client_ip":"192.0.2.177","#
                + #""peer_ip":"192.0.2.177","method":"GET","host":"www.example.com","path":"/a","#
                + #""proto":"HTTP/1.1","status":200,"bytes":374,"duration_ms":1.203,"#
                + #""outcome":"aasa","#
                + #""tls":{"version":"TLSv1.3","cipher":"TLS_AES_128_GCM_SHA256","#
                + #""group":"x25519","resumed":false,"sni":"www.example.com"},"#
                + #""user_agent":"curl/8.11.0","referer_host":"ref.example","route":"aasa","#
                + #""env":"prod","config_gen":3}"# + "\n")
    }

    @Test(
        "of several sites, a line names the one that answered",
        arguments: [
            (1, #","route":"aasa","site":"news","env":"prod""#, #" "curl/8.11.0" "news""#),
            (nil, #","route":"aasa","env":"prod""#, #" "curl/8.11.0" "-""#),
        ] as [(Int?, String, String)])
    func sites(_ site: Int?, _ json: String, _ combined: String) {
        let request = LoggedRequest(sites: ["shop", "news"], site: site)
        #expect(request.line(.json).contains(json))
        #expect(request.line(.combined).hasSuffix(combined + "\n"))
        #expect(request.keptLine(.combined) == request.line(.combined))
        #expect(LoggedRequest().line(.combined).hasSuffix(" \"curl/8.11.0\"\n"))
    }

    @Test func `a line that was kept is the same line`() {
        let request = LoggedRequest(tls: true)
        #expect(request.keptLine(.json) == request.line(.json))
    }

    @Test func `an answer that was cut off says so, and how much of it there was`() {
        let request = LoggedRequest(tls: true)
        let whole = #""bytes":374,"duration_ms":1.203,"outcome":"aasa","tls""#
        let cut = #""bytes":5,"duration_ms":1.203,"outcome":"aasa","aborted":"reset","tls""#
        #expect(request.line(.json).contains(whole))
        #expect(
            request.abortedLine(.json) == request.line(.json).replacing(whole, with: cut))
    }

    @Test func `what is not known is left out`() throws {
        let object = try LoggedRequest(target: "\u{16}\u{3}\u{1}", isReadable: false).object()
        #expect(
            Set(object.keys) == [
                "ts", "level", "msg", "request_id", "client_ip", "peer_ip", "status", "bytes",
                "duration_ms", "route", "outcome", "env", "config_gen",
            ])
    }

    static let texts: [(sent: [UInt8], read: String)] = [
        (Array("a\"b\\c".utf8), "a\"b\\c"), (Array("tab\there".utf8), "tab\there"),
        (Array("Grüße 日本 🧵".utf8), "Grüße 日本 🧵"), ([0x61, 0xFF, 0x62], "a\u{FFFD}b"),
        ([0xC3], "\u{FFFD}"), ([0xC0, 0x80], "\u{FFFD}\u{FFFD}"),
        ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"), ([0xC2, 0x9B, 0x31], "\u{9B}1"),
        ([0xF4, 0x90, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"), ([], ""),
        (
            Array("a\u{2027}\u{2028}\u{2029}\u{202E}\u{202F}".utf8),
            "a\u{2027}\u{2028}\u{2029}\u{202E}\u{202F}"
        ),
        (
            Array("\u{200D}\u{200E}\u{2065}\u{2066}\u{2069}\u{206A}".utf8),
            "\u{200D}\u{200E}\u{2065}\u{2066}\u{2069}\u{206A}"
        ),
        (Array("\u{61C}\u{E0001}".utf8), "\u{61C}\u{E0001}"),
    ]

    @Test("a text comes back as it was sent, or as far as it is UTF-8", arguments: texts)
    func text(_ sent: [UInt8], _ read: String) throws {
        let request = LoggedRequest(userAgent: sent)
        let line = request.line(.json)
        let raw: Set<UInt32> = [0x9B, 0x61C, 0x200E, 0x2028, 0x2029, 0x202E, 0x2066, 0x2069]
        #expect(
            !line.dropLast().unicodeScalars.contains { $0.value < 0x20 || raw.contains($0.value) })
        #expect(try request.object()["user_agent"] as? String == read)
    }

    @Test(
        "of a referring page the host is told",
        arguments: [
            ("https://a.example/x", "a.example"), ("http://a.example:80", "a.example"),
            ("https://[2001:db8::1]:443/", "[2001:db8::1]"), ("android-app://com.app", "com.app"),
            ("https://u:p@a.example?q", "a.example"), ("about:blank", nil), ("", nil),
            ("//a.example", nil), ("https:///", nil), ("https://", nil), ("x", nil),
        ] as [(String, String?)])
    func referer(_ sent: String, _ host: String?) throws {
        #expect(try LoggedRequest(referer: sent).object()["referer_host"] as? String == host)
    }

    @Test func `addresses are cut to their networks, but for a proxy's`() throws {
        let direct = try LoggedRequest(client: "2001:db8:1:2::3", isAnonymized: true).object()
        #expect(direct["client_ip"] as? String == "2001:db8:1::")
        #expect(direct["peer_ip"] as? String == "2001:db8:1::")
        let proxied = try LoggedRequest(peer: "10.0.0.7", isAnonymized: true).object()
        #expect(proxied["client_ip"] as? String == "192.0.2.0")
        #expect(proxied["peer_ip"] as? String == "10.0.0.7")
    }

    @Test func `a trace is told by its identifiers`() throws {
        let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        let object = try LoggedRequest(traceParent: parent).object()
        #expect(object["trace_id"] as? String == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(object["span_id"] as? String == "00f067aa0ba902b7")
    }
}

extension LoggedRequest {
    fileprivate func object() throws -> [String: Any] {
        let parsed = try JSONSerialization.jsonObject(with: Data(line(.json).utf8))
        return try #require(parsed as? [String: Any])
    }
}
