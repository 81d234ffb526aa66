import HTTPMessages
import Testing

@Suite("Conditions, ranges and codings (RFC 9110 §12.5.3, §13, §14)")
struct ConditionTests {
    static let tag = "\"abc\""
    static let store = Array(tag.utf8)
    /// Sun, 06 Nov 1994 08:49:37 GMT
    static let modified = 784_111_777
    static let validators = Validators(entityTag: 0..<5, lastModified: modified)

    /// Reads a request with these field lines and asks about its field section.
    private func ask<Answer>(
        _ fields: [String], _ question: (borrowing RequestReader, [UInt8]) -> Answer
    ) throws -> Answer {
        let text = (["GET / HTTP/1.1", "Host: a"] + fields).joined(separator: "\r\n") + "\r\n\r\n"
        let bytes = Array(text.utf8)
        var reader = RequestReader()
        _ = try reader.read(bytes, 0..<bytes.count)
        return question(reader, bytes)
    }

    @Test(
        "conditions are judged in the order of §13.2.2",
        arguments: [
            ([], .proceed),
            (["If-None-Match: \"abc\""], .notModified),
            (["If-None-Match: W/\"abc\""], .notModified),
            (["If-None-Match: *"], .notModified),
            (["If-None-Match: \"x\", \"a,b\" , \"abc\""], .notModified),
            (["If-None-Match: \"x\"", "If-None-Match: \"abc\""], .notModified),
            (["If-None-Match: \"ab\""], .proceed),
            (["If-None-Match: abc"], .proceed),
            (
                ["If-None-Match: \"x\"", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"],
                .proceed
            ),
            (["If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"], .notModified),
            (["If-Modified-Since: Sun, 06 Nov 1994 08:49:36 GMT"], .proceed),
            (["If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT"], .notModified),
            (["If-Modified-Since: Sun Nov  6 08:49:37 1994"], .notModified),
            (["If-Modified-Since: yesterday"], .proceed),
            (["If-Match: \"abc\""], .proceed),
            (["If-Match: *"], .proceed),
            (["If-Match: W/\"abc\""], .failed),
            (["If-Match: \"x\""], .failed),
            (["If-Unmodified-Since: Sun, 06 Nov 1994 08:49:36 GMT"], .failed),
            (["If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT"], .proceed),
            (["If-Match: \"abc\"", "If-None-Match: \"abc\""], .notModified),
        ] as [([String], ConditionResult)])
    func judges(_ fields: [String], _ expected: ConditionResult) throws {
        let result = try ask(fields) { reader, bytes in
            reader.fields.evaluateConditions(
                bytes, Self.validators, in: Self.store, now: Self.modified)
        }
        #expect(result == expected)
    }

    @Test(
        "a single range is answered; anything else by the whole, or not at all",
        arguments: [
            ([], .whole), (["Range: bytes=0-0"], .part(0..<1)),
            (["Range: bytes=5-"], .part(5..<10)),
            (["Range: bytes=-3"], .part(7..<10)), (["Range: bytes=-30"], .part(0..<10)),
            (["Range: bytes=8-30"], .part(8..<10)), (["Range: BYTES=1-2"], .part(1..<3)),
            (["Range: bytes=10-"], .notSatisfiable), (["Range: bytes=-0"], .notSatisfiable),
            (["Range: bytes=3-2"], .whole), (["Range: bytes=0-0,2-3"], .whole),
            (["Range: lines=0-1"], .whole), (["Range: bytes=a-"], .whole),
            (["Range: bytes=-"], .whole),
            (["Range: bytes=0-0", "Range: bytes=1-1"], .whole),
            (["Range: bytes=0-0", "If-Range: \"abc\""], .part(0..<1)),
            (["Range: bytes=0-0", "If-Range: \"x\""], .whole),
            (["Range: bytes=0-0", "If-Range: W/\"abc\""], .whole),
            (["Range: bytes=0-0", "If-Range: Sun, 06 Nov 1994 08:49:37 GMT"], .part(0..<1)),
            (["Range: bytes=0-0", "If-Range: Sun, 06 Nov 1994 08:49:38 GMT"], .whole),
        ] as [([String], RangeRequest)])
    func ranges(_ fields: [String], _ expected: RangeRequest) throws {
        let result = try ask(fields) { reader, bytes in
            reader.fields.requestedRange(
                bytes, of: 10, Self.validators, in: Self.store, now: Self.modified)
        }
        #expect(result == expected)
    }

    @Test(
        "gzip is sent to those who take it",
        arguments: [
            ([], false), (["Accept-Encoding: gzip"], true), (["Accept-Encoding: X-GZip"], true),
            (["Accept-Encoding: deflate, gzip;q=0.5, br"], true), (["Accept-Encoding: *"], true),
            (["Accept-Encoding: gzip;q=0"], false), (["Accept-Encoding: gzip; q=0.000"], false),
            (["Accept-Encoding: gzip;q=0.001"], true), (["Accept-Encoding: *;q=0"], false),
            (["Accept-Encoding: gzip;q=0, *"], false), (["Accept-Encoding: gzipped"], false),
            (["Accept-Encoding: identity, gzip;q=0.5"], false),
            (["Accept-Encoding: br", "Accept-Encoding: gzip"], true), (["Accept-Encoding:"], false),
            (["Accept-Encoding: gzip;q=2"], false),
        ])
    func codings(_ fields: [String], _ expected: Bool) throws {
        #expect(try ask(fields) { reader, bytes in reader.fields.acceptsGzip(bytes) } == expected)
    }
}
