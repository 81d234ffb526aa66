import Foundation
import Glibc
import LinkStore
import Services
import Snapshots
import Synchronization
import TestSupport
import Testing

@testable import Origin

@Suite("Imports and exports, over sockets")
struct LinkTransferTests {
    private static func lines(_ range: Range<Int>) -> String {
        range.map { number in
            #"{"slug": "n\#(number)", "destination": "https://www.example.com/\#(number)"}"# + "\n"
        }.joined()
    }

    static func importRequest(_ store: StoreOrigin, _ length: Int, _ query: String = "")
        -> String
    {
        "POST /v1/import\(query) HTTP/1.1\r\nHost: localhost\r\n"
            + "Authorization: Bearer \(store.service.secret)\r\n"
            + "Content-Type: application/x-ndjson\r\nContent-Length: \(length)\r\n\r\n"
    }

    /// The client reads nothing before it has sent everything, as many do.
    @Test func `an import of more than any buffer holds is answered whole`() throws {
        let store = try StoreOrigin(loops: 2)
        let content = Self.lines(0..<4_500)
        let client = try store.client
        client.send(Self.importRequest(store, content.utf8.count))
        client.send(content)
        let answer = try client.readResponse()
        #expect(answer.status == 200)
        let lines = answer.body.split(separator: "\n")
        #expect(lines.count == 4_501)
        #expect(lines.last?.contains(#""created": 4500"#) == true, "\(lines.last ?? "")")
        for number in [0, 2_999, 4_499] {
            let visit = try store.visit("/s/n\(number)")
            #expect(visit.fields["location"] == "https://www.example.com/\(number)")
        }
        // Without chunks, so that it ends with the connection.
        let old = try store.client
        old.send(
            store.request("GET", "export").replacing("HTTP/1.1", with: "HTTP/1.0"))
        let exported = try #require(old.readAll())
        let end = try #require(exported.range(of: "\r\n\r\n"))
        #expect(exported[..<end.lowerBound].contains("Waymark-Generation: "))
        let text = String(exported[end.upperBound...])
        let links = text.split(separator: "\n")
        #expect(links.count == 4_500)
        #expect(links[4_499].contains(#""slug": "n4499""#))
        client.send(
            Self.importRequest(store, text.utf8.count, "?mode=upsert&report=refused"))
        client.send(text)
        let again = try client.readResponse()
        #expect(again.body.contains(#""unchanged": 4500"#), "\(again.body)")
    }

    @Test func `what a client has sent before it left stays, and others go on`() throws {
        let store = try StoreOrigin()
        do {
            let client = try store.client
            let content = Self.lines(0..<4_500)
            client.send(Self.importRequest(store, content.utf8.count + 100))
            client.send(content)
            try wait { try store.visit("/s/n4499").status == 302 }
        }
        let client = try store.client
        client.send(store.creation("after"))
        #expect(try client.readResponse().status == 201)
        // The thread of the import has ended.
        try wait { store.service.imports.count == 0 }
    }

    @Test func `an import without permission is refused before it is read`() throws {
        let store = try StoreOrigin()
        let client = try store.client
        client.send(
            "POST /v1/import HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer wmk_no\r\n"
                + "Content-Type: text/csv\r\nContent-Length: 1000000000\r\n\r\n")
        #expect(try client.readResponse().status == 401)
        let other = try store.client
        other.send(Self.importRequest(store, 2, "?atomic=true"))
        other.send("{}")
        let answer = try other.readResponse()
        #expect(answer.status == 422)
        #expect(answer.body.contains(#""applied": false"#))
    }

    @Test func `an atomic import has a limit`() throws {
        let store = try StoreOrigin()
        let client = try store.client
        client.send(Self.importRequest(store, 17 << 20, "?atomic=true"))
        let line = Array(repeating: UInt8(ascii: " "), count: 1 << 20)
        for _ in 0..<17 { client.send(line) }
        let answer = try client.readResponse()
        #expect(answer.status == 413)
        #expect(answer.body.contains("16777216"))
    }

    /// Lines are read 2,000 at a time, and refused ones are counted then.
    @Test(
        "an atomic import of which all was read is complete",
        arguments: [(1_000, true), (2_000, true), (2_001, false)])
    func completeness(_ count: Int, _ isComplete: Bool) throws {
        let store = try StoreOrigin()
        let client = try store.client
        let content = Array(String(repeating: "1\n", count: count).utf8)
        client.send(Self.importRequest(store, content.count, "?atomic=true"))
        client.send(content)
        let answer = try client.readResponse()
        #expect(answer.status == 422)
        #expect(answer.body.contains(#""complete": \#(isComplete)"#), "\(answer.body.suffix(300))")
    }

    /// Lines are kept until the last has come, and each alias has a row of its own, for which others wait.
    @Test("lines and aliases of an atomic import are at most 100,000", arguments: [10, 11])
    func atomicSlugs(_ count: Int) throws {
        let store = try StoreOrigin()
        let client = try store.client
        let lines = (0..<990).map { number in
            let aliases = (0..<100).map { "\"n\(number)a\($0)\"" }.joined(separator: ",")
            return #"{"slug": "n\#(number)", "destination": "https://www.example.com/", "#
                + "\"aliases\": [\(aliases)]}\n"
        }
        let content = lines.joined() + Self.lines(990..<990 + count)
        client.send(
            Self.importRequest(
                store, content.utf8.count, "?atomic=true&dry-run=true&report=refused"))
        client.send(content)
        let answer = try client.readResponse()
        #expect(answer.status == (count == 10 ? 200 : 413), "\(answer.body.prefix(500))")
        #expect(answer.body.contains("at most 100000 lines") == (count == 11))
        #expect(answer.body.contains(#""created": 1000"#) == (count == 10))
    }

    @Test(
        "lines of a token that was removed meanwhile change nothing",
        arguments: ["", "?atomic=true"])
    func removedToken(_ query: String) throws {
        let store = try StoreOrigin()
        let token = try store.token("links.create")
        let client = try store.client
        let content = Self.lines(0..<1)
        let head = Self.importRequest(store, content.utf8.count, query)
        client.send(head.replacing(store.service.secret, with: token))
        try wait { store.service.imports.count > 0 }
        let admin = try store.client
        admin.send(store.request("DELETE", "tokens/1"))
        #expect(try admin.readResponse().status == 204)
        client.send(content)
        let answer = try client.readResponse()
        #expect(answer.status == 401 && answer.body.contains("token is not known"), "\(answer)")
        #expect(try store.visit("/s/n0").status == 404)
    }

    private static func importing(_ store: StoreOrigin, _ token: String) throws -> TestClient {
        let client = try store.client
        let request = importRequest(store, 1000)
        client.send(request.replacing(store.service.secret, with: token))
        return client
    }

    @Test func `an import takes a place from its token alone, which becomes free`() throws {
        let store = try StoreOrigin()
        let slow = try store.token("links.create")
        let other = try store.token("links.create")
        let running = [try Self.importing(store, slow), try Self.importing(store, slow)]
        try wait { store.service.imports.count >= 2 }
        let third = try Self.importing(store, slow)
        let refused = try third.readResponse()
        #expect(refused.status == 429 && refused.fields["retry-after"] == "1")
        for token in [other, store.service.secret] {
            let client = try store.client
            let line = #"{"destination": "https://www.example.com/"}"#
            client.send(
                Self.importRequest(store, line.utf8.count)
                    .replacing(store.service.secret, with: token))
            client.send(line)
            #expect(try client.readResponse().status == 200)
        }
        running.forEach { $0.reset() }
        try wait { store.service.imports.count == 0 }
        let again = try Self.importing(store, slow)
        try wait { store.service.imports.count >= 1 }
        again.reset()
    }

    @Test("who has an answer finds the place of its request free", arguments: 0..<20)
    func placesAfterAnswers(_: Int) throws {
        let store = try StoreOrigin()
        let client = try store.client
        for query in ["?report=refused", "", "?atomic=true", "?dry-run=true"] {
            let lines = Self.lines(0..<300)
            client.send(Self.importRequest(store, lines.utf8.count, query) + lines)
            _ = try client.readResponse()
            #expect(store.service.imports.count == 0, "\(query)")
        }
        client.send(
            store.request("GET", "export?tag=none").replacing("HTTP/1.1", with: "HTTP/1.0"))
        _ = client.readAll()
        #expect(store.service.exports.count == 0)
        let other = try store.client
        other.send(store.creation("one"))
        #expect(try other.readResponse().status == 201)
        #expect(store.service.requests.count == 0)
    }

    @Test func `when all tokens together have eight imports, the ninth is told so`() throws {
        let store = try StoreOrigin()
        let running = try (0..<4).flatMap { _ in
            let token = try store.token("links.create")
            return [try Self.importing(store, token), try Self.importing(store, token)]
        }
        try wait { store.service.imports.count >= 8 }
        let refused = try Self.importing(store, try store.token("links.create")).readResponse()
        #expect(refused.status == 503 && refused.fields["retry-after"] == "1")
        #expect(refused.body.contains("/v1/problems/busy"))
        #expect(refused.body.contains("8 requests of this kind are under way"))
        running.forEach { $0.reset() }
        try wait { store.service.imports.count == 0 }
    }

    /// Makes links of which an export is more than the sockets take.
    private func makeLargeLinks(_ store: StoreOrigin) throws {
        let maker = try store.client
        let text = String(repeating: "x", count: 16_000)
        let content = (0..<400).map { number in
            #"{"destination": "https://www.example.com/", "tags": ["\#(number)"], "#
                + #""app": {"data": {"a": "\#(text)"}}}"# + "\n"
        }.joined()
        maker.send(Self.importRequest(store, content.utf8.count, "?report=refused"))
        maker.send(content)
        #expect(try maker.readResponse().status == 200)
    }

    /// The client takes nothing of its answer meanwhile.
    @Test func `an export ends with its token, and does not pass for whole`() throws {
        let store = try StoreOrigin()
        try makeLargeLinks(store)
        // Together more than two pages, because one is sent while the next is made.
        let maker = try store.client
        let content = Self.lines(0..<700)
        maker.send(Self.importRequest(store, content.utf8.count, "?report=refused") + content)
        #expect(try maker.readResponse().status == 200)
        func export(_ token: String?) throws -> TestClient {
            let client = try TestClient(
                port: store.origin.adminPort, receiveBytes: token == nil ? nil : 4_096)
            client.send(
                store.request("GET", "export", nil, "Connection: close\r\n", token: token))
            return client
        }
        let slow = try export(try store.token("links.read"))
        try wait { store.service.exports.count > 0 }
        let whole = try #require(export(nil).readAll())
        #expect(whole.contains(#""n699""#) && whole.hasSuffix("0\r\n\r\n"))
        let admin = try store.client
        admin.send(store.request("DELETE", "tokens/1"))
        #expect(try admin.readResponse().status == 204)
        let part = slow.readAll() ?? ""
        #expect(!part.contains(#""n699""#) && !part.hasSuffix("0\r\n\r\n"))
        try wait { store.service.exports.count == 0 }
    }

    /// The clients take nothing of their answers.
    @Test func `exports that nobody reads keep no other token from its own`() throws {
        let store = try StoreOrigin()
        try makeLargeLinks(store)
        let slow = try store.token("links.read")
        let other = try store.token("links.read")
        var running = [TestClient]()
        for _ in 0..<4 {
            let client = try store.client
            client.send(store.request("GET", "export", token: slow))
            running.append(client)
        }
        try wait { store.service.exports.count >= 4 }
        let fifth = try store.client
        fifth.send(store.request("GET", "export", token: slow))
        #expect(try fifth.readResponse().status == 429)
        let next = try store.client
        next.send(
            store.request("GET", "export?tag=399", token: other)
                .replacing("HTTP/1.1", with: "HTTP/1.0"))
        let exported = try #require(next.readAll())
        #expect(exported.contains(" 200 ") && exported.contains(#""tags": ["399"]"#))
        let line = #"{"destination": "https://www.example.com/"}"#
        let last = try store.client
        last.send(Self.importRequest(store, line.utf8.count) + line)
        #expect(try last.readResponse().status == 200)
        running.forEach { $0.reset() }
        try wait { store.service.exports.count == 0 }
    }

    @Test func `the head of an export is had without it`() throws {
        let store = try StoreOrigin()
        let client = try store.client
        client.send(store.creation("a") + store.request("HEAD", "export"))
        #expect(try client.readResponse().status == 201)
        let head = try client.readResponse(isHead: true)
        #expect(head.status == 200)
        #expect(head.fields["content-type"] == "application/x-ndjson")
        #expect(head.fields["waymark-generation"] == "1")
        client.send(store.request("DELETE", "export"))
        let other = try client.readResponse()
        #expect(other.status == 405 && other.fields["allow"] == "GET, HEAD")
    }

    @Test("an import that stalls says what was done", arguments: ["", "?atomic=true"])
    func stalls(_ query: String) throws {
        var limits = OriginLimits.patient
        limits.contentRateSeconds = 1
        let store = try StoreOrigin(limits: limits)
        let client = try store.client
        client.send(Self.importRequest(store, 1_000_000, query))
        client.send(Self.lines(0..<3) + #"{"slug": "half", "dest"#)
        let answer = try client.readResponse()
        #expect(answer.status == 408, "\(answer.body)")
        let lines = answer.body.split(separator: "\n")
        let isDone = query.isEmpty
        #expect(lines.count == (isDone ? 5 : 2), "\(answer.body)")
        #expect(lines.dropLast().last?.contains("content-stalled") == true)
        #expect(
            lines.last?.contains(isDone ? #""created": 3"# : #""created": 0"#) == true
                && lines.last?.contains(#""complete": false"#) == true, "\(answer.body)")
        #expect(try store.visit("/s/n2").status == (isDone ? 302 : 404))
        #expect(try store.visit("/s/half").status == 404)
        #expect(client.isClosed())
    }
}
