import Foundation
import LinkAPI
import LinkStore
import Testing

/// Each refusal says what is wrong, and what helps.
@Suite struct MessageTests {
    @Test(arguments: [
        "", "  ", "[]", "7", #"{"collection": "short", "note": "\u0001"}"#,
        #"{"collection": "short", "note": ""}"#, #"{"collection": "short", "tags": [""]}"#,
        #"{"collection": "short", "page": {}}"#, #"{"collection": "short", "page": "x"}"#,
        #"{"collection": "short", "archived": "yes"}"#, #"{"collection": "short", "web": 7}"#,
        #"{"collection": "short", "state": "gone"}"#, #"{"collection": "short", "tags": "x"}"#,
        #"{"collection": "short", "from": "soon", "until": 1}"#,
        #"{"collection": "short", "x": 1}"#,
        #"{"collection": "\#(String(repeating: "c", count: 65))"}"#, #"{"collection": "sho rt"}"#,
        #"{"collection": "short", "slug": "a b"}"#, #"{"collection": "short", "destination": "x"}"#,
        #"{"collection": "short", "page": {"title": "t", "schema": {"@type": "T", "x": "\#(String(repeating: "x", count: 9_000))"}}}"#,
        #"{"collection": "short", "externalId": "\#(String(repeating: "e", count: 129))"}"#,
        #"{"collection": "short", "app": {"data": {"a": ""}, "path": ""}}"#,
    ])
    func aRefusedLinkHasAdvice(content: String) throws {
        let answer = try TestAPI().ask(
            "POST", "links", content, ["content-type": "application/json"])
        let errors = answer.object["errors"] as? [[String: Any]] ?? []
        #expect(!errors.isEmpty && answer.status >= 400, "\(answer.text)")
        #expect(errors.allSatisfy { $0["advice"] != nil }, "\(answer.text)")
    }

    /// What helps in a configuration alone is no advice on JSON.
    @Test(arguments: [
        (#""note": "a\r\nb""#, "/note control-character", "remove it"),
        (#""page": {"title": "a\u0007"}"#, "/page/title control-character", "remove it"),
        (#""app": {"data": {"a": "\u0001"}}"#, "/app/data/a control-character", "remove it"),
        (#""state": "disabled // for now""#, "/state wrong-value", ""),
        (#""slug": "${NAME}""#, "/slug wrong-value", "write the value"),
    ])
    func adviceIsOnJSON(_ member: String, _ fault: String, _ advice: String) throws {
        let answer = try TestAPI().ask(
            "POST", "links",
            #"{"collection": "short", "destination": "https://www.example.com/", \#(member)}"#)
        let errors = answer.object["errors"] as? [[String: Any]] ?? []
        #expect(answer.faults == [fault], "\(answer.text)")
        #expect(advice.isEmpty || errors.first?["advice"] as? String == advice, "\(answer.text)")
        #expect(!answer.text.contains("begins with #") && !answer.text.contains("yaml"))
    }

    @Test(arguments: [
        "", "{}", "[7]", "[{}]", #"[{"url": 7}]"#, #"[{"url": "x", "at": "soon"}]"#,
        #"[{"url": "x", "first": 1, "y": 2}]"#,
        "[\(Array(repeating: "{}", count: 101).joined(separator: ","))]",
        #"[{"url": "\#(String(repeating: "u", count: 4_097))"}]"#,
    ])
    func aRefusedReportHasAdvice(content: String) throws {
        let api = try TestAPI()
        let answer = api.api.readOpens(
            Array(content.utf8), from: "192.0.2.1", in: api.store.index, at: 1_800_000_000_000
        ).response
        let errors = answer.object["errors"] as? [[String: Any]] ?? []
        #expect(!errors.isEmpty && answer.status >= 400, "\(answer.text)")
        #expect(errors.allSatisfy { $0["advice"] != nil }, "\(answer.text)")
    }

    @Test func aRefusedRequestSaysWhy() throws {
        let api = try TestAPI()
        for (method, path) in [
            ("GET", "nothing"), ("PUT", "links"),
            ("GET", "links/01893a4c-1b2c-7d3e-8f40-123456789abc"),
        ] {
            let answer = api.ask(method, path)
            #expect(answer.status >= 400 && !answer["detail"].isEmpty, "\(answer.text)")
        }
        // Only for whoever has it.
        let elsewhere = api.ask("GET", "links", isLocal: false)
        #expect(elsewhere.status == 401 && elsewhere["detail"].contains("STORE.token"))
        let other = api.ask("GET", "links", token: "other", isLocal: false)
        #expect(other.status == 401 && !other["detail"].contains("STORE.token"))
        let found = api.ask("GET", "links:find?collection=shrt&slug=a")
        #expect(found.status == 404 && found.text.contains("did you mean"), "\(found.text)")
    }
}
