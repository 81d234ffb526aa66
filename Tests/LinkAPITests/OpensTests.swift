import LinkAPI
import LinkStore
import Testing
import Visits

@Suite("What apps report") struct OpensTests {
    private static let configuration = """
        version: 1
        apps:
          shop: {name: Shop, ios: {id: ABCDE12345.com.example.shop, store: 123456789}}
        links:
          fdl:
            match: /links/*
            stored: {destinations: [www.example.com], case: exact, firebase: [long-links]}
        environments:
          prod:
            hosts: [go.example.com]
            tls: {certificate: c.pem, key: k.pem}
            publish: {shop: [fdl]}
            store: var/links.db
        """

    /// A long link is not stored: it has no row that could be counted on, and the row of all links
    /// is the sum of the others.
    @Test func `the opening of a stored link is counted, and that of a long link is not`() throws {
        let api = try TestAPI(Self.configuration)
        let slug = try api.create(
            #"{"collection": "fdl", "destination": "https://www.example.com/1"}"#)["slug"]
        func opens(_ url: String) throws -> [Int] {
            let (response, keys) = api.api.readOpens(
                Array(#"[{"url": "\#(url)"}]"#.utf8),
                from: "192.0.2.1", in: api.store.index, at: 1_800_000_000_000)
            #expect(response.status == 204)
            return keys.map(\.link)
        }
        let host = "https://go.example.com/links/"
        #expect(try opens(host + slug) == [1])
        #expect(try opens(host + "?link=https%3A%2F%2Fwww.example.com%2F2") == [])
        #expect(try opens(host + "unknown") == [])
    }

    /// As many as a request may have, with many commas in a URL; and one that is as long and costs ten times as much to read.
    @Test func `what has too many values is not read`() throws {
        let api = try TestAPI(Self.configuration)
        func answer(_ content: String) -> String {
            let (response, _) = api.api.readOpens(
                Array(content.utf8), from: "192.0.2.2", in: api.store.index, at: 1_800_000_000_000)
            return response.status == 204 ? "" : String(decoding: response.content, as: UTF8.self)
        }
        func list(_ open: String, _ count: Int) -> String {
            "[\(repeatElement(open, count: count).joined(separator: ","))]"
        }
        let commas = String(repeating: ",:", count: 200)
        let open =
            #"{"url": "https://go.example.com/\"\\\#(commas)", "at": "2027-01-01T00:00:00Z", "first": true}"#
        #expect(answer(list(open, 100)) == "")
        #expect(answer(list(open, 101)).contains("the list has 101 objects, may have 100"))
        for value in [#"{"":0}"#, #"{" ":0}"#, #"{",":0}"#] {
            for before in ["", #""a"b","#, "\"\n\",", #"\","#] {
                let content = "[\(before)\(list(value, 9_000))]"
                #expect(answer(content).contains("more than 2000 values and names"), "\(before)")
            }
        }
    }
}
