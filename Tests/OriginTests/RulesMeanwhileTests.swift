import Foundation
import LinkAPI
import Services
import TestSupport
import Testing

@testable import Origin

/// A client decides how long its request lasts, so the rules that count are those of the moment at
/// which something is kept.
@Suite("Requests that a reload overtakes")
struct RulesMeanwhileTests {
    @Test(arguments: [true, false])
    func `a link is not made by rules that were replaced`(_ areReplaced: Bool) throws {
        let store = try StoreOrigin()
        let json = #"{"slug": "a", "destination": "https://www.example.com/a"}"#
        let request = store.request("POST", "links", json, "Expect: 100-continue\r\n")
        let client = try store.client
        client.send(String(request.dropLast(json.count)))
        #expect(try client.readResponse().status == 100)
        try reload(store, areReplaced)
        client.send(json)
        let answer = try client.readResponse()
        #expect(answer.status == (areReplaced ? 503 : 201), "\(answer)")
        #expect(answer.body.contains("replaced while the request was under way") == areReplaced)
        #expect(try store.visit("/s/a").status == (areReplaced ? 404 : 302))
    }

    @Test(arguments: [true, false])
    func `the rest of an import is not made by rules that were replaced`(
        _ areReplaced: Bool
    ) throws {
        let store = try StoreOrigin()
        // More than are handed over at once, so that the first lines are written before the rest comes.
        let lines = (0..<10_100).map { number in
            #"{"slug": "n\#(number)", "destination": "https://www.example.com/"}"# + "\n"
        }
        let (first, rest) = (lines[..<10_050].joined(), lines[10_050...].joined())
        let client = try store.client
        client.send(
            LinkTransferTests.importRequest(store, first.utf8.count + rest.utf8.count))
        client.send(first)
        while try store.visit("/s/n9999").status != 302 { usleep(10_000) }
        try reload(store, areReplaced)
        client.send(rest)
        let answer = try client.readResponse()
        #expect(answer.status == (areReplaced ? 503 : 200))
        // Those that had come when the rules were replaced may have been made, too.
        let created =
            areReplaced
            ? [LinkImport.batchLinesMax, first.utf8.count { $0 == 0x0A }] : [lines.count]
        #expect(
            created.contains { answer.body.contains(#""created": \#($0)"#) },
            "\(answer.body.suffix(400))")
        #expect(try store.visit("/s/n10099").status == (areReplaced ? 404 : 302))
    }

    /// Sets the rules as a reload does.
    private func reload(_ store: StoreOrigin, _ areReplaced: Bool) throws {
        let before = try #require(store.service.api)
        store.service.api = areReplaced ? LinkAPI(environment: "e", sites: []) : before
    }
}
