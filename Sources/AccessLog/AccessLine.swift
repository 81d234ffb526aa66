package import Memory

/// Where one loop writes its lines of the access log: room for all that a request's head can hold,
/// escaped, and what no request holds. Nothing here allocates for a line that is written at once.
package struct AccessLine: ~Copyable {
    /// The line that was written last.
    package internal(set) var text: TextBuffer
    /// How lines look now.
    package var context: AccessContext
    var time = LogTime()
    /// Where in `text` the result stands.
    package private(set) var resultRange = 0..<0
    /// What entries refer to that stands in no input, each note at a place of its own.
    package internal(set) var notes: [UInt8]
    var handshakes = HandshakeNotes()

    /// - Parameters:
    ///   - headBytesMax: the longest head of a request.
    ///   - random: 16 bytes that no other loop has.
    package init(headBytesMax: Int, random: [UInt8], context: AccessContext) {
        text = TextBuffer(capacity: 6 * headBytesMax + fixedBytesMax)
        notes = [UInt8](repeating: 0, count: NoteRange.count)
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
            let start = text.count
            writeJSON(result)
            resultRange = start..<text.count
            writeJSONEnd(entry, input)
        case .combined:
            writeCombinedBeginning(entry, input)
            let start = text.count
            writeCombined(result)
            resultRange = start..<text.count
            writeCombinedEnd(entry, input)
        }
    }

    /// The line without its result, for an answer that takes more than a turn.
    package mutating func keep(
        _ entry: AccessEntry, from input: [UInt8], at time: Int
    ) -> KeptLine {
        self.time.set(time)
        text.removeAll()
        let position: Int
        switch context.format {
        case .json:
            writeJSONBeginning(entry, input)
            position = text.count
            writeJSONEnd(entry, input)
        case .combined:
            writeCombinedBeginning(entry, input)
            position = text.count
            writeCombinedEnd(entry, input)
        }
        return KeptLine(bytes: text.array, position: position, format: context.format)
    }

    /// Writes a line that was kept, with its result.
    /// - Parameter aborted: why the answer was not taken whole; nil where it was.
    package mutating func write(
        _ kept: KeptLine, _ result: AccessResult, aborted: StaticString? = nil
    ) {
        text.removeAll()
        text.append(kept.bytes, 0..<kept.position)
        switch kept.format {
        case .json: writeJSON(result, aborted: aborted)
        case .combined: writeCombined(result)
        }
        resultRange = kept.position..<text.count
        text.append(kept.bytes, kept.position..<kept.bytes.count)
    }
}

/// A line that waits for the end of its answer.
package struct KeptLine: Sendable {
    private(set) var bytes: [UInt8]
    /// Where the result belongs.
    let position: Int
    /// That of when it was begun, which a reload may have changed since.
    package let format: AccessFormat

    init(bytes: [UInt8], position: Int, format: AccessFormat) {
        self.bytes = bytes
        self.position = position
        self.format = format
    }

    /// A line that was written with a result already, which stands at `result`.
    package init(written bytes: [UInt8], result: Range<Int>, format: AccessFormat) {
        self.init(
            bytes: Array(bytes[..<result.lowerBound] + bytes[result.upperBound...]),
            position: result.lowerBound, format: format)
    }

    /// Adds what is wrong with the request, which its head did not show.
    package mutating func note(fault: StaticString) {
        guard format == .json else { return }
        bytes.insert(contentsOf: ",\"fault\":\"\(fault)\"".utf8, at: position)
    }
}

/// More than the parts of a line that do not come from the request's head: names of members,
/// addresses, times, the names of a link and of an environment.
private let fixedBytesMax = 4096
