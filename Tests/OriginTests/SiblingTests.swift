import TestSupport
import Origin
import Testing

@Suite("Files that a build has compressed")
struct SiblingTests {
    private static let page = String(repeating: "<p>page\n", count: 100)

    private func ask(
        _ path: String, _ fields: [String], in origin: TestOrigin
    ) throws -> TestResponse {
        let lines = (["GET \(path) HTTP/1.1", "Host: localhost"] + fields).map { $0 + "\r\n" }
        let bytes = origin.snapshot.predict(Array("\(lines.joined())\r\n".utf8), isSecure: true)
        return try #require(TestResponse(bytes, isHead: false))
    }

    private func makeOrigin(_ siblings: [String], _ change: String = "true") throws -> TestOrigin {
        try TestOrigin { site, directory in
            site.files = ["page.html": Self.page]
            for suffix in siblings { site.files["page.html.\(suffix)"] = "as \(suffix)" }
            // A build makes the page before what it compresses.
            for (path, text) in site.files.sorted(by: { $0.key < $1.key }) {
                try directory.write("Public/\(path)", Array(text.utf8))
            }
            #expect(shell("cd \(directory.path)/Public && \(change)").status == 0)
            site.publicDirectory = "\(directory.path)/Public"
            site.files = [:]
        }
    }

    static let rows: [(accepts: String?, siblings: [String], coding: String?)] = [
        (nil, ["br", "gz", "zst"], nil),
        ("gzip, deflate, br, zstd", ["br", "gz", "zst"], "br"),
        ("gzip, deflate, br, zstd", ["gz", "zst"], "zstd"),
        ("gzip, deflate, br, zstd", ["gz"], "gzip"),
        ("gzip, deflate, br, zstd", [], "gzip"),
        ("br;q=0.5, gzip", ["br", "gz"], "gzip"),
        ("br", ["gz"], nil),
        ("br;q=0, gzip;q=0", ["br", "gz"], nil),
        ("identity, br;q=0.1", ["br"], nil),
    ]

    @Test("a client gets the coding that it prefers of those that there are", arguments: rows)
    func coding(_ row: (accepts: String?, siblings: [String], coding: String?)) throws {
        let origin = try makeOrigin(row.siblings)
        let fields = row.accepts.map { ["Accept-Encoding: \($0)"] } ?? []
        let answer = try ask("/page.html", fields, in: origin)
        #expect(answer.status == 200 && answer.fields["content-encoding"] == row.coding)
        #expect(answer.fields["content-type"] == "text/html; charset=utf-8")
        #expect(answer.fields["vary"] == "Accept-Encoding")
        let suffix = ["br": "br", "gzip": "gz", "zstd": "zst"][row.coding ?? ""] ?? ""
        if row.siblings.contains(suffix) { #expect(answer.body == "as \(suffix)") }
        if row.coding == nil { #expect(answer.body == Self.page) }
    }

    @Test func `each coding has an entity tag of its own`() throws {
        let origin = try makeOrigin(["br", "gz", "zst"])
        var tags = Set<String>()
        for coding in ["identity", "br", "gzip", "zstd"] {
            let fields = ["Accept-Encoding: \(coding)"]
            let tag = try #require(try ask("/page.html", fields, in: origin).fields["etag"])
            let again = try ask("/page.html", fields + ["If-None-Match: \(tag)"], in: origin)
            #expect(again.status == 304 && again.fields["vary"] == "Accept-Encoding")
            let other = try ask("/page.html", ["If-None-Match: \(tag)"], in: origin)
            #expect(other.status == (coding == "identity" ? 304 : 200))
            tags.insert(tag)
        }
        #expect(tags.count == 4)
    }

    @Test func `one that is older than the file is not sent in its place`() throws {
        let older = try makeOrigin(["br"], "touch -d '1 hour ago' page.html.br")
        let fields = ["Accept-Encoding: br"]
        let answer = try ask("/page.html", fields, in: older)
        #expect(answer.fields["content-encoding"] == nil && answer.body == Self.page)
        // It is a file all the same.
        #expect(try ask("/page.html.br", fields, in: older).body == "as br")
        let newer = try makeOrigin(["br"], "touch -d '1 hour ago' page.html")
        #expect(try ask("/page.html", fields, in: newer).fields["content-encoding"] == "br")
    }
}
