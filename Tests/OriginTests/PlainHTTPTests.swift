import TestSupport
import Origin
import SiteConfiguration
import Foundation
import Testing

@Suite("Over plain HTTP")
struct PlainHTTPTests {
    @Test(
        "association files are answered, never redirected",
        arguments: ["/.well-known/apple-app-site-association", "/apple-app-site-association"])
    func association(_ path: String) throws {
        let origin = try TestOrigin()
        let client = try TestClient(port: origin.httpPort)
        client.send("GET \(path)?x=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let response = try client.readResponse()
        #expect(response.status == 200)
        #expect(response.fields["content-type"] == "application/json")
        #expect(response.body == #"{"applinks":{"details":[]}}"#)
        client.send("HEAD \(path) HTTP/1.1\r\nHost: LOCALHOST.:80\r\n\r\n")
        let head = try client.readResponse(isHead: true)
        #expect(head.status == 200)
        #expect(head.body.isEmpty)
        #expect(head.fields["content-length"] == "27")
        let tag = try #require(response.fields["etag"])
        client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: \(tag)\r\n\r\n")
        #expect(try client.readResponse().status == 304)
    }

    @Test func `everything else is sent to https, to the port that the client came near`() throws {
        let origin = try TestOrigin()
        let client = try TestClient(port: origin.httpPort)
        client.send("GET /a%20b?c=d HTTP/1.1\r\nHost: localhost:\(origin.httpPort)\r\n\r\n")
        let direct = try client.readResponse()
        #expect(direct.status == 308)
        #expect(direct.fields["location"] == "https://localhost:\(origin.httpsPort)/a%20b?c=d")
        client.send("GET / HTTP/1.1\r\nHost: www.example.com\r\n\r\n")
        #expect(try client.readResponse().fields["location"] == "https://www.example.com/")
    }

    @Test(
        "what no URL may hold is escaped in the one that it is sent to",
        arguments: [
            ("/a%20b?c=[d]&e", "/a%20b?c=%5Bd%5D&e"), ("/a[b]^|", "/a%5Bb%5D%5E%7C"),
            ("/?{^`}\\", "/?%7B%5E%60%7D%5C"), ("/?a=%&b=%2&c=%2g", "/?a=%25&b=%252&c=%252g"),
            ("/?%4", "/?%254"), ("/?%41", "/?%41"),
        ])
    func escapes(_ target: String, _ expected: String) throws {
        let origin = try TestOrigin()
        let client = try TestClient(port: origin.httpPort)
        client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let answer = try client.readResponse()
        #expect(answer.fields["location"] == "https://localhost\(expected)")
    }

    @Test func `as many as can be escaped are, and one more is too long`() throws {
        let origin = try TestOrigin { $0.limits[.targetBytes] = 16_384 }
        for (count, status) in [(8192, 308), (8193, 414)] {
            let client = try TestClient(port: origin.httpPort)
            let target = "/" + String(repeating: "|", count: count)
            client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try client.readResponse().status == status)
        }
    }

    @Test func `an unknown host is not found, and nothing is redirected to it`() throws {
        let origin = try TestOrigin()
        let client = try TestClient(port: origin.httpPort)
        client.send("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        #expect(try client.readResponse().status == 404)
        client.send("GET /apple-app-site-association HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        #expect(try client.readResponse().status == 404)
    }

    @Test func `a request split at every byte gets the same answer`() throws {
        let origin = try TestOrigin()
        let request = Array(
            "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\nX: y\r\n\r\n".utf8)
        for split in 1..<request.count {
            let client = try TestClient(port: origin.httpPort)
            client.send(Array(request[..<split]))
            client.send(Array(request[split...]))
            #expect(try client.readResponse().body == #"{"applinks":{"details":[]}}"#)
        }
    }

    @Test func `pipelined requests are answered in order, content between them thrown away`() throws
    {
        let origin = try TestOrigin()
        let client = try TestClient(port: origin.httpPort)
        client.send(
            "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n"
                + "\r\nabcHEAD /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n"
                + "GET /a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3;x=y\r\nabc\r\n0\r\nT: v\r\n\r\n"
                + "POST /b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx"
                + "BREW /c HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(try client.readResponse().status == 200)
        #expect(try client.readResponse(isHead: true).status == 200)
        #expect(try client.readResponse().status == 308)
        #expect(try client.readResponse().status == 405)
        #expect(try client.readResponse().status == 501)
        #expect(client.isClosed())
    }

    @Test func `a client that waits before sending content is told to go on, or turned away`()
        throws
    {
        let origin = try TestOrigin()
        let client = try TestClient(port: origin.httpPort)
        let expecting = "HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: "
        client.send("GET /apple-app-site-association \(expecting)3\r\n\r\n")
        #expect(try client.readResponse().status == 100)
        client.send("abc")
        #expect(try client.readResponse().status == 200)
        client.send("POST / \(expecting)3\r\n\r\n")
        #expect(try client.readResponse().status == 405)
        #expect(client.isClosed())
        let other = try TestClient(port: origin.httpPort)
        other.send("GET / \(expecting)65537\r\n\r\n")
        #expect(try other.readResponse().status == 413)
        #expect(other.isClosed())
    }

    @Test func `HTTP 1.0 closes unless it asks to stay`() throws {
        let origin = try TestOrigin()
        let client = try TestClient(port: origin.httpPort)
        let request = "GET /apple-app-site-association HTTP/1.0\r\nHost: localhost\r\n"
        client.send("\(request)Connection: keep-alive\r\n\r\n")
        #expect(try client.readResponse().fields["connection"] == "keep-alive")
        client.send("\(request)\r\n")
        #expect(try client.readResponse().fields["connection"] == "close")
        #expect(client.isClosed())
    }

    @Test func `a malformed request is answered and the connection closed`() throws {
        let origin = try TestOrigin()
        for bad in ["GET  / HTTP/1.1\r\n", "GET / HTTP/1.1\nHost: a\n\n", "\u{16}\u{3}\u{1}"] {
            let client = try TestClient(port: origin.httpPort)
            client.send(bad)
            #expect(try client.readResponse().status == 400)
            #expect(client.isClosed())
        }
    }

    @Test func `an ACME challenge is answered from the webroot and nothing beside it`() throws {
        let origin = try TestOrigin { $0.hasACME = true }
        let prefix = "/.well-known/acme-challenge/"
        try origin.directory.write("acme\(prefix)token_-1", Array("key".utf8))
        try origin.directory.write("acme/secret", Array("no".utf8))
        let client = try TestClient(port: origin.httpPort)
        client.send("GET \(prefix)token_-1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let found = try client.readResponse()
        #expect(found.status == 200 && found.body == "key")
        for path in ["missing", "..%2f..%2fsecret", "a.b"] {
            client.send("GET \(prefix)\(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try client.readResponse().status != 200)
        }
    }

    @Test func `a challenge is not read through a link, whichever part of its path is one`() throws
    {
        let origin = try TestOrigin { $0.hasACME = true }
        let challenges = "acme/.well-known/acme-challenge"
        try origin.directory.write("\(challenges)/token", Array("key".utf8))
        try origin.directory.write("other/token", Array("secret".utf8))
        try origin.directory.write("other/acme-challenge/token", Array("secret".utf8))
        func ask() throws -> TestResponse {
            let client = try TestClient(port: origin.httpPort)
            client.send("GET /.well-known/acme-challenge/token HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return try client.readResponse()
        }
        #expect(try ask().body == "key")
        let files = FileManager.default
        for (name, target) in [
            ("\(challenges)/token", "other/token"), (challenges, "other"),
            ("acme/.well-known", "other"),
        ] {
            let position = origin.directory.path + "/" + name
            try files.moveItem(atPath: position, toPath: position + "-kept")
            try files.createSymbolicLink(
                atPath: position, withDestinationPath: origin.directory.path + "/" + target)
            #expect(try ask().status == 404, "\(name)")
            try files.removeItem(atPath: position)
            try files.moveItem(atPath: position + "-kept", toPath: position)
            #expect(try ask().body == "key")
        }
    }

    @Test func `health is told on the admin listener only`() throws {
        let origin = try TestOrigin()
        let client = try TestClient(port: origin.adminPort)
        for path in ["/livez", "/readyz", "/healthz"] {
            client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try client.readResponse().status == 200)
        }
        client.send("GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.readResponse().status == 404)
    }

    @Test func `who ends its side is answered, however late the answers are taken`() throws {
        let origin = try TestOrigin {
            $0.aasaBytes =
                Array("{\"applinks\":{},\"x\":\"".utf8) + [UInt8](repeating: 0x61, count: 100_000)
                + Array("\"}".utf8)
        }
        let client = try TestClient(port: origin.httpPort)
        let request = "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n"
        client.send(String(repeating: request, count: 100))
        client.finishSending()
        usleep(200_000)
        let answers = try #require(client.readAll())
        #expect(answers.utf8.count > 100 * 100_000)
    }
}
