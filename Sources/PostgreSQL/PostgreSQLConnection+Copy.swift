internal import Sockets

extension PostgreSQLConnection {
    /// Reads many rows: `COPY (SELECT …) TO STDOUT (FORMAT binary)`.
    /// - Parameters:
    ///   - query: of which the rows are. It has no values.
    ///   - body: gets each row, which is only valid until it returns.
    /// - Throws: also if little comes for `stallMilliseconds` of the limits, or more than their `loadBytes` in all. All of
    ///   it may take any time.
    package func copy(
        _ query: String, _ body: (PostgreSQLCopyReader) -> Void
    ) throws(PostgreSQLError) {
        try withoutServerLimit { () throws(PostgreSQLError) in
            try beginCopy("COPY (\(query)) TO STDOUT (FORMAT binary)")
            var reader = PostgreSQLCopyReader()
            var pace = LoadPace(milliseconds: limits.stallMilliseconds)
            while try receive(into: &reader, &pace) {
                do throws(PostgreSQLError) {
                    while try reader.next() { body(reader) }
                } catch {
                    throw giveUp(error)
                }
            }
            try endCopy(by: stall)
            // The server says that it is done, and that there are no more rows; else some are missing.
            guard reader.hasEnded else { throw giveUp(Self.outOfOrder) }
        }
    }

    /// Writes many rows: `COPY table (columns) FROM STDIN (FORMAT binary)`.
    /// - Parameters:
    ///   - target: the table and its columns.
    ///   - next: adds rows; returns false after the last one.
    /// - Returns: the number of rows.
    /// - Throws: also if nothing can be sent for `stallMilliseconds` of the limits.
    @discardableResult
    package func copy(
        into target: String, _ next: (inout PostgreSQLCopyRows) -> Bool
    ) throws(PostgreSQLError) -> Int {
        var rows = PostgreSQLCopyRows()
        try withoutServerLimit { () throws(PostgreSQLError) in
            try beginCopy("COPY \(target) FROM STDIN (FORMAT binary)")
            while next(&rows) {
                if rows.byteCount >= Self.pieceBytes { try put(rows.takePiece()) }
            }
            rows.end()
            try put(rows.takePiece())
            guard try unsafe use({ unsafe library.putCopyEnd($0, nil) }) == 1 else {
                throw libraryFailure()
            }
            let deadline = stall
            try flush(by: deadline)
            try endCopy(by: deadline)
        }
        return rows.count
    }

    private static let pieceBytes = 65_536

    private var stall: Deadline { Deadline(in: limits.stallMilliseconds) }

    /// Runs `body` without the session's limit for a statement, because a load may take any time.
    private func withoutServerLimit(
        _ body: () throws(PostgreSQLError) -> Void
    ) throws(PostgreSQLError) {
        try execute("SET statement_timeout = 0", by: stall)
        let limit = "SET statement_timeout = \(limits.serverStatementMilliseconds)"
        do throws(PostgreSQLError) {
            try body()
        } catch {
            // The end of a transaction that has failed sets it back, too.
            if failure == nil, !isInTransaction { try? execute(limit, by: stall) }
            throw error
        }
        try execute(limit, by: stall)
    }

    /// Waits for a piece of what is copied.
    /// - Returns: false after the last one.
    private func receive(
        into reader: inout PostgreSQLCopyReader, _ pace: inout LoadPace
    ) throws(PostgreSQLError) -> Bool {
        // The library looks through all settings, so its time counts where there are many.
        var began = isOverfull(beside: Self.bufferBytes) ? Clock.monotonicMilliseconds : nil
        while true {
            var start: UnsafeMutableRawPointer?
            let count = Int(try unsafe use { unsafe library.getCopyData($0, &start, 1) })
            guard count == 0 else {
                unsafe reader.add(start, count: max(count, 0))
                unsafe library.freeMemory(start)
                if let began { pace.take(Clock.monotonicMilliseconds - began) }
                try note(max(count, 0), &pace)
                return count > 0
            }
            // All but the beginning of a row has been looked at.
            guard !isOverfull(beside: PostgreSQLCopyReader.rowBytesMax) else {
                throw giveUp(PostgreSQLError(.away, "the server sends more than rows in a load"))
            }
            // What is done with the rows takes its own time.
            let first = began ?? Clock.monotonicMilliseconds
            began = first
            let left = pace.milliseconds - (Clock.monotonicMilliseconds - first)
            try receive(by: Deadline(in: left, of: limits.stallMilliseconds))
        }
    }

    /// Notes a piece of a load, and gives the load up if it cannot be one of Waymark's.
    private func note(_ count: Int, _ pace: inout LoadPace) throws(PostgreSQLError) {
        account(for: count + Self.pieceHeadBytes)
        pace.note(count, of: limits.stallMilliseconds)
        guard pace.bytes <= limits.loadBytes else {
            throw giveUp(
                PostgreSQLError(.configuration, "a load has more than \(limits.loadBytes) bytes"))
        }
    }

    private static let bufferBytes = 65_536
    private static let pieceHeadBytes = 5

    private func beginCopy(_ sql: String) throws(PostgreSQLError) {
        guard try unsafe use({ unsafe library.sendScript($0, sql) }) == 1 else {
            throw libraryFailure()
        }
        let deadline = stall
        try flush(by: deadline)
        switch try nextAnswer(by: deadline) {
        case .copying: return
        case .failed(let error):
            try endCopy(by: deadline)
            throw isLost ? giveUp(error) : error
        default: throw giveUp(Self.outOfOrder)
        }
    }

    private func put(_ piece: [UInt8]) throws(PostgreSQLError) {
        let deadline = stall
        while true {
            let status = try unsafe use { handle in
                unsafe piece.withUnsafeBytes { bytes in
                    unsafe library.putCopyData(handle, bytes.baseAddress, CInt(bytes.count))
                }
            }
            switch status {
            case 1: return try flush(by: deadline)
            case 0: try flush(by: deadline)
            default: throw libraryFailure()
            }
        }
    }

    private func endCopy(by deadline: Deadline) throws(PostgreSQLError) {
        var failure: PostgreSQLError?
        while let answer = try nextAnswer(by: deadline) {
            switch answer {
            case .failed(let error): failure = failure ?? error
            case .done: break
            // The library says so again and again.
            case .copying, .notRun, .batchEnd: throw giveUp(Self.outOfOrder)
            }
        }
        if let failure { throw isLost ? giveUp(failure) : failure }
    }
}

/// The time that is left for the next rows of a load, and the bytes of all rows so far.
private struct LoadPace {
    private(set) var milliseconds: Int
    private(set) var bytes = 0
    private var renewedAt = 0

    init(milliseconds: Int) { self.milliseconds = milliseconds }

    mutating func take(_ spent: Int) { milliseconds -= spent }

    mutating func note(_ count: Int, of limit: Int) {
        bytes += count
        guard bytes - renewedAt >= Self.bytesLeast else { return }
        (milliseconds, renewedAt) = (limit, bytes)
    }

    private static let bytesLeast = 1 << 18
}

extension PostgreSQLCopyReader {
    fileprivate mutating func add(_ start: UnsafeMutableRawPointer?, count: Int) {
        guard let start = unsafe start else { return }
        let bytes = unsafe UnsafeBufferPointer(
            start: start.assumingMemoryBound(to: UInt8.self), count: count)
        unsafe add(bytes.span)
    }
}
