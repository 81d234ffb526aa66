package import Memory

/// Where a line of the access log is written before it goes to the ring: a buffer that has room for
/// all that a request's head can hold, escaped.
package struct AccessLine: ~Copyable {
    package private(set) var buffer: ByteBuffer
    package var time = LogTime()

    /// - Parameter headBytesMax: the longest head of a request.
    package init(headBytesMax: Int) {
        buffer = ByteBuffer(capacity: 6 * headBytesMax + fixedBytesMax)
    }

    /// Writes a whole line.
    package mutating func write(
        _ entry: AccessEntry, _ result: AccessResult, from input: [UInt8], notes: [UInt8],
        _ context: AccessContext
    ) {
        buffer.removeAll()
        writeBeginning(entry, input, notes, context)
        write(result, context.format)
        writeEnd(entry, input, notes, context)
    }

    /// Writes a line without its result, for an answer that takes more than a turn, and returns
    /// where the result belongs.
    package mutating func write(
        _ entry: AccessEntry, from input: [UInt8], notes: [UInt8], _ context: AccessContext
    ) -> Int {
        buffer.removeAll()
        writeBeginning(entry, input, notes, context)
        let place = buffer.count
        writeEnd(entry, input, notes, context)
        return place
    }

    /// Writes a line that was kept, with its result at `place`.
    package mutating func write(
        _ kept: [UInt8], _ result: AccessResult, at place: Int, _ format: AccessFormat
    ) {
        buffer.removeAll()
        buffer.append(kept, 0..<place)
        write(result, format)
        buffer.append(kept, place..<kept.count)
    }

    private mutating func writeBeginning(
        _ entry: AccessEntry, _ input: [UInt8], _ notes: [UInt8], _ context: AccessContext
    ) {
        switch context.format {
        case .json: buffer.appendJSONBeginning(entry, input, notes, time, context.isAnonymized)
        case .combined: buffer.appendCombinedBeginning(entry, input, time, context.isAnonymized)
        }
    }

    private mutating func write(_ result: AccessResult, _ format: AccessFormat) {
        switch format {
        case .json: buffer.appendJSON(result)
        case .combined: buffer.appendCombined(result)
        }
    }

    private mutating func writeEnd(
        _ entry: AccessEntry, _ input: [UInt8], _ notes: [UInt8], _ context: AccessContext
    ) {
        switch context.format {
        case .json: buffer.appendJSONEnd(entry, input, notes, context)
        case .combined: buffer.appendCombinedEnd(entry, input)
        }
    }
}

/// More than the parts of a line that do not come from the request's head: names of members,
/// addresses, times, the name of a link and of an environment.
private let fixedBytesMax = 4096
