import Testing

@testable import Certificates

@Suite("What a node of a fleet notes for its operator") struct FleetNoteTests {
    private static let later = FleetNote.Due(
        host: "a.example", time: "2027-01-02T03:04:05Z", isOver: false)
    private static let over = FleetNote.Due(
        host: "a.example", time: "2027-01-02T03:04:05Z", isOver: true)

    @Test(
        "who requests certificates now and next, and what keeps the node from it",
        arguments: [
            (
                nil, nil, later,
                "this node is \"web1.1\"; no node has the turn to request certificates, because none is due before "
                    + "2027-01-02T03:04:05Z, when \"a.example\" is"
            ),
            (
                nil, nil, over,
                "this node is \"web1.1\"; no node has the turn to request certificates, and \"a.example\" is due since "
                    + "2027-01-02T03:04:05Z"
            ),
            (
                nil, nil, nil,
                "this node is \"web1.1\"; no node has the turn to request certificates, because none is due"
            ),
            (
                "web2.2", nil, over,
                "this node is \"web1.1\"; \"web2.2\" has the turn: it requests the certificates that are due, for all nodes"
            ),
            (
                "web1.1", nil, over,
                "this node is \"web1.1\", and has the turn: it requests the certificates that are due, for all nodes"
            ),
            (
                "web2.2", "it is away", later,
                "this node is \"web1.1\", and requests no certificates: it is away"
            ),
        ] as [(String?, String?, FleetNote.Due?, String)])
    func says(holder: String?, fault: String?, next: FleetNote.Due?, words: String) {
        let note = FleetNote(
            node: "web1.1", holder: holder, fault: fault, advice: fault.map { _ in "wait for it" })
        let lines = note.words(next: next)
        #expect(lines.first == words)
        #expect(lines.count >= 2 && lines.dropFirst().allSatisfy { $0.hasPrefix("    ") })
        #expect(lines.contains("    wait for it") == (fault != nil))
        #expect(FleetNote(json: note.json) == note)
    }

    @Test func `another text is none`() {
        for text in ["", "{}", "[]", "{\"node\": 1}", "{\"node\": \"a\""] {
            #expect(FleetNote(json: Array(text.utf8)) == nil, "\(text)")
        }
    }
}
