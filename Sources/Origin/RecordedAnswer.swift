import AccessLog

/// What will be told of a request when its answer is over.
struct UnfinishedRequest {
    var tally: Tally
    /// Nil where no lines are written.
    var line: KeptLine?
    /// What it is called, where its answer will say so.
    let saidIdentifier: [UInt8]?
    /// When its first byte was there.
    let beganMicroseconds: Int
    /// Whether anybody wants to hear of it.
    let isRecorded: Bool

    /// One of whose head nothing was kept: a log that begins before its answer is over has nothing
    /// to say of it.
    static var untold: UnfinishedRequest {
        UnfinishedRequest(
            tally: Tally(), line: nil, saidIdentifier: nil, beganMicroseconds: 0, isRecorded: false)
    }
}

/// An answer as far as it was written.
struct Written {
    let status: Int
    /// Of its content.
    var bytes: Int
}

/// What will be told of an answer once the socket has taken it, or the connection has ended.
struct UntakenAnswer {
    /// Where it ends among all bytes that the socket was handed.
    let end: Int
    /// Nil where no line is written.
    var told: (line: KeptLine, result: AccessResult)?
}
