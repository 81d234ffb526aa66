import TestSupport
import ClientAddress
import Origin
import SiteConfiguration
import Testing

/// A request with content is answered when all of it has come. By then its loop has read other
/// requests into the same buffer, and there may be another snapshot.
@Suite("Content that comes late")
struct LateContentTests {
    private static let overHTTPS = "X-Forwarded-Proto: https\r\n"
    private static let association = "GET /apple-app-site-association HTTP/1.1\r\n"

    @Test("is none of a log's that began after its head", arguments: ["late", "long"])
    func log(_ kind: String) throws {
        let log = TestLog(.json)
        var site = TestSite()
        site.proxies.trusted = AddressBlock.privateBlocks
        site.proxies.header = .forwardedFor
        site.accessLog.form = .off
        let origin = try TestOrigin(
            { given, directory in
                given = site
                try directory.makeDirectory("Public")
                try directory.write("Public/long.bin", [UInt8](repeating: 7, count: 16 << 20))
            }, log: log, hasAdmin: false)
        site.accessLog.form = .json
        let next = try TestOrigin.snapshot(site, origin.directory)
        let client = try TestClient(port: origin.httpPort, receiveBytes: 8192)
        let isLate = kind == "late"
        client.send(
            "GET /\(isLate ? "page.html" : "long.bin") HTTP/1.1\r\nHost: localhost\r\n"
                + "\(Self.overHTTPS)\(isLate ? "Content-Length: 2\r\n\r\n1" : "\r\n")")
        let other = try TestClient(port: origin.httpPort)
        for _ in 1...2 {
            other.send("\(Self.association)Host: localhost\r\n\r\n")
            #expect(try other.readResponse().status == 200)
            origin.server.publish(next)
        }
        if isLate { client.send("2") }
        #expect(try client.readResponse().status == 200)
        client.send("\(Self.association)Host: localhost\r\n\r\n")
        #expect(try client.readResponse().status == 200)
        for each in [client, other] { each.finishSending() }
        try log.finish(origin)
        let paths = try log.objects(origin).map { $0["path"] as? String }
        #expect(paths == ["/apple-app-site-association", "/apple-app-site-association"])
    }

    /// Without a log and metrics only the answer tells what the request is called.
    @Test(
        "changes nothing about the answer",
        arguments: [
            ("/apple-app-site-association", "", 200),
            ("/page.html", overHTTPS, 200),
            ("/page.html", overHTTPS + "Accept-Encoding: gzip\r\n", 200),
            ("/page.html", overHTTPS + "If-None-Match: *\r\n", 304),
            ("/page.html", overHTTPS + "Range: bytes=5-9\r\n", 206),
            ("/page.html", overHTTPS + "Range: bytes=0-1,500-501\r\n", 206),
            ("/page.html", overHTTPS + "Range: bytes=9999-\r\n", 416),
            ("/long.bin", overHTTPS, 200),
            ("/long.bin", overHTTPS + "Range: bytes=1-99999\r\n", 206),
            ("/nowhere", overHTTPS, 404),
            ("/%00", overHTTPS, 400),
            ("/page.html?of=mine", "", 308),
            ("/[|]?{of}=mine", "", 308),
            ("http://www.example.com:8080?of=mine", "", 308),
        ])
    func late(_ target: String, _ fields: String, _ status: Int) throws {
        var site = TestSite()
        site.proxies.trusted = AddressBlock.privateBlocks
        site.proxies.header = .forwardedFor
        let next = try TestOrigin.snapshot(site, TemporaryDirectory())
        site.files["long.bin"] = String(repeating: "long", count: 50_000)
        site.aasa = #"{"applinks":{"details":[],"defaults":{}}}"#
        let origin = try TestOrigin({ given, _ in given = site }, hasAdmin: false)
        let head =
            "GET \(target) HTTP/1.1\r\nHost: localhost:8080\r\nX-Request-ID: mine\r\n\(fields)"
        let client = try TestClient(port: origin.httpPort)
        client.send("\(head)\r\n")
        let expected = try client.readResponse()
        #expect(expected.status == status)
        client.send("\(head)Content-Length: 2\r\n\r\n1")
        let other = try TestClient(port: origin.httpPort)
        for _ in 1...2 {
            other.send("GET /secret/of/another HTTP/1.1\r\nHost: www.example.com\r\n\r\n")
            #expect(try other.readResponse().status == 308)
            origin.server.publish(next)
        }
        client.send("2")
        let answer = try client.readResponse()
        #expect(answer.status == status && answer.body == expected.body)
        #expect(
            answer.fields.filter { $0.key != "date" } == expected.fields.filter { $0.key != "date" }
        )
        // What comes next is answered from the new snapshot.
        client.send("\(Self.association)Host: localhost\r\n\r\n")
        #expect(try client.readResponse().body == #"{"applinks":{"details":[]}}"#)
    }
}
