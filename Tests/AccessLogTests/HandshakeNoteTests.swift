import AccessLog
import Memory
import Testing

@Suite("What lines say of handshakes")
struct HandshakeNoteTests {
    @Test func `however many names clients ask for, each line says its own`() {
        var line = AccessLine(
            headBytesMax: 0, random: .init(repeating: 0, count: 16), context: AccessContext())
        var lasting = 0
        for number in 0..<1000 {
            for _ in 0..<2 {
                let name = Array("host-\(number).example".utf8)
                let note = note(name, &line)
                if note.isLasting { lasting += 1 }
                #expect(text(note, &line).contains("\"sni\":\"host-\(number).example\"}"))
            }
        }
        #expect((100..<1000).contains(lasting))
        #expect(note(Array("host-0.example".utf8), &line).isLasting)
        let longest = note([UInt8](repeating: 0x01, count: 255), &line)
        #expect(text(longest, &line).contains(String(repeating: "\\u0001", count: 255) + "\"}"))
    }

    private func note(_ name: [UInt8], _ line: inout AccessLine) -> HandshakeNote {
        let facts = HandshakeFacts(
            version: "TLSv1.2", cipher: "none", group: "none", isResumed: true)
        return line.noteHandshake(facts) { notes, position in
            notes.replaceSubrange(position.prefix(name.count), with: name)
            return name.count
        }
    }

    private func text(_ note: HandshakeNote, _ line: inout AccessLine) -> String {
        var entry = AccessEntry()
        entry.handshake = note
        line.write(
            entry, AccessResult(status: 200, bytes: 0, microseconds: 0, outcome: "none"), from: [],
            at: 0)
        return String(decoding: line.text.array, as: UTF8.self)
    }
}
