package import Sockets

extension PostgreSQLConnection {
    // MARK: Statements

    /// Runs a statement.
    package func run(
        _ sql: String, _ values: PostgreSQLValue..., by deadline: Deadline
    ) throws(PostgreSQLError) -> PostgreSQLResult {
        try run([PostgreSQLStatement(sql, values: values)], by: deadline)[0]
    }

    /// Runs statements in one round trip. If one fails, those after it are not run; outside of an open
    /// transaction, those before it have no effect either.
    /// - Returns: what each has answered.
    package func run(
        _ statements: [PostgreSQLStatement], by deadline: Deadline
    ) throws(PostgreSQLError) -> [PostgreSQLResult] {
        let (results, failure) = try runBatch(statements, by: deadline)
        if let failure { throw failure }
        return results
    }

    /// Runs statements that have no values and are separated by semicolons, such as those of a schema, as
    /// one transaction unless they say otherwise, and ignores their rows.
    package func execute(_ script: String, by deadline: Deadline) throws(PostgreSQLError) {
        guard try unsafe use({ unsafe library.sendScript($0, script) }) == 1 else {
            throw libraryFailure()
        }
        try flush(by: deadline)
        var failure: PostgreSQLError?
        while let answer = try nextAnswer(by: deadline) {
            switch answer {
            case .failed(let error): failure = failure ?? error
            case .done: break
            case .copying: throw giveUp(PostgreSQLError(.rejected, "a script has a COPY"))
            case .notRun, .batchEnd: break
            }
        }
        if let failure { throw isLost ? giveUp(failure) : failure }
    }

    // MARK: Transactions

    /// Begins a transaction, and runs statements in it, in one round trip.
    /// - Returns: what each has answered.
    package func begin(
        _ statements: [PostgreSQLStatement], by deadline: Deadline
    ) throws(PostgreSQLError) -> [PostgreSQLResult] {
        Array(try run([PostgreSQLStatement("BEGIN")] + statements, by: deadline).dropFirst())
    }

    /// Runs statements in the open transaction and commits it, in one round trip.
    /// - Returns: what each has answered.
    /// - Throws: an error of the class `unknown` if the transaction may be in the database all the same. After
    ///   any other, it is not.
    @discardableResult
    package func commit(
        _ statements: [PostgreSQLStatement] = [], by deadline: Deadline
    ) throws(PostgreSQLError) -> [PostgreSQLResult] {
        if let failure { throw failure }
        _ = takeWarning()
        let batch: (results: [PostgreSQLResult], failure: PostgreSQLError?)
        do throws(PostgreSQLError) {
            batch = try runBatch(
                statements + [Self.durability, PostgreSQLStatement("COMMIT")], by: deadline)
        } catch {
            // The server may have all of it, although no answer came.
            throw error.asUnknown
        }
        if let failure = batch.failure {
            if failure.code == "25P02" {
                rollBack()
                throw Self.failedBefore
            }
            // What has failed before COMMIT keeps it from being done, as do a constraint that is checked there and
            // a conflict with another transaction.
            let isKnown =
                batch.results.count <= statements.count
                || failure.fault != .away && failure.fault != .unknown
            throw isKnown ? failure : failure.asUnknown
        }
        guard batch.results.last?.command == "COMMIT" else { throw Self.failedBefore }
        // A wait for a standby that was cancelled ends in success, and in this warning.
        guard !takeWarning() else {
            throw PostgreSQLError(
                .unknown, code: Self.warning, "the wait for a standby was cancelled")
        }
        return Array(batch.results.prefix(statements.count))
    }

    private static let failedBefore = PostgreSQLError(
        .rejected, "the transaction had failed before")

    /// Lets COMMIT wait for the disk, and for that of a standby if the server names one, whatever a role or a database has set
    /// to the contrary. It is a part of the transaction, because a pool may give each to another session.
    private static let durability = PostgreSQLStatement(
        """
        SELECT set_config('synchronous_commit', 'on', true)
        WHERE current_setting('synchronous_commit') <> 'remote_apply'
        """)

    /// Takes the open transaction back, if there is one and the connection is of use.
    package func rollBack() {
        guard failure == nil, isInTransaction else { return }
        _ = try? run("ROLLBACK", by: Deadline(in: limits.statementMilliseconds))
    }

    static let warning = "01000"

    // MARK: Batches

    /// - Returns: the answers before the first failure, and that.
    /// - Throws: if the connection is of no use any more.
    private func runBatch(
        _ statements: [PostgreSQLStatement], by deadline: Deadline
    ) throws(PostgreSQLError) -> ([PostgreSQLResult], PostgreSQLError?) {
        guard try unsafe use({ unsafe library.enterPipeline($0) }) == 1 else {
            throw libraryFailure()
        }
        for statement in statements { try send(statement) }
        guard try unsafe use({ unsafe library.pipelineSync($0) }) == 1 else {
            throw libraryFailure()
        }
        try flush(by: deadline)
        var results = [PostgreSQLResult]()
        var failure: PostgreSQLError?
        for _ in statements {
            switch try nextAnswer(by: deadline) {
            case .done(let result): results.append(result)
            case .failed(let error):
                if failure == nil { failure = error }
                if isLost { throw giveUp(error) }
            case .notRun: break
            case .copying, .batchEnd, nil: throw giveUp(failure ?? Self.outOfOrder)
            }
            // A server that ends the session says why, and no more.
            guard case nil = try nextAnswer(by: deadline) else {
                throw giveUp(failure ?? Self.outOfOrder)
            }
        }
        guard case .batchEnd? = try nextAnswer(by: deadline),
            try unsafe use({ unsafe library.exitPipeline($0) }) == 1
        else { throw giveUp(failure ?? Self.outOfOrder) }
        return (results, failure)
    }

    static let outOfOrder = PostgreSQLError(
        .away, "the server's answers are not those of the statements")

    private func send(_ statement: PostgreSQLStatement) throws(PostgreSQLError) {
        let values = EncodedValues(statement.values)
        let count = CInt(clamping: statement.values.count)
        let isSent = try unsafe use { handle in
            unsafe values.bytes.withUnsafeBytes { bytes in
                let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                let places = unsafe values.starts.map { start in
                    unsafe start.flatMap { unsafe base?.advanced(by: $0) }
                }
                return unsafe library.sendStatement(
                    handle, statement.sql, count, nil, places, values.lengths, values.formats, 1)
            }
        }
        guard isSent == 1 else { throw libraryFailure() }
    }

    // MARK: Answers

    /// The server's answer to a statement.
    enum Answer {
        case done(PostgreSQLResult)
        case failed(PostgreSQLError)
        /// Rows can be sent or received.
        case copying
        /// A statement before it has failed.
        case notRun
        case batchEnd
    }

    /// Waits for the next answer.
    /// - Returns: nil after the last one of a statement.
    func nextAnswer(by deadline: Deadline) throws(PostgreSQLError) -> Answer? {
        var bytes = 0
        while try unsafe use({ unsafe library.isBusy($0) }) == 1 {
            bytes += try receive(by: deadline)
            guard bytes <= limits.answerBytes else {
                throw giveUp(
                    PostgreSQLError(.away, "an answer has more than \(limits.answerBytes) bytes"))
            }
        }
        guard let answer = try unsafe use({ unsafe library.getResult($0) }) else { return nil }
        let result = unsafe PostgreSQLResult(library, answer)
        account(for: result.messageBytes)
        switch unsafe library.resultStatus(answer) {
        case 0, 1, 2: return .done(result)
        case 3, 4: return .copying
        // A stream in both directions. The library says so again and again.
        case 8: throw giveUp(Self.outOfOrder)
        case 10: return .batchEnd
        case 11: return .notRun
        default: return .failed(result.error)
        }
    }

    static let codeField = CInt(UInt8(ascii: "C"))
}
