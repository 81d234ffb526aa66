import AccessLog

/// What will be recorded of a request when its answer is finished.
struct UnfinishedRequest {
    var tally: Tally
    /// Nil where no lines are written.
    var line: KeptLine?
    /// Its request id, where the response carries it.
    let saidIdentifier: [UInt8]?
    /// When its first byte came.
    let beganMicroseconds: Int
    /// False where neither log nor counters want it.
    let isRecorded: Bool

    /// One of whose head nothing was kept: a log that begins before its answer is over has nothing
    /// to say of it.
    static func unrecorded(saidIdentifier: [UInt8]?) -> UnfinishedRequest {
        UnfinishedRequest(
            tally: Tally(), line: nil, saidIdentifier: saidIdentifier, beganMicroseconds: 0,
            isRecorded: false)
    }
}

/// An answer as far as it was written.
struct Written {
    let status: Int
    /// Of its content.
    var bytes: Int
}

/// What will be recorded of an answer once the socket has taken it, or the connection has ended.
struct UntakenAnswer {
    /// Where it ends among all bytes that the socket was handed.
    let end: Int
    /// Nil where no line is written.
    var told: (line: KeptLine, result: AccessResult)?
}
