internal import Glibc
package import Sockets

/// A connection to a PostgreSQL server. It belongs to one thread, which waits no longer than the deadline
/// of each step.
///
/// No setting of the library notices a server that was stopped: its kernel goes on acknowledging. So
/// every step waits with poll(2) for the socket. When its deadline has passed, the connection is of no use any
/// more, because an answer that comes later would be taken for that of another statement.
@safe
package final class PostgreSQLConnection {
    let library: PostgreSQLLibrary
    private let handle: OpaquePointer
    private let notices = NoticeList()
    let limits: PostgreSQLLimits
    /// Notifications that have come and were not asked for yet.
    private var notified = [PostgreSQLNotification]()
    /// The bytes that have come and are of no answer, row or notification: mostly values of the session's settings.
    private var strayBytes = 0
    private var isEncrypted = false
    /// The reason for which the connection is of no use any more; nil if it is.
    package private(set) var failure: PostgreSQLError?

    /// Connects to one server, and sets up the session.
    /// - Throws: also when the deadline has passed.
    package init(
        _ library: PostgreSQLLibrary, _ login: PostgreSQLLogin, at endpoint: PostgreSQLEndpoint,
        limits: PostgreSQLLimits = PostgreSQLLimits()
    ) throws(PostgreSQLError) {
        (self.library, self.limits) = (library, limits)
        let deadline = Deadline(in: limits.connectMilliseconds)
        let keywords = try login.keywords(for: endpoint, library)
        let texts = keywords.map { [$0.name, $0.value] }
        let started = unsafe withTexts(texts.map { $0[0] }, texts.map { $0[1] }) {
            unsafe library.connectStart($0, $1, 0)
        }
        guard let handle = unsafe started else {
            throw PostgreSQLError(.away, "there is no memory for a connection")
        }
        unsafe self.handle = handle
        _ = unsafe library.setNoticeReceiver(handle, receiveNotice, notices.opaque(for: library))
        // The library keeps no code of an error of connecting, but says it if it is to be verbose.
        _ = unsafe library.setVerbosity(handle, Self.verbose)
        guard unsafe library.status(handle) != Self.bad else { throw connectError() }
        try finishConnecting(endpoint, by: deadline)
        _ = unsafe library.setVerbosity(handle, Self.terse)
        _ = unsafe library.setNonblocking(handle, 1)
        isEncrypted = usesTLS
        try checkServer()
        try execute(limits.sessionSettings, by: deadline)
    }

    deinit { unsafe library.finish(handle) }

    private func finishConnecting(
        _ endpoint: PostgreSQLEndpoint, by deadline: Deadline
    ) throws(PostgreSQLError) {
        // As after a step that wants to write (PQconnectPoll).
        var events = POLLOUT
        while true {
            guard try waits(for: events, by: deadline) else {
                throw .timeOver(endpoint.description, milliseconds: deadline.limitMilliseconds)
            }
            switch unsafe library.connectPoll(handle) {
            case Self.pollReading: events = POLLIN
            case Self.pollWriting: events = POLLOUT
            case Self.pollDone: return
            default: throw connectError()
            }
        }
    }

    private func connectError() -> PostgreSQLError { PostgreSQLError(ofConnecting: libraryWords) }

    /// Refuses a server that Waymark's statements are not made for.
    private func checkServer() throws(PostgreSQLError) {
        guard serverVersion >= Self.serverVersionMin else {
            throw PostgreSQLError(
                .configuration,
                "the server is PostgreSQL \(serverVersion / 10_000), and 12 is the first that will do"
            )
        }
        if let encoding = parameter("server_encoding"), encoding != "UTF8" {
            throw PostgreSQLError(
                .configuration, "the database's encoding is \(oneLine(encoding)), and must be UTF8")
        }
    }

    private static let serverVersionMin = 120_000

    /// The version of the server: 150020 for 15.20.
    package var serverVersion: Int { unsafe Int(library.serverVersion(handle)) }

    /// The number of the server's process for this connection.
    package var backend: Int { unsafe Int(library.backend(handle)) }

    /// The descriptor of its socket, which can be read when the server has sent something; nil if the connection
    /// is of no use any more.
    package var descriptor: Int? {
        guard failure == nil else { return nil }
        let number = unsafe library.socket(handle)
        return number < 0 ? nil : Int(number)
    }

    /// Whether what is sent is encrypted.
    package var usesTLS: Bool { unsafe library.usesTLS(handle) != 0 }

    /// The server's value of one of its parameters.
    func parameter(_ name: String) -> String? {
        unsafe library.parameter(handle, name).map { unsafe String(cString: $0) }
    }

    /// Whether a transaction is open, also one that has failed.
    package var isInTransaction: Bool {
        [Self.inTransaction, Self.inFailedTransaction].contains(
            unsafe library.transactionStatus(handle))
    }

    /// Whether a warning has come since this was last asked.
    func takeWarning() -> Bool { notices.takeWarning() }

    // MARK: The library

    /// Lets the library do something, if the connection is of use.
    func use<Value>(_ body: (OpaquePointer) -> Value) throws(PostgreSQLError) -> Value {
        if let failure { throw failure }
        return unsafe body(handle)
    }

    /// The connection is of no use any more, because of this. Its socket is shut down at once, so that the
    /// server ends the session and its locks after the statement that it is at.
    func giveUp(_ error: PostgreSQLError) -> PostgreSQLError {
        guard failure == nil else { return error }
        failure = error
        let number = unsafe library.socket(handle)
        if number >= 0 { shutdown(number, CInt(SHUT_RDWR)) }
        return error
    }

    /// The last failure in the library's words; the connection is of no use after it.
    func libraryFailure() -> PostgreSQLError {
        giveUp(PostgreSQLError(.away, oneLine(libraryWords)))
    }

    private var libraryWords: String {
        unsafe library.errorMessage(handle).map { unsafe String(cString: $0) } ?? ""
    }

    /// Whether so much has come besides answers that another connection should take the place of this one.
    package var isOverfull: Bool { isOverfull(beside: 0) }

    /// Whether too much has come besides answers.
    /// - Parameter bytes: the most bytes of answers that have come and are not accounted for yet.
    func isOverfull(beside bytes: Int) -> Bool { strayBytes > limits.strayBytes + bytes }

    /// Notes that so many bytes that have come are of an answer.
    func account(for bytes: Int) {
        // The socket has what TLS adds, too: some bytes for each record.
        let whole = isEncrypted ? bytes + bytes / 128 + 32 : bytes
        strayBytes = max(0, strayBytes - whole)
    }

    /// Whether the library has found the connection closed.
    var isLost: Bool { unsafe library.status(handle) == Self.bad }

    // MARK: Waiting

    /// Waits until the socket can be read or written, or is closed.
    /// - Returns: false if the deadline has passed before.
    private func waits(for events: CInt, by deadline: Deadline) throws(PostgreSQLError) -> Bool {
        while deadline.remaining > 0 {
            // What OpenSSL has decrypted, and the library did not take, makes no socket readable.
            if events & POLLIN != 0, unsafe library.hasDecrypted(handle) { return true }
            // It can be another one after each step of connecting.
            let number = unsafe library.socket(handle)
            guard number >= 0 else { throw libraryFailure() }
            var waiting = pollfd(fd: number, events: Int16(events), revents: 0)
            let count = unsafe poll(&waiting, 1, CInt(clamping: deadline.remaining))
            if count > 0 { return true }
            guard count == 0 || errno == EINTR else {
                throw giveUp(
                    PostgreSQLError(.away, unsafe "poll: \(String(cString: strerror(errno)))"))
            }
        }
        // Also if something has come: of a server that never ends, something always has.
        return false
    }

    /// Sends what the library has, and takes what comes meanwhile.
    func flush(by deadline: Deadline) throws(PostgreSQLError) {
        while true {
            switch try unsafe use({ unsafe library.flush($0) }) {
            case 0: return
            case 1: break
            default: throw libraryFailure()
            }
            guard try waits(for: POLLIN | POLLOUT, by: deadline) else { throw timeOver(deadline) }
            try consume()
        }
    }

    /// Waits until something comes, and takes it.
    /// - Returns: the number of bytes that it has taken, or less where more comes meanwhile.
    @discardableResult
    func receive(by deadline: Deadline) throws(PostgreSQLError) -> Int {
        guard try waits(for: POLLIN, by: deadline) else { throw timeOver(deadline) }
        return try consume()
    }

    /// The bytes that have come and that the library has not taken.
    private var waitingBytes: Int {
        var count: CInt = 0
        _ = unsafe ioctl(library.socket(handle), UInt(FIONREAD), &count)
        return Int(count)
    }

    /// The library's buffer has room for so many whenever it reads.
    private static let readBytesLeast = 8_192

    @discardableResult
    private func consume() throws(PostgreSQLError) -> Int {
        let before = waitingBytes
        guard try unsafe use({ unsafe library.consumeInput($0) }) == 1 else {
            throw libraryFailure()
        }
        // The library takes no more than fits into its buffer, and more has come meanwhile.
        let taken = max(before - waitingBytes, min(before, Self.readBytesLeast))
        strayBytes += taken
        // The library would keep all of them, also on a connection that nobody asks for them.
        while let next = try unsafe use({ unsafe library.notifies($0) }) {
            let notification = unsafe PostgreSQLNotification(at: next)
            if notified.count < Self.notifiedMax { notified.append(notification) }
            account(for: notification.messageBytes)
            unsafe library.freeMemory(next)
        }
        return taken
    }

    /// More are not kept: each of them only says that there is something to read.
    private static let notifiedMax = 1_000

    private func timeOver(_ deadline: Deadline) -> PostgreSQLError {
        giveUp(.timeOver("a statement", milliseconds: deadline.limitMilliseconds))
    }

    /// Notifications that have come since; waits for the first until the deadline.
    /// - Returns: none if none has come. That does not show that the server is there; a statement does.
    package func notifications(
        by deadline: Deadline
    ) throws(PostgreSQLError) -> [PostgreSQLNotification] {
        while true {
            try consume()
            if isLost { throw libraryFailure() }
            guard notified.isEmpty, try waits(for: POLLIN, by: deadline) else { break }
        }
        defer { notified = [] }
        return notified
    }

    // MARK: Numbers of the library's enumerations

    static let bad: CInt = 1
    private static let (pollReading, pollWriting, pollDone): (CInt, CInt, CInt) = (1, 2, 3)
    private static let (terse, verbose): (CInt, CInt) = (0, 2)
    private static let (inTransaction, inFailedTransaction): (CInt, CInt) = (2, 3)
}

/// A message that another session has sent with NOTIFY.
package struct PostgreSQLNotification: Hashable, Sendable {
    package let channel: String
    package let text: String

    /// Reads the library's structure: name, process, text. A server takes no text of 8,000 bytes or more; such a one is
    /// empty here.
    fileprivate init(at start: UnsafeMutableRawPointer) {
        func text(_ offset: Int) -> String {
            let found = unsafe start.load(fromByteOffset: offset, as: UnsafePointer<CChar>?.self)
            guard let pointer = unsafe found,
                unsafe strnlen(pointer, Self.bytesMax) < Self.bytesMax
            else { return "" }
            return unsafe String(cString: pointer)
        }
        (channel, self.text) = (text(0), text(16))
    }

    private static let bytesMax = 8_000

    /// The number of bytes of the notification's message.
    fileprivate var messageBytes: Int { 11 + channel.utf8.count + text.utf8.count }
}

/// The notices that a server has sent, which the library would otherwise print. Of them, only that there was a
/// warning is kept.
@safe
private final class NoticeList {
    private var hasWarning = false
    private var library: PostgreSQLLibrary?

    /// For the library, which calls `receiveNotice` with it as long as the connection is there.
    func opaque(for library: PostgreSQLLibrary) -> UnsafeMutableRawPointer {
        self.library = library
        return unsafe Unmanaged.passUnretained(self).toOpaque()
    }

    func add(_ notice: OpaquePointer) {
        guard let code = unsafe library?.resultField(notice, PostgreSQLConnection.codeField),
            unsafe String(cString: code) == PostgreSQLConnection.warning
        else { return }
        hasWarning = true
    }

    func takeWarning() -> Bool {
        defer { hasWarning = false }
        return hasWarning
    }
}

private let receiveNotice: PostgreSQLLibrary.NoticeReceiver = { list, notice in
    guard let list = unsafe list, let notice = unsafe notice else { return }
    unsafe Unmanaged<NoticeList>.fromOpaque(list).takeUnretainedValue().add(notice)
}

/// Calls `body` with two arrays of texts as C has them.
private func withTexts<Value>(
    _ first: [String], _ second: [String],
    _ body: (PostgreSQLLibrary.Texts?, PostgreSQLLibrary.Texts?) -> Value
) -> Value {
    let names = unsafe first.map { unsafe UnsafePointer(strdup($0)) } + [nil]
    let values = unsafe second.map { unsafe UnsafePointer(strdup($0)) } + [nil]
    defer { unsafe (names + values).forEach { unsafe free(UnsafeMutableRawPointer(mutating: $0)) } }
    return unsafe body(names, values)
}
