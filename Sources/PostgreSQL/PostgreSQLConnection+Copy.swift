internal import Sockets

extension PostgreSQLConnection {
    /// Reads many rows: `COPY (SELECT …) TO STDOUT (FORMAT binary)`.
    /// - Parameters:
    ///   - query: of which the rows are. It has no values.
    ///   - body: gets each row, which is only valid until it returns.
    /// - Throws: also if nothing comes for `stallMilliseconds`; however long all of it takes is no fault.
    package func copy(
        _ query: String, stallMilliseconds: Int, _ body: (PostgreSQLCopyReader) -> Void
    ) throws(PostgreSQLError) {
        try beginCopy("COPY (\(query)) TO STDOUT (FORMAT binary)", stallMilliseconds)
        var reader = PostgreSQLCopyReader()
        while true {
            var start: UnsafeMutableRawPointer?
            let count = try unsafe use { unsafe library.getCopyData($0, &start, 1) }
            if count == 0 {
                try receive(by: Deadline(in: stallMilliseconds))
                continue
            }
            guard count > 0 else { break }
            unsafe reader.add(start, count: Int(count))
            unsafe library.freeMemory(start)
            do throws(PostgreSQLError) {
                while try reader.next() { body(reader) }
            } catch {
                throw giveUp(error)
            }
        }
        try endCopy(by: Deadline(in: stallMilliseconds))
        // The server says that it is done, and that there are no more rows; else some are missing.
        guard reader.hasEnded else { throw giveUp(Self.outOfOrder) }
    }

    /// Writes many rows: `COPY table (columns) FROM STDIN (FORMAT binary)`.
    /// - Parameters:
    ///   - target: the table and its columns.
    ///   - next: adds rows; returns false after the last one.
    /// - Returns: the number of rows.
    /// - Throws: also if nothing can be sent for `stallMilliseconds`.
    @discardableResult
    package func copy(
        into target: String, stallMilliseconds: Int, _ next: (inout PostgreSQLCopyRows) -> Bool
    ) throws(PostgreSQLError) -> Int {
        try beginCopy("COPY \(target) FROM STDIN (FORMAT binary)", stallMilliseconds)
        var rows = PostgreSQLCopyRows()
        var goesOn = true
        while goesOn {
            goesOn = next(&rows)
            if !goesOn { rows.end() }
            guard !goesOn || rows.byteCount < Self.pieceBytes else {
                try put(rows.takePiece(), stallMilliseconds)
                continue
            }
            if !goesOn { try put(rows.takePiece(), stallMilliseconds) }
        }
        let deadline = Deadline(in: stallMilliseconds)
        guard try unsafe use({ unsafe library.putCopyEnd($0, nil) }) == 1 else {
            throw libraryFailure()
        }
        try flush(by: deadline)
        try endCopy(by: deadline)
        return rows.count
    }

    private static let pieceBytes = 65_536

    private func beginCopy(_ sql: String, _ stallMilliseconds: Int) throws(PostgreSQLError) {
        guard try unsafe use({ unsafe library.sendScript($0, sql) }) == 1 else {
            throw libraryFailure()
        }
        let deadline = Deadline(in: stallMilliseconds)
        try flush(by: deadline)
        switch try nextAnswer(by: deadline) {
        case .copying: return
        case .failed(let error):
            try endAnswers(by: deadline)
            throw error
        default: throw giveUp(Self.outOfOrder)
        }
    }

    private func put(_ piece: [UInt8], _ stallMilliseconds: Int) throws(PostgreSQLError) {
        let deadline = Deadline(in: stallMilliseconds)
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
            if case .failed(let error) = answer { failure = failure ?? error }
        }
        if let failure { throw isLost ? giveUp(failure) : failure }
    }

    private func endAnswers(by deadline: Deadline) throws(PostgreSQLError) {
        while case .some = try nextAnswer(by: deadline) {}
    }
}

extension PostgreSQLCopyReader {
    fileprivate mutating func add(_ start: UnsafeMutableRawPointer?, count: Int) {
        guard let start = unsafe start else { return }
        let bytes = unsafe UnsafeBufferPointer(
            start: start.assumingMemoryBound(to: UInt8.self), count: count)
        unsafe add(bytes.span)
    }
}
