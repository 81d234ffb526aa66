import ClientAddress
import Glibc
import TestSupport
import Testing

@testable import Origin

@Suite("Networks that guess slugs of stored links")
struct GuessTests {
    private static let network = IPAddress(high: 0, low: 0xFFFF_C000_0201)

    /// Asks for slugs one after the other.
    /// - Returns: how many of them were too many.
    private func ask(
        _ table: inout GuessTable, _ slugs: ClosedRange<UInt64>, at now: Int
    ) -> Int {
        slugs.count { table.note(Self.network, slug: $0, at: now) }
    }

    @Test func `sixty different slugs at once, and one more each second`() {
        var table = GuessTable(isUsed: true)
        #expect(ask(&table, 1...60, at: 0) == 0)
        let isOver = [0, 999, 1_000].map { table.isOver(Self.network, at: $0) }
        #expect(isOver == [true, true, false])
        #expect(ask(&table, 61...61, at: 999) == 1)
        #expect(ask(&table, 62...63, at: 1_000) == 1)
        #expect(ask(&table, 100...159, at: 600_000) == 0)
        let other = table.isOver(IPAddress(high: 0, low: 1), at: 600_000)
        let own = table.isOver(Self.network, at: 600_000)
        #expect(own && !other)
    }

    @Test func `one slug is one miss, however many people ask for it`() {
        var table = GuessTable(isUsed: true)
        for _ in 0..<100 {
            let over = ask(&table, 7...7, at: 0)
            #expect(over == 0)
        }
        #expect(ask(&table, 8...66, at: 0) == 0)
        #expect(ask(&table, 67...67, at: 0) == 1)
        var unused = GuessTable(isUsed: false)
        #expect(ask(&unused, 1...100, at: 0) == 0)
    }

    /// - Returns: the status of each request, all over one connection.
    private func statuses(
        _ paths: [String], _ store: StoreOrigin, fields: String = ""
    ) throws -> [Int] {
        let visitor = try TestClient(port: store.origin.httpPort)
        return try paths.map { path in
            visitor.send(
                "GET \(path) HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https\r\n\(fields)\r\n"
            )
            return try visitor.readResponse().status
        }
    }

    private func guesses(_ count: Int, from first: Int = 0) -> [String] {
        (first..<first + count).map { "/s/guess\($0)" }
    }

    private func makeLink(_ store: StoreOrigin, _ slug: String) throws {
        let maker = try store.client
        maker.send(store.creation(slug))
        #expect(try maker.readResponse().status == 201)
    }

    @Test func `a connection that goes on guessing learns nothing more, and others do`() throws {
        let store = try StoreOrigin()
        try makeLink(store, "a")
        #expect(try statuses(guesses(60) + ["/s/a"], store).last == 302)
        // The network may not ask for another one.
        let guesser = try statuses(["/s/a"] + guesses(3, from: 60) + ["/s/a", "/s/a"], store)
        #expect(guesser == [302, 404, 404, 404, 404, 404])
        // Nobody else is affected, also of the same network.
        #expect(try statuses(["/s/a", "/s/a"], store) == [302, 302])
        let events = store.origin.reported.filter { event in
            if case .peers(.guesses, _, _) = event { true } else { false }
        }
        #expect(events.count == 1, "\(store.origin.reported)")
    }

    @Test func `a disabled slug is a miss like any other`() throws {
        let store = try StoreOrigin()
        try makeLink(store, "a")
        let maker = try store.client
        maker.send(
            store.request(
                "POST", "links",
                #"{"slug": "off", "state": "disabled", "destination": "https://www.example.com/"}"#)
        )
        #expect(try maker.readResponse().status == 201)
        let guesser = try statuses(guesses(59) + ["/s/off", "/s/off", "/s/a"], store)
        #expect(Array(guesser.suffix(3)) == [404, 404, 404])
    }

    @Test func `a proxy's connection is of many clients, so its links are looked up`() throws {
        let store = try StoreOrigin()
        try makeLink(store, "a")
        let client = "X-Forwarded-For: 192.0.2.1\r\n"
        #expect(try statuses(guesses(70) + ["/s/a"], store, fields: client).last == 302)
        let isTold = store.origin.reported.contains { event in
            if case .peers(.guesses, let network, _) = event {
                "\(network)" == "192.0.2.1"
            } else {
                false
            }
        }
        #expect(isTold)
    }

    @Test func `an app that goes on guessing gets no more links, and its neighbours do`() throws {
        let store = try StoreOrigin()
        try makeLink(store, "a")
        func resolve(_ slug: String) -> String {
            "/_/resolve?url=https%3A%2F%2Flocalhost%2Fs%2F\(slug)"
        }
        let guesses = (0..<62).map { resolve("guess\($0)") }
        let found = try statuses([resolve("a")] + guesses + [resolve("a"), "/s/a"], store)
        #expect(found.first == 200 && found.suffix(2) == [404, 404])
        // Also in the same network, and where a page is asked for.
        #expect(try statuses([resolve("a"), "/s/a"], store) == [200, 302])
        // A proxy's connection is of many clients.
        let client = "X-Forwarded-For: 192.0.2.1\r\n"
        #expect(
            try statuses(guesses + [resolve("a")], store, fields: client).last == 200)
    }
}
