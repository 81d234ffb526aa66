import AccessLog
import Testing

@Suite("Campaign parameters in the access log")
struct CampaignTests {
    private static let long = String(repeating: "x", count: 257)

    /// The query, and what follows in both forms.
    static let rows: [(query: String, json: String, combined: String)] = [
        (
            "?utm_source=a&utm_campaign=b", #""utm_source":"a","utm_campaign":"b","#,
            "utm_source=a&utm_campaign=b"
        ),
        (
            "?utm_campaign=b&x=1&utm_source=a", #""utm_source":"a","utm_campaign":"b","#,
            "utm_source=a&utm_campaign=b"
        ),
        ("?utm_source=a", #""utm_source":"a","#, "utm_source=a"),
        // The first that has a value counts, as where parameters are passed on.
        ("?utm_source=&utm_source=b&utm_source=c", #""utm_source":"b","#, "utm_source=b"),
        ("?utm_source=\(long)&utm_source=b", #""utm_source":"b","#, "utm_source=b"),
        (
            "?utm_source=\(long.dropLast())", #""utm_source":"\#(long.dropLast())","#,
            "utm_source=\(long.dropLast())"
        ),
        // As it was sent.
        ("?utm_source=a%20b+c%22", #""utm_source":"a%20b+c%22","#, "utm_source=a%20b+c%22"),
        ("?utm_source=\"\\", #""utm_source":"\"\\","#, #"utm_source=\x22\x5C"#),
        ("?utm_source=a=b", #""utm_source":"a=b","#, "utm_source=a=b"),
        ("", "", "-"), ("?", "", "-"), ("?&&", "", "-"), ("?utm_source", "", "-"),
        ("?utm_sourc=a", "", "-"), ("?utm_sources=a", "", "-"), ("?Utm_source=a", "", "-"),
        ("?xutm_source=a", "", "-"), ("?utm_medium=a", "", "-"), ("?email=a@b.example", "", "-"),
    ]

    @Test("are those that the configuration lists, and no others", arguments: rows)
    func listed(_ row: (query: String, json: String, combined: String)) {
        let request = LoggedRequest(
            target: "/a\(row.query)", campaigns: ["utm_source", "utm_campaign"])
        #expect(
            request.line(.json).contains(#""user_agent":"curl/8.11.0",\#(row.json)"route":"aasa""#))
        #expect(
            request.line(.combined).hasSuffix(" \"curl/8.11.0\" \"\(row.combined)\"\n"))
        #expect(request.keptLine(.json) == request.line(.json))
        #expect(request.keptLine(.combined) == request.line(.combined))
    }

    @Test func `follow the site, and are left out where none is listed`() {
        var request = LoggedRequest(
            target: "/a?utm_source=a", sites: ["shop"], campaigns: ["utm_source"])
        #expect(request.line(.combined).hasSuffix(" \"shop\" \"utm_source=a\"\n"))
        request.campaigns = []
        #expect(request.line(.combined).hasSuffix(" \"shop\"\n"))
        #expect(!request.line(.json).contains("utm"))
    }

    @Test func `a request that cannot be read has none`() {
        let request = LoggedRequest(
            target: "GET /?utm_source=a", isReadable: false, campaigns: ["utm_source"])
        #expect(!request.line(.json).contains("utm"))
        #expect(request.line(.combined).hasSuffix(" \"-\"\n"))
    }
}
