import Testing

@testable import Certificates

@Suite("What a node of a fleet notes for its operator") struct FleetNoteTests {
    @Test(
        "whose turn it is, and what keeps the node from one",
        arguments: [
            (nil, nil, "no node requests a certificate now"),
            ("web2.2", nil, "the node \"web2.2\" requests certificates now"),
            ("web1.1", nil, "the node \"web1.1\" requests certificates now, which is this one"),
            ("web2.2", "it is away", "this node requests no certificates: it is away"),
        ] as [(String?, String?, String)])
    func says(holder: String?, fault: String?, words: String) {
        let note = FleetNote(node: "web1.1", holder: holder, fault: fault)
        #expect(note.words == words)
        #expect(FleetNote(json: note.json) == note)
    }

    @Test func `another text is none`() {
        for text in ["", "{}", "[]", "{\"node\": 1}", "{\"node\": \"a\""] {
            #expect(FleetNote(json: Array(text.utf8)) == nil, "\(text)")
        }
    }
}
