import Foundation
import LinkAPI
import Services
import Snapshots
import TestSupport
import Testing

@testable import Origin

extension Browser {
    /// Sends a form with a file, as a whole or in chunks.
    fileprivate func upload(
        _ file: String, _ items: [(String, String)] = [], isChunked: Bool = false,
        pieceBytes: Int = .max, type: String = "multipart/form-data; boundary=--b"
    ) throws -> TestResponse {
        var form = items.map {
            "----b\r\nContent-Disposition: form-data; name=\"\($0.0)\"\r\n\r\n\($0.1)\r\n"
        }
        .joined()
        form += "----b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f.csv\"\r\n"
        form += "Content-Type: text/csv\r\n\r\n\(file)\r\n----b--\r\n"
        let client = try TestClient(port: isOnHost ? store.origin.httpPort : store.origin.adminPort)
        let length =
            isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(form.utf8.count)"
        client.send(
            "POST /console/import HTTP/1.1\r\nHost: \(host)\r\nX-Forwarded-Proto: https\r\n\(fields)"
                + "Content-Type: \(type)\r\n\(length)\r\n"
                + (cookie.map { "Cookie: \($0)\r\n" } ?? "") + "\r\n")
        var rest = Array(form.utf8)[...]
        while !rest.isEmpty {
            let piece = rest.prefix(pieceBytes)
            rest = rest.dropFirst(piece.count)
            let text = String(decoding: piece, as: UTF8.self)
            client.send(
                isChunked ? "\(String(piece.count, radix: 16))\r\n\(text)\r\n" : text)
        }
        if isChunked { client.send("0\r\n\r\n") }
        return try client.readResponse()
    }

    /// The whole answer of the export, which ends with its connection.
    fileprivate func export() throws -> String {
        let client = try TestClient(port: store.origin.httpPort)
        client.send(
            "GET /console/export.csv HTTP/1.0\r\nHost: \(host)\r\nX-Forwarded-Proto: https\r\n"
                + "\(fields)Cookie: \(cookie ?? "")\r\n\r\n")
        return try #require(client.readAll())
    }
}

@Suite("The import and the export of the console, over connections")
struct ConsoleImportTests {
    private func table(_ count: Int, note: Int = 0) -> String {
        "slug,destination,note\n"
            + (0..<count).map {
                "n\($0),https://www.example.com/\($0),\(String(repeating: "x", count: note))\n"
            }.joined()
    }

    private func content(of page: String) throws -> String {
        String(try #require(page.firstMatch(of: /name="content" value="([^"]*)"/)).1)
    }

    @Test(
        "a file is looked at and imported",
        arguments: [(3, 0, false), (3, 0, true), (200, 900, false)])
    func imports(rows: Int, note: Int, isChunked: Bool) throws {
        let store = try StoreOrigin()
        let browser = try store.signedIn("anna", #", "role": "editor""#)
        let table = table(rows, note: note)
        let seen = try browser.upload(
            table, [("format", "csv"), ("do", "check")], isChunked: isChunked,
            pieceBytes: note == 0 ? 7 : .max)
        #expect(seen.status == 200 && seen.body.contains("Import \(rows) links"), "\(seen.body)")
        #expect(seen.fields["content-security-policy"]?.contains("script-src 'sha256-") == true)
        let kept = try content(of: seen.body)
        let done = try browser.ask(
            "POST", "/console/import", "step=seen&do=import&format=csv&content=\(kept)")
        #expect(done.status == 200 && done.body.contains("Links made: \(rows)"), "\(done.body)")
        #expect(try store.audit.contains("\"actor\": \"anna\""))
        let export = try browser.export()
        #expect(export.contains("Content-Disposition: attachment; filename=\"links.csv\"\r\n"))
        let body = export[try #require(export.range(of: "\r\n\r\n")).upperBound...]
        #expect(body.split(separator: "\r\n").count == rows + 1)
        #expect(try browser.ask("HEAD", "/console/export.csv").status == 200)
    }

    @Test func `a long table without a session comes back, and is sent again`() throws {
        let store = try StoreOrigin()
        let table = table(200, note: 900)
        let ended = try Browser(store).upload(table, [("format", "csv"), ("do", "check")])
        #expect(ended.status == 401 && ended.body.contains("Your session has ended"))
        let kept = try #require(ended.body.firstMatch(of: /name="file" value="([^"]*)"/)).1
        let anna = try store.signedIn("anna", #", "role": "editor""#)
        let seen = try anna.ask(
            "POST", "/console/import", "file=\(kept)&file.name=f.csv&format=csv&do=check")
        #expect(seen.body.contains("Import 200 links"), "\(seen.body.prefix(2_000))")
        // A pasted one is bytes, too.
        let pasted = try Browser(store).upload("", [("text", table), ("do", "check")])
        let again = try anna.ask(
            "POST", "/console/import", "content=\(try content(of: pasted.body))&do=check")
        #expect(again.body.contains("Import 200 links"))
        // It takes the place of the table that the form had before; beside a file, it is not known which is meant.
        let other = [
            ("content", "b2xk"), ("content.name", "old.csv"), ("text", table), ("do", "check"),
        ]
        let replaced = try Browser(store).upload("", other)
        #expect(try content(of: replaced.body) == content(of: pasted.body))
        #expect(!replaced.body.contains("b2xk") && !replaced.body.contains("old.csv"))
        let both = try Browser(store).upload("slug\n", [("text", table), ("do", "check")])
        #expect(both.body.contains("name=\"text\"") && !both.body.contains("name=\"content\""))
    }

    @Test func `who may not import sends nothing in vain`() throws {
        // Those who are refused are still sending, for longer than an origin reads on where other work is done beside it.
        var limits = OriginLimits.patient
        limits.lingerSeconds = safetyNetSeconds
        let store = try StoreOrigin(limits: limits)
        let long = table(200, note: 900)
        let stranger = Browser(store)
        #expect(try stranger.upload(table(1)).status == 401)
        #expect(try stranger.upload(long).status == 401)
        let viewer = try store.signedIn("vic", #", "role": "viewer""#)
        #expect(try viewer.upload(table(1)).status == 403)
        #expect(try viewer.upload(long).status == 403)
        #expect(try viewer.export().contains("200 OK"))
        #expect(try stranger.ask("GET", "/console/export.csv").status == 401)
        let editor = try store.signedIn("anna", #", "role": "editor""#)
        #expect(try editor.upload(long, type: "text/csv").status == 415)
        #expect(try editor.upload("x", type: "multipart/form-data; boundary=--c").status == 415)
        editor.fields = "Sec-Fetch-Site: cross-site\r\n"
        #expect(try editor.upload(table(1)).status == 403)
        editor.fields = "Sec-Fetch-Site: same-origin\r\n"
        #expect(try editor.upload(String(repeating: "x", count: 3 << 20)).status == 413)
        #expect(try !store.audit.contains("import"))
    }
}
