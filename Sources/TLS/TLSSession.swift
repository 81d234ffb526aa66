internal import COpenSSL
private import Glibc

/// One server-side TLS connection; freed exactly once. It never uses a socket: `read` takes the
/// received bytes, and the transport collects those to be sent.
@safe
package struct TLSSession: ~Copyable {
    private let handle: OpaquePointer
    /// Kept alive because the callback for names reads it during the handshake.
    private let context: TLSServerContext
    /// The bytes that have come of the handshake, without those that complete it.
    private var handshakeBytes: UInt16 = 0

    /// - Throws: if there is no memory.
    package init(
        _ context: TLSServerContext, over transport: borrowing TLSTransport
    ) throws(OpenSSLError) {
        ERR_clear_error()
        guard let handle = unsafe context.makeSession() else { throw .drained("no TLS session") }
        unsafe self.handle = handle
        self.context = context
        // SSL_set_bio takes one reference, for both directions.
        unsafe BIO_up_ref(transport.bio)
        unsafe SSL_set_bio(handle, transport.bio, transport.bio)
        unsafe SSL_set_accept_state(handle)
    }

    deinit { unsafe SSL_free(handle) }

    /// Whether any bytes from the client were read.
    package var hasBegun: Bool { unsafe SSL_in_before(handle) == 0 }

    /// Whether the handshake is complete.
    package var isEstablished: Bool { unsafe SSL_is_init_finished(handle) == 1 }

    /// Whether a ClientHello has come in part, for which OpenSSL holds as many bytes as it says that it has, up to 131,396
    /// (`statem_srvr.c`).
    package var awaitsRestOfHello: Bool {
        unsafe SSL_get_state(handle) == TLS_ST_SR_CLNT_HELLO
    }

    /// The most bytes that OpenSSL keeps, as long as the session lives, of what the client sent in the
    /// handshake: of the two that name a signature algorithm ten.
    package var keptBytes: Int { 5 * Int(handshakeBytes) }

    /// Whether the client asked for a server by name (RFC 6066 §3).
    package var hasServerName: Bool {
        unsafe SSL_get_servername(handle, TLSEXT_NAMETYPE_host_name) != nil
    }

    /// The certificate of the name that the client requests: the one that was presented or, for a
    /// resumed session, the one that would be. Nil before the client has sent a name.
    package var certificate: ServerCertificate? {
        guard isEstablished,
            case .certificate(let certificate) = unsafe context.choice(
                for: SSL_get_servername(handle, TLSEXT_NAMETYPE_host_name))
        else { return nil }
        return certificate
    }

    /// The result of the handshake; nil until it is complete.
    package var parameters: TLSParameters? {
        guard isEstablished else { return nil }
        return unsafe TLSParameters(
            isTLS13: SSL_version(handle) == TLS1_3_VERSION,
            isResumed: SSL_session_reused(handle) == 1, cipher: waymark_SSL_cipher(handle),
            group: waymark_SSL_group(handle))
    }

    /// Copies the name of the server that the client requested to `position` in `target`, as far as
    /// there is room, and returns the number of its bytes there.
    package func copyServerName(into target: inout [UInt8], at position: Range<Int>) -> Int {
        guard let name = unsafe SSL_get_servername(handle, TLSEXT_NAMETYPE_host_name) else {
            return 0
        }
        let count = unsafe strnlen(name, position.count)
        for index in 0..<count {
            target[position.lowerBound + index] = unsafe UInt8(bitPattern: name[index])
        }
        return count
    }

    /// Gives OpenSSL the received bytes, as far as `target` has room for the decrypted ones, and
    /// writes the answers of a handshake into the transport.
    ///
    /// All of `input` is taken unless `target` is full. A handshake fails that is longer than
    /// `handshakeBytesMax`, because OpenSSL takes a ClientHello of up to 131,396 bytes.
    package mutating func read(
        _ input: [UInt8], _ range: Range<Int>, into target: inout [UInt8], _ room: Range<Int>,
        over transport: inout TLSTransport
    ) -> TLSReading {
        precondition(room.lowerBound >= 0 && room.upperBound <= target.count)
        let (handle, window) = unsafe (handle, transport.window)
        let (wasEstablished, begun) = (isEstablished, Int(handshakeBytes))
        let (outcome, taken) = unsafe target.withUnsafeMutableBytes { bytes in
            transport.withBuffers(input, range) {
                var filled = 0
                // A handshake gets no more than it may have; what is behind it is read when it is complete.
                let left = max(0, handshakeBytesMax - begun)
                var behind = wasEstablished ? 0 : max(0, range.count - left)
                unsafe window.pointee.inputCount -= behind
                while filled < room.count {
                    let start = unsafe bytes.baseAddress.map {
                        unsafe $0 + room.lowerBound + filled
                    }
                    let count = unsafe SSL_read(handle, start, CInt(clamping: room.count - filled))
                    let error = unsafe count > 0 ? SSL_ERROR_NONE : SSL_get_error(handle, count)
                    filled += max(0, Int(count))
                    if behind > 0, error == SSL_ERROR_NONE || error == SSL_ERROR_WANT_READ,
                        unsafe SSL_is_init_finished(handle) == 1
                    {
                        unsafe window.pointee.inputCount += behind
                        behind = 0
                        continue
                    }
                    guard error == SSL_ERROR_NONE else { return (filled, error) }
                    // Nothing is left to decrypt, so another call would have no result.
                    if unsafe window.pointee.inputCount == 0, unsafe SSL_has_pending(handle) == 0 {
                        return (filled, SSL_ERROR_WANT_READ)
                    }
                }
                return (filled, SSL_ERROR_NONE)
            }
        }
        // An authority that has seen the answer to its challenge gets nothing else.
        if !wasEstablished, isEstablished, unsafe isChallenge(handle) {
            ERR_clear_error()
            return TLSReading(filled: 0, taken: taken, state: .closed)
        }
        let state: TLSReading.State =
            switch outcome.1 {
            case SSL_ERROR_NONE: .full
            case SSL_ERROR_WANT_READ: .needsInput
            case SSL_ERROR_ZERO_RETURN: .closed
            default: TLSReading.State(reason: waymark_ERR_drain())
            }
        // Errors that stay in the thread's queue would be blamed on the next call. Handshakes leave
        // some even if they succeed.
        if !wasEstablished { ERR_clear_error() }
        if !isEstablished {
            handshakeBytes = UInt16(clamping: Int(handshakeBytes) + taken)
            if state == .needsInput, handshakeBytes > handshakeBytesMax {
                return TLSReading(filled: 0, taken: taken, state: .failed(.other))
            }
        }
        return TLSReading(filled: outcome.0, taken: taken, state: state)
    }

    /// Encrypts a part of `source` into the transport, which must have room for it.
    /// - Returns: false if OpenSSL failed; the connection must then be closed.
    package mutating func write(
        _ source: [UInt8], _ range: Range<Int>, over transport: inout TLSTransport
    ) -> Bool {
        precondition(range.lowerBound >= 0 && range.upperBound <= source.count)
        guard !range.isEmpty else { return true }
        let handle = unsafe handle
        let written = unsafe source.withUnsafeBytes { bytes in
            transport.withBuffers([], 0..<0) {
                var written = 0
                while written < range.count {
                    let start = unsafe bytes.baseAddress.map {
                        unsafe $0 + range.lowerBound + written
                    }
                    let left = CInt(clamping: range.count - written)
                    let count = unsafe SSL_write(handle, start, left)
                    guard count > 0 else { break }
                    written += Int(count)
                }
                return written
            }
        }
        guard written.result == range.count else {
            ERR_clear_error()
            return false
        }
        return true
    }

    /// Frees the buffers in which OpenSSL keeps records, unless they contain a part of one. OpenSSL
    /// allocates them again when it needs them. Each has about 17 KiB.
    /// - Returns: whether they are freed.
    package mutating func releaseBuffers() -> Bool { unsafe SSL_free_buffers(handle) == 1 }

    /// Sends close_notify once. Without it, clients discard their session ticket.
    package mutating func close(over transport: inout TLSTransport) {
        let handle = unsafe handle
        guard isEstablished, unsafe SSL_get_shutdown(handle) & SSL_SENT_SHUTDOWN == 0 else {
            return
        }
        _ = transport.withBuffers([], 0..<0) { unsafe SSL_shutdown(handle) }
        ERR_clear_error()
    }
}

/// The most that a client sends until its handshake is complete. ClientHellos of browsers have less than 4,096 bytes.
private let handshakeBytesMax = 16_384

/// The result of a read.
package struct TLSReading: Equatable, Sendable {
    /// The number of decrypted bytes in the target.
    package let filled: Int
    /// The number of received bytes that were taken.
    package let taken: Int
    package let state: State

    /// The state of the session after an operation.
    package enum State: Equatable, Sendable {
        /// The target is full; there may be more.
        case full
        /// Everything was taken, and more input is needed.
        case needsInput
        /// The peer has sent close_notify.
        case closed
        /// The handshake or a record was invalid; an alert may wait in the transport.
        case failed(TLSFailure)
        /// There was no memory, which is not the client's fault.
        case exhausted
    }
}
