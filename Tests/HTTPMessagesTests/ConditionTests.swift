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
        "a range is answered; what is none by the whole, or not at all",
        arguments: [
            ([], .whole), (["Range: bytes=0-0"], .part(0..<1)),
            (["Range: bytes=5-"], .part(5..<10)),
            (["Range: bytes=-3"], .part(7..<10)), (["Range: bytes=-30"], .part(0..<10)),
            (["Range: bytes=8-30"], .part(8..<10)), (["Range: BYTES=1-2"], .part(1..<3)),
            (["Range: bytes=10-"], .notSatisfiable), (["Range: bytes=-0"], .notSatisfiable),
            (["Range: bytes=3-2"], .whole), (["Range: bytes=10-,-0"], .notSatisfiable),
            (["Range: bytes=0-0,3-2"], .whole), (["Range: bytes=,"], .whole),
            (["Range: bytes=0-0, 2-3"], .part(0..<4)), (["Range: bytes=10-, 2-3"], .part(2..<4)),
            (["Range: lines=0-1"], .whole), (["Range: bytes=a-"], .whole),
            (["Range: bytes=-"], .whole), (["Range: bytes=00000000000000000000-1"], .part(0..<2)),
            (["Range: bytes=0-99999999999999999999"], .part(0..<10)),
            (["Range: bytes=-99999999999999999999"], .part(0..<10)),
            (["Range: bytes=99999999999999999999-"], .notSatisfiable),
            (["Range: bytes=9999999999999999999a-"], .whole),
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
                bytes, of: 10, Self.validators, in: Self.store, now: Self.modified + 1)
        }
        #expect(result == expected)
    }

    @Test(
        "several ranges keep their order; those that touch are one; too many are passed over",
        arguments: [
            ("0-0,500-599", .parts([0..<1, 500..<600])),
            ("500-599, 0-0", .parts([500..<600, 0..<1])),
            ("-1,0-0", .parts([999..<1000, 0..<1])),
            ("0-99,50-150,600-", .parts([0..<151, 600..<1000])),
            // The third joins the other two.
            ("600-699,0-99,50-650", .part(0..<700)),
            // A gap of 80 bytes is less than a part's frame, one of 81 is not.
            ("0-99,180-199", .part(0..<200)), ("0-99,181-199", .parts([0..<100, 181..<200])),
            (
                Array(repeating: "0-0", count: 15).joined(separator: ",") + ",500-",
                .parts([0..<1, 500..<1000])
            ),
            (Array(repeating: "0-0", count: 16).joined(separator: ",") + ",500-", .whole),
        ] as [(String, RangeRequest)])
    func severalRanges(_ value: String, _ expected: RangeRequest) throws {
        let result = try ask(["Range: bytes=\(value)"]) { reader, bytes in
            reader.fields.requestedRange(
                bytes, of: 1000, Self.validators, in: Self.store, now: Self.modified)
        }
        #expect(result == expected)
    }

    @Test func `the date of a file that may change within this second is no validator`() throws {
        let fields = ["Range: bytes=0-0", "If-Range: Sun, 06 Nov 1994 08:49:37 GMT"]
        for (now, expected) in [
            (Self.modified, RangeRequest.whole), (Self.modified + 1, .part(0..<1)),
        ] {
            let result = try ask(fields) { reader, bytes in
                reader.fields.requestedRange(
                    bytes, of: 10, Self.validators, in: Self.store, now: now)
            }
            #expect(result == expected)
        }
    }

    @Test(
        "a client gets the coding that it likes best, and none that it refuses",
        arguments: [
            ([], .identity), (["gzip"], .gzip), (["X-GZip"], .gzip),
            (["deflate, gzip;q=0.5, br"], .gzip), (["*"], .gzip), (["gzip;q=0"], .identity),
            (["gzip; q=0.000"], .identity), (["gzip;q=0.001"], .gzip), (["*;q=0"], nil),
            (["*;q=0, identity"], .identity), (["*;q=0, gzip"], .gzip),
            (["gzip;q=0, *"], .identity), (["gzipped"], .identity),
            (["identity, gzip;q=0.5"], .identity), (["identity;q=0.5, gzip"], .gzip),
            (["br", "gzip"], .gzip), ([""], .identity), (["gzip;q=2"], .identity),
            (["identity;q=0"], nil), (["identity;q=0, gzip;q=0.1"], .gzip),
            (["identity;q=0, gzip;q=0"], nil), (["identity;q=0.0, br"], nil),
            // What cannot be read refuses nothing.
            (["identity;q=2"], .identity), (["*;x=0"], .identity),
            (["identity;q=0.0000"], .identity),
        ] as [([String], ContentCoding?)])
    func codings(_ values: [String], _ expected: ContentCoding?) throws {
        let fields = values.map { "Accept-Encoding: \($0)" }
        let coding = try ask(fields) { $0.fields.contentCoding($1, among: .init(.gzip)) }
        #expect(coding == expected)
        // Where there is no gzip, what would have been sent as gzip is sent as it is, if it may.
        let only = try ask(fields) { $0.fields.contentCoding($1, among: .init()) }
        #expect(only != .gzip && (expected != .identity || only == .identity))
    }

    @Test(
        "of codings with one weight a client gets the one that compresses best",
        arguments: [
            ("gzip, deflate, br, zstd", .brotli), ("gzip, zstd", .zstd), ("*", .brotli),
            ("br;q=0, *", .zstd), ("br;q=0.5, gzip", .gzip), ("BR", .brotli),
            ("zstd;q=0.9, br;q=0.9, gzip;q=0.8", .brotli), ("br;q=0, zstd;q=0, gzip", .gzip),
            ("identity, br;q=0.9", .identity), ("brotli", .identity), ("zstd;q=2, gzip", .gzip),
            ("br;q=0.1", .brotli), ("identity;q=0, zstd;q=0.1", .zstd), ("*;q=0", nil),
        ] as [(String, ContentCoding?)])
    func preferences(_ value: String, _ expected: ContentCoding?) throws {
        let coding = try ask(["Accept-Encoding: \(value)"]) {
            $0.fields.contentCoding($1, among: .init(.gzip, .zstd, .brotli))
        }
        #expect(coding == expected)
    }
}
