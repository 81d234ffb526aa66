package import Memory

/// Where one loop writes its lines of the access log: room for all that a request's head can hold,
/// escaped, and what no request holds. Nothing here allocates for a line that is written at once.
package struct AccessLine: ~Copyable {
    /// The line that was written last.
    package internal(set) var text: TextBuffer
    /// How lines look now.
    package var context: AccessContext
    var time = LogTime()
    /// What entries refer to that stands in no input, each note at a place of its own.
    package internal(set) var notes: [UInt8]
    var handshakes = HandshakeNotes()

    /// - Parameters:
    ///   - headBytesMax: the longest head of a request.
    ///   - random: 16 bytes that no other loop has.
    package init(headBytesMax: Int, random: [UInt8], context: AccessContext) {
        text = TextBuffer(capacity: 6 * headBytesMax + fixedBytesMax)
        notes = [UInt8](repeating: 0, count: NotePlace.count)
        self.context = context
        writeIdentifier(random)
    }

    /// Writes a whole line; places of the entry are places in `input`, or in the notes.
    /// - Parameter time: in microseconds since 1970.
    package mutating func write(
        _ entry: AccessEntry, _ result: AccessResult, from input: [UInt8], at time: Int
    ) {
        self.time.set(time)
        text.removeAll()
        switch context.format {
        case .json:
            writeJSONBeginning(entry, input)
            writeJSON(result)
            writeJSONEnd(entry, input)
        case .combined:
            writeCombinedBeginning(entry, input)
            writeCombined(result)
            writeCombinedEnd(entry, input)
        }
    }

    /// The line without its result, for an answer that takes more than a turn.
    package mutating func keep(
        _ entry: AccessEntry, from input: [UInt8], at time: Int
    ) -> KeptLine {
        self.time.set(time)
        text.removeAll()
        let place: Int
        switch context.format {
        case .json:
            writeJSONBeginning(entry, input)
            place = text.count
            writeJSONEnd(entry, input)
        case .combined:
            writeCombinedBeginning(entry, input)
            place = text.count
            writeCombinedEnd(entry, input)
        }
        return KeptLine(bytes: text.array, place: place, format: context.format)
    }

    /// Writes a line that was kept, with its result.
    package mutating func write(_ kept: KeptLine, _ result: AccessResult) {
        text.removeAll()
        text.append(kept.bytes, 0..<kept.place)
        switch kept.format {
        case .json: writeJSON(result)
        case .combined: writeCombined(result)
        }
        text.append(kept.bytes, kept.place..<kept.bytes.count)
    }
}

/// A line that waits for the end of its answer.
package struct KeptLine: Sendable {
    let bytes: [UInt8]
    /// Where the result belongs.
    let place: Int
    let format: AccessFormat
}

/// More than the parts of a line that do not come from the request's head: names of members,
/// addresses, times, the names of a link and of an environment.
private let fixedBytesMax = 4096
