package import Memory

/// The memory in which a loop writes its lines of the access log, with room for the longest line.
/// Writing a line at once allocates nothing.
package struct AccessLine: ~Copyable {
    /// The last line that was written.
    package internal(set) var text: TextBuffer
    /// The current format and constants of lines.
    package var context: AccessContext
    var time = LogTime()
    /// The range of the result in `text`.
    package private(set) var resultRange = 0..<0
    /// Texts of entries that are in no input, each at its own range.
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

    /// Writes a whole line. The entry's ranges are ranges of `input` or of the notes.
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

    /// Writes the line without its result, for a response that takes more than one turn.
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
    /// - Parameter aborted: the reason if the response was aborted, or nil.
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

/// A line that waits for the end of its response.
package struct KeptLine: Sendable {
    private(set) var bytes: [UInt8]
    /// The memory that it takes while it waits.
    package var heldBytes: Int { bytes.capacity }
    /// The offset at which the result is inserted.
    let position: Int
    /// The format when the line was begun; a reload may have changed the current one.
    package let format: AccessFormat

    init(bytes: [UInt8], position: Int, format: AccessFormat) {
        self.bytes = bytes
        self.position = position
        self.format = format
    }

    /// A line that already has a result, at the range `result`.
    package init(written bytes: [UInt8], result: Range<Int>, format: AccessFormat) {
        self.init(
            bytes: Array(bytes[..<result.lowerBound] + bytes[result.upperBound...]),
            position: result.lowerBound, format: format)
    }

    /// Adds a fault of the request that was found after its head.
    package mutating func note(fault: StaticString) {
        guard format == .json else { return }
        bytes.insert(contentsOf: ",\"fault\":\"\(fault)\"".utf8, at: position)
    }
}

/// An upper limit for the parts of a line that do not come from the request's head: names of
/// members, addresses, times, the names of a link and of an environment.
private let fixedBytesMax = 4096
