private import URISyntax

/// Finds the content of a request and its end (RFC 9112 §6, §7.1). Content that no handler takes is
/// read and discarded, so that the next request on the connection is read from its beginning.
package struct ContentReader: Sendable {
    private var state: State
    /// The content bytes that were read.
    private var contentBytes = 0
    /// The bytes of the current line, or of the trailer section, that were read.
    private var lineBytes = 0
    /// The bytes after the request's head that were read.
    package private(set) var takenBytes = 0
    private let contentBytesMax: Int
    private let chunkLineBytesMax: Int
    private let trailerBytesMax: Int

    private enum State: Sendable {
        case fixed(left: Int)
        /// In the size; `digits` of it were read.
        case size(Int, digits: Int)
        case chunkExtension(Int, ChunkExtension)
        case sizeLineFeed(Int)
        case data(left: Int)
        case dataCarriageReturn, dataLineFeed
        /// At the start of a trailer line, in its name or value, or before the line feed of a
        /// trailer line or of the last line.
        case trailerStart, trailerName, trailerValue, trailerLineFeed, lastLineFeed
        case finished
    }

    /// - Throws: an error if the announced length exceeds the limit.
    package init(_ framing: RequestHead.Framing, limits: RequestLimits) throws(MessageError) {
        contentBytesMax = min(limits.contentBytesMax, Self.contentBytesMost)
        chunkLineBytesMax = limits.chunkLineBytesMax
        trailerBytesMax = limits.trailerBytesMax
        switch framing {
        case .none: state = .finished
        case .length(let count):
            guard count <= contentBytesMax else { throw .init(.contentTooLarge, at: 0) }
            state = count == 0 ? .finished : .fixed(left: count)
        case .chunked: state = .size(0, digits: 0)
        }
    }

    /// A size of at most this many bytes has room for another digit.
    private static let contentBytesMost = Int.max >> 4

    package var isFinished: Bool {
        if case .finished = state { return true }
        return false
    }

    /// Takes content from the range's start, and returns the number of bytes that belong to it.
    /// - Parameter found: called with each range of `bytes` that is content, without its framing.
    /// - Throws: `MessageError`, its offset from the range's start.
    package mutating func take(
        _ bytes: [UInt8], _ range: Range<Int>, found: (Range<Int>) -> Void = { _ in }
    ) throws(MessageError) -> Int {
        let start = range.lowerBound
        let span = bytes.span.extracting(range)
        var index = 0
        while index < span.count, !isFinished {
            switch state {
            case .fixed(let left):
                let taken = min(left, span.count - index)
                state = taken == left ? .finished : .fixed(left: left - taken)
                found(start + index..<start + index + taken)
                index += taken
            case .data(let left):
                let taken = min(left, span.count - index)
                state = taken == left ? .dataCarriageReturn : .data(left: left - taken)
                found(start + index..<start + index + taken)
                index += taken
            default:
                try step(span[index], at: index)
                index += 1
            }
        }
        takenBytes += index
        return index
    }

    /// Processes one octet of a chunk's frame or of the trailer section.
    private mutating func step(_ byte: UInt8, at index: Int) throws(MessageError) {
        let invalid = MessageError(.invalidChunk, at: index)
        lineBytes += 1
        switch state {
        case .size(let size, let digits):
            try stepSize(byte, size, digits, at: index)
        case .chunkExtension(let size, let position):
            if byte == .carriageReturn, position.canEnd {
                state = .sizeLineFeed(size)
            } else {
                guard let next = position.next(byte), lineBytes <= chunkLineBytesMax else {
                    throw invalid
                }
                state = .chunkExtension(size, next)
            }
        case .sizeLineFeed(let size):
            guard byte == .lineFeed else { throw invalid }
            lineBytes = 0
            state = size == 0 ? .trailerStart : .data(left: size)
        case .dataCarriageReturn:
            guard byte == .carriageReturn else { throw invalid }
            state = .dataLineFeed
        case .dataLineFeed:
            guard byte == .lineFeed else { throw invalid }
            lineBytes = 0
            state = .size(0, digits: 0)
        case .trailerStart, .trailerName, .trailerValue, .trailerLineFeed, .lastLineFeed:
            try stepTrailer(byte, at: index)
        case .fixed, .data, .finished:
            preconditionFailure("taken in one piece")
        }
    }

    private mutating func stepSize(
        _ byte: UInt8, _ size: Int, _ digits: Int, at index: Int
    ) throws(MessageError) {
        if let digit = byte.hexDigitValue {
            // The limit on digits also limits leading zeros.
            guard digits < 16 else { throw .init(.invalidChunk, at: index) }
            // A size over the limit stays over it, and cannot overflow.
            let size = size > contentBytesMax ? size : size << 4 | Int(digit)
            state = .size(size, digits: digits + 1)
            return
        }
        let isEnd = byte == .carriageReturn || byte == .semicolon
        guard digits > 0, isEnd else { throw .init(.invalidChunk, at: index) }
        guard size <= contentBytesMax - contentBytes else {
            throw .init(.contentTooLarge, at: index)
        }
        contentBytes += size
        state = byte == .semicolon ? .chunkExtension(size, .nameStart) : .sizeLineFeed(size)
    }

    private mutating func stepTrailer(_ byte: UInt8, at index: Int) throws(MessageError) {
        guard lineBytes <= trailerBytesMax else { throw .init(.trailerTooLarge, at: index) }
        switch (state, byte) {
        case (.trailerStart, .carriageReturn): state = .lastLineFeed
        case (.trailerStart, _) where byte.isTchar: state = .trailerName
        case (.trailerName, .colon): state = .trailerValue
        case (.trailerName, _) where byte.isTchar: break
        case (.trailerValue, .carriageReturn): state = .trailerLineFeed
        case (.trailerValue, _) where byte.isFieldContent: break
        case (.trailerLineFeed, .lineFeed): state = .trailerStart
        case (.lastLineFeed, .lineFeed): state = .finished
        default: throw .init(.invalidChunk, at: index)
        }
    }
}
