internal import COpenSSL
private import Glibc

/// One server-side TLS connection; freed exactly once. It never touches a socket: what arrives is
/// handed to `read`, what is to be sent gathers in the transport.
@safe
package struct TLSSession: ~Copyable {
    private let handle: OpaquePointer
    /// Kept alive because the name callback, which runs during the handshake, reads it.
    private let context: TLSServerContext

    /// - Throws: when memory runs out.
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

    /// Whether anything was read of what the client sends.
    package var hasBegun: Bool { unsafe SSL_in_before(handle) == 0 }

    /// Whether the handshake is complete.
    package var isEstablished: Bool { unsafe SSL_is_init_finished(handle) == 1 }

    /// Whether the client asked for a server by name (RFC 6066 §3).
    package var hasServerName: Bool {
        unsafe SSL_get_servername(handle, TLSEXT_NAMETYPE_host_name) != nil
    }

    /// The certificate of the name that the client asks for: what it was presented with, or, where
    /// it resumes a session, would be now. Nil before it has asked.
    package var certificate: ServerCertificate? {
        guard isEstablished,
            case .certificate(let certificate) = unsafe context.choice(
                for: SSL_get_servername(handle, TLSEXT_NAMETYPE_host_name))
        else { return nil }
        return certificate
    }

    /// What the handshake agreed on; nil until it is complete.
    package var parameters: TLSParameters? {
        guard isEstablished else { return nil }
        return unsafe TLSParameters(
            isTLS13: SSL_version(handle) == TLS1_3_VERSION,
            isResumed: SSL_session_reused(handle) == 1, cipher: waymark_SSL_cipher(handle),
            group: waymark_SSL_group(handle))
    }

    /// Copies the name of the server that the client asked for to a place in `target`, as far as
    /// there is room, and returns how many bytes it has there.
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

    /// Hands OpenSSL what was received, as far as `target` has room for what it decrypts to, and
    /// answers the handshake into the transport.
    ///
    /// All of `input` is taken unless `target` is full.
    package mutating func read(
        _ input: [UInt8], _ range: Range<Int>, into target: inout [UInt8], _ room: Range<Int>,
        over transport: inout TLSTransport
    ) -> TLSReading {
        precondition(room.lowerBound >= 0 && room.upperBound <= target.count)
        let (handle, window) = unsafe (handle, transport.window)
        let wasEstablished = isEstablished
        let (outcome, taken) = unsafe target.withUnsafeMutableBytes { bytes in
            transport.withBuffers(input, range) {
                var filled = 0
                while filled < room.count {
                    let start = unsafe bytes.baseAddress.map {
                        unsafe $0 + room.lowerBound + filled
                    }
                    let count = unsafe SSL_read(handle, start, CInt(clamping: room.count - filled))
                    guard count > 0 else {
                        return unsafe (filled, SSL_get_error(handle, count))
                    }
                    filled += Int(count)
                    // Nothing is left to decrypt: asking again would only be told so.
                    if unsafe window.pointee.inputCount == 0, unsafe SSL_has_pending(handle) == 0 {
                        return (filled, SSL_ERROR_WANT_READ)
                    }
                }
                return (filled, SSL_ERROR_NONE)
            }
        }
        let state: TLSReading.State =
            switch outcome.1 {
            case SSL_ERROR_NONE: .full
            case SSL_ERROR_WANT_READ: .needsInput
            case SSL_ERROR_ZERO_RETURN: .closed
            default: TLSReading.State(reason: waymark_ERR_drain())
            }
        // What is left in the thread's queue of errors would be blamed on the next call. Handshakes
        // leave some although they go on.
        if !wasEstablished { ERR_clear_error() }
        return TLSReading(filled: outcome.0, taken: taken, state: state)
    }

    /// Encrypts a part of `source` into the transport, which must have room for it.
    /// - Returns: false when OpenSSL failed; the connection must then be closed.
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

    /// Gives back the buffers that OpenSSL keeps for records, unless a part of one is in them; it
    /// takes new ones when they are needed. Each has about 17 KiB.
    package mutating func releaseBuffers() { _ = unsafe SSL_free_buffers(handle) }

    /// Sends close_notify, without which clients throw their session ticket away; once.
    package mutating func close(over transport: inout TLSTransport) {
        let handle = unsafe handle
        guard isEstablished, unsafe SSL_get_shutdown(handle) & SSL_SENT_SHUTDOWN == 0 else {
            return
        }
        _ = transport.withBuffers([], 0..<0) { unsafe SSL_shutdown(handle) }
        ERR_clear_error()
    }
}

/// What came of handing bytes to a session.
package struct TLSReading: Equatable, Sendable {
    /// How many plaintext bytes were filled in.
    package let filled: Int
    /// How many received bytes were taken.
    package let taken: Int
    package let state: State

    /// How far an operation on the session came.
    package enum State: Equatable, Sendable {
        /// The target is full; there may be more.
        case full
        /// Everything was taken; more must arrive.
        case needsInput
        /// The peer has sent close_notify.
        case closed
        /// The handshake or a record was wrong; an alert may wait in the transport.
        case failed(TLSFailure)
        /// Memory ran out, which is nobody's fault.
        case exhausted
    }
}
