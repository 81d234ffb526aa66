import Foundation
import Glibc
import LinkStore
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

    private static func importRequest(_ store: StoreOrigin, _ length: Int, _ query: String = "")
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
        #expect(exported[..<end.lowerBound].contains("Waymark-Generation: 1"))
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
        try wait { store.service.transfers.withLock { $0 } == 0 }
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

    @Test func `too many at once are refused, and a place becomes free`() throws {
        let store = try StoreOrigin()
        var running = [TestClient]()
        for _ in 0..<4 {
            let client = try store.client
            client.send(Self.importRequest(store, 1000))
            running.append(client)
        }
        try wait { store.service.transfers.withLock { $0 } == 4 }
        let client = try store.client
        client.send(store.request("GET", "export"))
        let refused = try client.readResponse()
        #expect(refused.status == 503)
        #expect(refused.fields["retry-after"] == "5")
        running = []
        try wait { store.service.transfers.withLock { $0 } == 0 }
        let next = try store.client
        next.send(store.request("GET", "export"))
        #expect(try next.readResponse().status == 200)
    }
}
