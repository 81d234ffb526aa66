import TestSupport
import HTTPMessages
import Origin
import Testing

@Suite("Parts and codings of a file (RFC 9110 §12.5.3, §14, §15.3.7)")
struct PartsAndCodingsTests {
    /// The response to a GET of this path over https with these field lines.
    private func ask(
        _ path: String, _ fields: String..., in origin: TestOrigin, method: String = "GET"
    ) throws -> TestResponse {
        let lines = (["\(method) \(path) HTTP/1.1", "Host: localhost"] + fields).map { $0 + "\r\n" }
        let bytes = origin.snapshot.predict(
            Array("\(lines.joined())\r\n".utf8), isSecure: true)
        return try #require(TestResponse(bytes, isHead: method == "HEAD"))
    }

    private static let digits = String(repeating: "0123456789", count: 100)

    private func makeOrigin() throws -> TestOrigin {
        try TestOrigin {
            $0.files = [
                "digits.bin": Self.digits, "page.html": Self.digits, "small.html": "<p>",
            ]
        }
    }

    @Test func `several parts are sent in the order in which they were asked for`() throws {
        let origin = try makeOrigin()
        let whole = try ask("/digits.bin", in: origin)
        #expect(whole.status == 200 && whole.fields["accept-ranges"] == "bytes")
        let parts = try ask("/digits.bin", "Range: bytes=-2, 100-104", in: origin)
        #expect(parts.status == 206 && parts.fields["etag"] == whole.fields["etag"])
        let type = try #require(parts.fields["content-type"])
        let boundary = try #require(type.split(separator: "boundary=").last)
        #expect(type == "multipart/byteranges; boundary=\(boundary)")
        #expect(
            parts.body
                == """
                --\(boundary)\r
                Content-Type: application/octet-stream\r
                Content-Range: bytes 998-999/1000\r
                \r
                89\r
                --\(boundary)\r
                Content-Type: application/octet-stream\r
                Content-Range: bytes 100-104/1000\r
                \r
                01234\r
                --\(boundary)--\r\n
                """)
        #expect(parts.fields["content-range"] == nil)
    }

    @Test func `a part that is not there is refused as other things are, with the size`() throws {
        let origin = try makeOrigin()
        let answer = try ask("/digits.bin", "Range: bytes=1000-", in: origin)
        #expect(answer.status == 416 && answer.body == "416 Range Not Satisfiable\n")
        #expect(answer.fields["content-range"] == "bytes */1000")
        var other = try ask("/digits.bin", "If-Match: \"x\"", in: origin).fields
        #expect(other["content-type"] == "text/plain; charset=utf-8")
        (other["content-range"], other["content-length"]) = ("bytes */1000", "26")
        other["date"] = answer.fields["date"]
        #expect(answer.fields == other)
        #expect(try ask("/digits.bin", "Range: bytes=999-", in: origin).body == "9")
    }

    @Test func `names that only look the same are those of two files`() throws {
        let directory = try TemporaryDirectory()
        try directory.write("caf\u{E9}.txt", Array("composed".utf8))
        try directory.write("cafe\u{301}.txt", Array("decomposed".utf8))
        let origin = try TestOrigin { $0.publicDirectory = directory.path }
        #expect(try ask("/caf%C3%A9.txt", in: origin).body == "composed")
        #expect(try ask("/cafe%CC%81.txt", in: origin).body == "decomposed")
    }

    @Test func `a file without content is sent whole, as there is no part of it`() throws {
        let origin = try TestOrigin { $0.files = ["empty.txt": ""] }
        for range in ["bytes=0-", "bytes=-5"] {
            let answer = try ask("/empty.txt", "Range: \(range)", in: origin)
            #expect(answer.status == 200 && answer.fields["content-length"] == "0")
        }
    }

    @Test func `a file of tomorrow was changed when it was read`() throws {
        let origin = try TestOrigin { _, directory in
            try directory.write("Public/new.txt", [])
            #expect(shell("touch -d '1 day' \(directory.path)/Public/new.txt").status == 0)
        }
        let fields = try ask("/new.txt", in: origin).fields
        let (changed, sent) = (fields["last-modified"], fields["date"])
        let seconds = [changed, sent].map { text in
            let bytes = Array((text ?? "").utf8)
            return HTTPDate.parse(bytes, 0..<bytes.count, now: 0) ?? 0
        }
        #expect(seconds[0] > 0 && seconds[0] <= seconds[1], "\(fields)")
    }

    /// In `/dev/shm`, which takes any year.
    @Test func `a file of any year is served with a date that HTTP can write`() throws {
        let made = shell("mktemp -d /dev/shm/waymark-test-XXXXXX").output
        let directory = String(made.dropLast())
        defer { _ = shell("rm -r '\(directory)'") }
        for (year, first) in [(-1199, "Thu, 01 Jan 1970 00:00:00 GMT"), (20_000, nil)] {
            let seconds = (year - 1970) * 31_556_952
            #expect(shell("touch -d @\(seconds) \(directory)/old.txt").status == 0)
            let origin = try TestOrigin { $0.publicDirectory = directory }
            let changed = try ask("/old.txt", in: origin).fields["last-modified"]
            #expect(changed?.utf8.count == HTTPDate.count && (first == nil || changed == first))
        }
    }

    @Test func `parts that touch are one part`() throws {
        let part = try ask("/digits.bin", "Range: bytes=0-4,3-9", in: try makeOrigin())
        #expect(part.status == 206 && part.body == "0123456789")
        #expect(part.fields["content-range"] == "bytes 0-9/1000")
    }

    @Test func `more than the limit of parts together is the whole file`() throws {
        let big = String(repeating: "x", count: 262_144 + 100)
        let origin = try TestOrigin { $0.files = ["big.bin": big] }
        // 262,144 bytes of content in two parts, and one more.
        let most = try ask("/big.bin", "Range: bytes=0-262142,262243-262243", in: origin)
        #expect(most.status == 206)
        let more = try ask("/big.bin", "Range: bytes=0-262142,262242-262243", in: origin)
        #expect(more.status == 200 && more.body.utf8.count == big.utf8.count)
    }

    @Test(
        "a client that refuses every form that there is gets none",
        arguments: [
            ("/page.html", "gzip", 200, "gzip"), ("/page.html", "identity;q=0, gzip", 200, "gzip"),
            ("/page.html", "identity;q=0", 406, nil), ("/page.html", "*;q=0", 406, nil),
            ("/page.html", "gzip;q=0", 200, nil), ("/small.html", "gzip", 200, nil),
            ("/small.html", "identity;q=0, gzip", 406, nil), ("/small.html", "br", 200, nil),
            // An association file is never negotiated away.
            ("/apple-app-site-association", "identity;q=0", 200, nil),
            ("/.well-known/assetlinks.json", "*;q=0", 200, nil),
            ("/.well-known/asset%6Cinks.json", "*;q=0", 200, nil),
        ] as [(String, String, Int, String?)])
    func codings(_ path: String, _ codings: String, _ status: Int, _ coding: String?) throws {
        let origin = try makeOrigin()
        for method in ["GET", "HEAD"] {
            let response = try ask(
                path, "Accept-Encoding: \(codings)", in: origin, method: method)
            #expect(response.status == status)
            #expect(response.fields["content-encoding"] == coding)
        }
    }
}
