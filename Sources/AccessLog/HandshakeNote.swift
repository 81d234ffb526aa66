import Memory

/// The parameters of a handshake, with the names of the TLS registries.
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

/// The part of a line that describes a handshake, as a range of the loop's notes. Connections with
/// equal handshakes share it.
package struct HandshakeNote: Sendable {
    let start: Int32
    let end: Int32
    /// Whether the range is permanent; otherwise it is valid only for the next line.
    package let isLasting: Bool

    /// For a connection without TLS, or lines without TLS members.
    package static let none = HandshakeNote(start: 0, end: 0, isLasting: true)

    var range: Range<Int> { Int(start)..<Int(end) }
}

extension AccessLine {
    /// Whether lines contain more than nginx's: request ids, routes, kinds of clients, handshakes.
    package var isDetailed: Bool { context.format == .json }

    /// Writes the part of a connection's lines that describes its handshake.
    /// - Parameter serverName: writes the server name that the client sent to the given offset, and
    ///   returns its length.
    package mutating func noteHandshake(
        _ facts: HandshakeFacts, serverName: (inout [UInt8], Range<Int>) -> Int
    ) -> HandshakeNote {
        let name = NoteRange.serverName.prefix(serverName(&notes, NoteRange.serverName))
        text.removeAll()
        writeJSON(facts, name)
        return handshakes.note(text)
    }
}

/// Notes of handshakes, each stored once. If clients have sent so many server names that there is
/// no room, the last range is used again for each line.
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

    /// Room for more than a hundred names.
    private static let bytesMax = 16384
    /// The longest note: a name of 255 bytes, each escaped to six.
    private static let scratchBytes = 2048
}
