import Memory

/// What a handshake agreed on, by the names of the registries of TLS.
package struct HandshakeFacts: Sendable {
    package let version: StaticString
    package let cipher: StaticString
    package let group: StaticString
    package let isResumed: Bool

    package init(
        version: StaticString, cipher: StaticString, group: StaticString, isResumed: Bool
    ) {
        self.version = version
        self.cipher = cipher
        self.group = group
        self.isResumed = isResumed
    }
}

/// What lines say of a handshake, as a place in the loop's notes of handshakes. Connections whose
/// handshakes went alike share it.
package struct HandshakeNote: Sendable {
    let start: Int32
    let end: Int32
    /// Whether the place is the note's for good; otherwise only for the next line.
    package let isLasting: Bool

    /// A connection without TLS, or lines that say nothing of it.
    package static let none = HandshakeNote(start: 0, end: 0, isLasting: true)

    var range: Range<Int> { Int(start)..<Int(end) }
}

extension AccessLine {
    /// Whether lines hold more than nginx's: request ids, routes, kinds of clients, handshakes.
    package var isDetailed: Bool { context.format == .json }

    /// Writes what lines of a connection say of its handshake.
    /// - Parameter serverName: puts the name of the server that the client asked for at a place
    ///   that it is given, and returns its length.
    package mutating func noteHandshake(
        _ facts: HandshakeFacts, serverName: (inout [UInt8], Range<Int>) -> Int
    ) -> HandshakeNote {
        let name = NoteRange.serverName.prefix(serverName(&notes, NoteRange.serverName))
        text.removeAll()
        writeJSON(facts, name)
        return handshakes.note(text)
    }
}

/// Notes of handshakes, one after the other, each there once. When a client has asked for so many
/// names that there is no room, the last place is used again and again.
struct HandshakeNotes: Sendable {
    private(set) var bytes = [UInt8](repeating: 0, count: bytesMax + scratchBytes)
    private var notes = [HandshakeNote]()
    private var end = 0

    mutating func note(_ text: borrowing TextBuffer) -> HandshakeNote {
        let wanted = text.array
        for note in notes where bytes[note.range].elementsEqual(wanted) { return note }
        let isLasting = end + wanted.count <= Self.bytesMax
        let start = isLasting ? end : Self.bytesMax
        let position = start..<start + min(wanted.count, Self.scratchBytes)
        bytes.replaceSubrange(position, with: wanted.prefix(position.count))
        let note = HandshakeNote(
            start: Int32(position.lowerBound), end: Int32(position.upperBound), isLasting: isLasting
        )
        if isLasting {
            end = position.upperBound
            notes.append(note)
        }
        return note
    }

    /// A hundred names and more.
    private static let bytesMax = 16384
    /// The longest note: a name of 255 bytes, each escaped to six.
    private static let scratchBytes = 2048
}
