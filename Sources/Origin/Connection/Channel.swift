import Answering
import Memory
import Snapshots
import Sockets
import TLS

/// A socket, with a TLS session where the connection speaks TLS, and the bytes that the socket did
/// not take. It knows nothing of requests.
struct Channel: ~Copyable {
    private let socket: Socket
    private var tls: TLSSession?

    /// The event that the channel waits for.
    private(set) var interest = Interest.reading
    /// The reason why nothing more can be sent or received; nil while it can.
    private(set) var failure: Failure?
    /// The number of bytes ever handed to the socket, those that it did not take included.
    private(set) var handedBytes = 0

    private(set) var isHandshaken = false
    /// The reason why the handshake failed, if the connection ends before it is complete.
    private(set) var handshakeError = HandshakeError.closed

    /// Bytes that the socket did not take, from `unsentStart` on.
    private var unsent = [UInt8]()
    private var unsentStart = 0
    /// The part of a long body that is still to be written.
    private var body: (content: Content, range: Range<Int>)?

    /// The time of the TLS session's last turn, and whether it keeps its buffers for the next.
    private var lastTurn = 0
    private var isWarm = false
    /// Whether the session has a part of a record.
    private var holdsRecord = false

    /// - Parameter context: nil for a connection without TLS.
    init(
        _ socket: consuming Socket, _ context: TLSServerContext?, _ wire: borrowing Wire
    ) throws(OpenSSLError) {
        self.socket = socket
        if let context { tls = try TLSSession(context, over: wire.transport) }
    }

    // MARK: Waiting

    /// Whether nothing is read.
    var isBlocked: Bool { interest != .reading }
    /// Whether it waits for a handler.
    var isHeld: Bool { interest == .handler }
    /// Whether it waits until other connections had their turn.
    var awaitsTurn: Bool { interest == .turn }

    /// Reads nothing until `release`, so that the client waits.
    mutating func hold(for reason: Interest = .handler) {
        if interest == .reading { interest = reason }
    }

    /// Reads again, unless the socket must take more first.
    mutating func release() { if interest != .writing { interest = .reading } }

    /// Fails if the peer has reset the connection.
    mutating func noticeReset() { if socket.isReset { failure = .lost } }

    // MARK: What it is

    var peer: PeerAddress { socket.peer }
    var speaksTLS: Bool { tls != nil }
    /// Whether the handshake is complete; false without TLS.
    var isEstablished: Bool {
        switch tls {
        case .some(let session): session.isEstablished
        case .none: false
        }
    }
    /// Whether the client sent a server name (SNI).
    var hasServerName: Bool {
        switch tls {
        case .some(let session): session.hasServerName
        case .none: false
        }
    }
    /// The certificate that the client is answered with.
    var certificate: ServerCertificate? {
        switch tls {
        case .some(let session): session.certificate
        case .none: nil
        }
    }
    /// The parameters that the handshake agreed on; nil until it is complete.
    var parameters: TLSParameters? {
        switch tls {
        case .some(let session): session.parameters
        case .none: nil
        }
    }

    /// Copies the server name into a part of `target`, and returns its length.
    func copyServerName(into target: inout [UInt8], at range: Range<Int>) -> Int {
        switch tls {
        case .some(let session): session.copyServerName(into: &target, at: range)
        case .none: 0
        }
    }

    func add(to poller: borrowing Poller, token: UInt64) throws(SystemError) {
        try poller.add(socket.descriptor, .reading, token: token)
    }

    func change(on poller: borrowing Poller, token: UInt64) {
        let events: Poller.Interest =
            switch interest {
            case .reading: .reading
            case .writing: .writing
            case .handler, .turn: .nothing
            }
        poller.change(socket.descriptor, to: events, token: token)
    }

    /// Bytes that the peer has not taken. What the kernel holds is among them: it may hold
    /// megabytes for a peer that reads nothing.
    var untakenBytes: Int { unsentBytes + (body?.range.count ?? 0) + socket.untakenBytes }

    /// Of what was handed to the socket, how many bytes it took, as far as this process knows; and
    /// how many the peer's system has.
    var sentBytes: Int { handedBytes - unsentBytes }
    var takenBytes: Int { sentBytes - socket.untakenBytes }
    /// Bytes of the long body that were not written yet.
    var bodyBytesLeft: Int { body?.range.count ?? 0 }

    /// Whether the socket took everything that it was handed.
    var hasSentAll: Bool { unsent.isEmpty }
    private var unsentBytes: Int { unsent.count - unsentStart }

    // MARK: Receiving

    /// Receives bytes behind those that `buffer` holds, as far as it has room, up to a limit.
    mutating func receive(into buffer: inout ByteBuffer, atMost most: Int) -> Received {
        switch socket.receive(into: &buffer.storage, buffer.free.prefix(most)) {
        case .moved(let count):
            buffer.grow(by: count)
            return count == most ? .more : .some
        case .blocked: return .nothing
        case .ended: return .ended
        case .lost:
            failure = .lost
            return .nothing
        }
    }

    /// Hands what was received to the TLS session; its plaintext goes behind `input`.
    /// - Returns: `nothing` where the session failed, which `failure` then says.
    mutating func decrypt(
        _ range: Range<Int>, into input: inout ByteBuffer, _ wire: inout Wire
    ) -> Received {
        let room = input.free
        guard
            let reading = tls?.read(
                wire.received.storage, range, into: &input.storage, room, over: &wire.transport)
        else { return .nothing }
        input.grow(by: reading.filled)
        switch reading.state {
        case .needsInput: return range.upperBound == wire.received.storage.count ? .more : .some
        case .closed: return .ended
        case .full:
            // It cannot be: the input has room for more than one read can decrypt to.
            failure = .lost
        case .failed(let error):
            sendRecords(&wire)
            (handshakeError, failure) = (HandshakeError(error), .handshake)
        case .exhausted:
            sendRecords(&wire)
            failure = .memory
        }
        return .nothing
    }

    /// Says that the handshake is complete, once.
    /// - Returns: what it agreed on; nil before, and from then on.
    mutating func finishHandshake() -> TLSParameters? {
        guard !isHandshaken, let parameters = tls?.parameters else { return nil }
        isHandshaken = true
        return parameters
    }

    /// Whether a handshake could still begin.
    var awaitsHandshake: Bool {
        switch tls {
        case .some(let session): !session.hasBegun
        case .none: false
        }
    }

    /// Goes on without TLS, for a client that has sent a request in the clear.
    mutating func dropTLS() { tls = nil }

    mutating func failHandshake(_ error: HandshakeError) {
        (handshakeError, failure) = (error, .handshake)
    }

    // MARK: Sending

    /// Encrypts a connection's output, or hands it to the socket. Records wait in the wire until
    /// `sendRecords`, so that one call to the kernel takes all of them.
    mutating func write(_ output: inout ByteBuffer, _ wire: inout Wire) {
        let all = 0..<output.count
        guard !all.isEmpty else { return }
        if tls == nil {
            send(output.storage, all)
        } else if tls?.write(output.storage, all, over: &wire.transport) != true {
            failure = .encryption
        }
        output.removeAll()
    }

    /// Sends the records that the wire holds.
    mutating func sendRecords(_ wire: inout Wire) {
        let count = wire.transport.outgoingCount
        guard count > 0 else { return }
        send(wire.transport.outgoing, 0..<count)
        wire.transport.removeOutgoing()
    }

    /// Writes close_notify, without which clients throw their session ticket away.
    mutating func writeClose(_ wire: inout Wire) { tls?.close(over: &wire.transport) }

    /// Sends bytes, and keeps what the socket does not take.
    private mutating func send(_ bytes: [UInt8], _ range: Range<Int>) {
        handedBytes &+= range.count
        guard unsentStart == unsent.count else { return keepUnsent(bytes[range]) }
        switch socket.send(bytes, range) {
        case .moved(let count) where count == range.count: return
        case .moved(let count): keepUnsent(bytes[range.dropFirst(count)])
        case .blocked: keepUnsent(bytes[range])
        case .ended, .lost:
            failure = .lost
            keepUnsent(bytes[range])
        }
        interest = .writing
    }

    private mutating func keepUnsent(_ bytes: ArraySlice<UInt8>) {
        guard hasFreeMemory(bytes: 2 * (unsent.count + bytes.count)) else {
            handedBytes &-= bytes.count
            return failure = .encryption
        }
        unsent += bytes
    }

    /// Begins a body that is too long to be copied behind its head.
    mutating func beginBody(_ content: Content, _ range: Range<Int>) { body = (content, range) }

    /// Sends what the socket did not take before, and goes on with a long body.
    /// - Returns: whether nothing is left.
    mutating func resume(_ wire: inout Wire, _ limits: borrowing OriginLimits) -> Bool {
        guard sendUnsent(), continueBody(&wire, limits) else { return false }
        interest = .reading
        return true
    }

    private mutating func sendUnsent() -> Bool {
        guard unsentStart < unsent.count else { return true }
        switch socket.send(unsent, unsentStart..<unsent.count) {
        case .moved(let count): unsentStart += count
        case .blocked: break
        case .ended, .lost: failure = .lost
        }
        guard unsentStart == unsent.count else { return false }
        unsent = []
        unsentStart = 0
        return true
    }

    /// Writes pieces of a long body until the socket is full or others should have their turn.
    /// - Returns: whether nothing is left of it, and the socket has taken everything.
    mutating func continueBody(_ wire: inout Wire, _ limits: borrowing OriginLimits) -> Bool {
        guard let (content, whole) = body else { return true }
        var range = whole
        let last = range.lowerBound + limits.bodyBytesPerTurnMax
        interest = unsent.isEmpty ? .reading : .writing
        // Fewer calls wake the receiver less often. What a socket does not take has to be kept:
        // only one that has taken everything gets twice as much the next time.
        var sendBytes = limits.writeBytesMax
        while !range.isEmpty, !isBlocked, range.lowerBound < last, failure == nil {
            let piece: Range<Int>
            switch content {
            case .bytes(let bytes), .generated(let bytes):
                piece = range.prefix(limits.writeBytesMax)
                writePiece(bytes, piece, &wire)
            case .file(let file, let open):
                piece = PublicFile.piece(range)
                writePiece(of: file, open, piece, &wire)
            }
            guard failure == nil else { break }
            range = piece.upperBound..<range.upperBound
            if wire.transport.outgoingCount >= sendBytes {
                sendRecords(&wire)
                sendBytes = min(2 * sendBytes, limits.sendBytesMax)
            }
        }
        if failure == nil { sendRecords(&wire) }
        guard range.isEmpty else {
            body = (content, range)
            interest = .writing
            return false
        }
        body = nil
        return !isBlocked
    }

    private mutating func writePiece(_ bytes: [UInt8], _ range: Range<Int>, _ wire: inout Wire) {
        if tls == nil {
            send(bytes, range)
        } else if tls?.write(bytes, range, over: &wire.transport) != true {
            failure = .encryption
        }
    }

    /// A reset tells the peer that the content is not whole.
    private mutating func writePiece(
        of file: PublicFile, _ open: CountedFile, _ range: Range<Int>, _ wire: inout Wire
    ) {
        var piece = [UInt8]()
        swap(&piece, &wire.piece)
        defer { swap(&piece, &wire.piece) }
        do {
            let part = try file.read(range, of: open, into: &piece)
            writePiece(piece, part, &wire)
        } catch {
            failure = .file
            socket.resetWhenClosed()
        }
    }

    /// Says that nothing more will be sent; what the peer still sends can be read.
    func finishSending() { socket.finishSending() }

    /// Lets the peer see, by a reset, that its answer is not whole.
    func resetWhenClosed() { socket.resetWhenClosed() }

    // MARK: Memory

    /// Ends a turn of the TLS session: OpenSSL keeps its buffers for a connection that is asked
    /// often, and gives them back for any other.
    /// - Returns: whether this one begins to keep them.
    @inline(__always)
    mutating func keepOrReleaseBuffers(_ milliseconds: Int, isBusy: Bool, hasRoom: Bool) -> Bool {
        guard tls != nil else { return false }
        return keepOrReleaseBuffers(of: milliseconds, isBusy && hasRoom)
    }

    private mutating func keepOrReleaseBuffers(of milliseconds: Int, _ mayKeep: Bool) -> Bool {
        let before = lastTurn
        lastTurn = milliseconds
        guard !isWarm else { return false }
        isWarm = mayKeep && milliseconds - before < warmMilliseconds
        holdsRecord = !isWarm && tls?.releaseBuffers() == false
        return isWarm
    }

    /// The bytes that it holds until its next turn beside those of an idle or a warm connection. The
    /// getter is mutating, because each turn would copy the channel for another one.
    var heldBytes: Int {
        @inline(__always)
        mutating get { tls == nil && body == nil ? unsent.capacity : allHeldBytes }
    }

    private var allHeldBytes: Int {
        var bytes = unsent.capacity
        if case .generated(let content)? = body?.content { bytes += content.capacity }
        switch tls {
        case .some(let session):
            if !isHandshaken, session.awaitsRestOfHello { return bytes + unfinishedHelloBytes }
            let isUnfinished = holdsRecord || !isHandshaken && session.hasBegun
            return bytes + session.keptBytes + (isUnfinished ? unfinishedBytes : 0)
        case .none: return bytes
        }
    }

    /// Gives the buffers back after a second without a turn; true when it did.
    mutating func releaseIdleBuffers(_ milliseconds: Int) -> Bool {
        guard milliseconds - lastTurn >= warmMilliseconds else { return false }
        isWarm = false
        _ = tls?.releaseBuffers()
        return true
    }
}

/// Turns that follow one another so soon are those of a busy connection.
private let warmMilliseconds = 1000
/// The bytes that OpenSSL holds for a part of a record, and for an unfinished handshake.
private let unfinishedBytes = 49_152
/// The same for a ClientHello that has come in part: four thirds of the most that one can have, and a record.
private let unfinishedHelloBytes = 196_608
/// The most plaintext that one TLS record carries (RFC 8446 §5.1).
let tlsRecordBytesMax = 16384
