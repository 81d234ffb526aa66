internal import COpenSSL

/// A client's TLS connection; freed exactly once. It never uses a socket: `receive` takes the bytes
/// from the server, and `takeOutput` returns those to be sent. It belongs to one thread.
@safe
package struct TLSClientSession: ~Copyable {
    private let handle: OpaquePointer
    /// Both belong to the session.
    private let (input, output): (OpaquePointer, OpaquePointer)
    /// Kept alive because callbacks write to it.
    private let notes = ClientHandshakeNotes()
    private let context: TLSClientContext

    /// - Parameter host: the name that the server must have a certificate for, or its address.
    /// - Throws: if there is no memory, or OpenSSL refuses the name.
    package init(_ context: TLSClientContext, host: String) throws(OpenSSLError) {
        self.context = context
        unsafe (handle, input, output) = try Self.make(context.context.pointer, host)
        unsafe SSL_set_ex_data(handle, 0, Unmanaged.passUnretained(notes).toOpaque())
    }

    private static func make(
        _ context: OpaquePointer, _ host: String
    ) throws(OpenSSLError) -> (OpaquePointer, OpaquePointer, OpaquePointer) {
        ERR_clear_error()
        guard let handle = unsafe SSL_new(context) else { throw .drained("no TLS session") }
        do throws(OpenSSLError) {
            guard let input = unsafe BIO_new(BIO_s_mem()) else { throw .drained("no BIO") }
            guard let output = unsafe BIO_new(BIO_s_mem()) else {
                unsafe BIO_free(input)
                throw .drained("no BIO")
            }
            unsafe SSL_set_bio(handle, input, output)
            unsafe SSL_set_connect_state(handle)
            try unsafe setHost(handle, host)
            return unsafe (handle, input, output)
        } catch {
            unsafe SSL_free(handle)
            throw error
        }
    }

    private static func setHost(_ handle: OpaquePointer, _ host: String) throws(OpenSSLError) {
        let parameters = unsafe SSL_get0_param(handle)
        if unsafe X509_VERIFY_PARAM_set1_ip_asc(parameters, host) != 1 {
            ERR_clear_error()
            // The common name is no host name (RFC 9525 §2): browsers, Apple and Go ignore it.
            unsafe X509_VERIFY_PARAM_set_hostflags(
                parameters,
                CUnsignedInt(
                    X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
            try require("host name") { unsafe SSL_set1_host(handle, host) == 1 }
            try require("server name") { unsafe waymark_SSL_set_server_name(handle, host) == 1 }
        }
        // ALPN's list has each name after its length (RFC 7301 §3.1); the result is 0 for success.
        let protocols = [8] + Array("http/1.1".utf8)
        try require("protocol name") {
            unsafe SSL_set_alpn_protos(handle, protocols, CUnsignedInt(protocols.count)) == 0
        }
    }

    deinit { unsafe SSL_free(handle) }

    /// Takes bytes that have come from the server.
    package mutating func receive(_ bytes: [UInt8]) {
        unsafe BIO_write(input, bytes, CInt(clamping: bytes.count))
    }

    /// Removes and returns the bytes that are to be sent.
    package mutating func takeOutput() -> [UInt8] {
        let count = unsafe Int(BIO_ctrl_pending(output))
        guard count > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { target, filled in
            filled = unsafe max(0, Int(BIO_read(output, target.baseAddress, CInt(count))))
        }
    }

    /// Continues the handshake with what has come.
    package mutating func shakeHands() -> TLSClientStep {
        ERR_clear_error()
        let result = unsafe SSL_do_handshake(handle)
        return result == 1 ? .done : step(after: result)
    }

    /// Decrypts what has come, and appends it to `target`.
    package mutating func read(into target: inout [UInt8]) -> TLSClientStep {
        ERR_clear_error()
        var piece = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = unsafe SSL_read(handle, &piece, CInt(piece.count))
            guard count > 0 else { return step(after: count) }
            target += piece[..<Int(count)]
        }
    }

    /// Encrypts bytes.
    /// - Returns: false if OpenSSL failed; the connection must then be closed.
    package mutating func write(_ bytes: [UInt8]) -> Bool {
        ERR_clear_error()
        guard !bytes.isEmpty else { return true }
        return unsafe SSL_write(handle, bytes, CInt(clamping: bytes.count)) == bytes.count
    }

    /// The facts known of the server, also after a handshake that failed.
    package var peer: TLSPeer {
        let isEstablished = unsafe SSL_is_init_finished(handle) == 1
        return unsafe TLSPeer(
            faults: notes.faults, chain: PeerCertificate.chain(of: handle),
            isCertificateRequested: notes.isCertificateRequested,
            parameters: isEstablished
                ? TLSParameters(
                    isTLS13: SSL_version(handle) == TLS1_3_VERSION, isResumed: false,
                    cipher: waymark_SSL_cipher(handle), group: waymark_SSL_group(handle)) : nil)
    }

    private func step(after result: CInt) -> TLSClientStep {
        switch unsafe SSL_get_error(handle, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .needsInput
        case SSL_ERROR_ZERO_RETURN: return .closed
        default:
            let code = ERR_peek_error()
            let reason = Int(code & 0x7FFFFF)
            return .failed(
                TLSClientFailure(reason: reason, text: OpenSSLError.drained("TLS").description))
        }
    }
}

/// The result of one step of a client's session.
package enum TLSClientStep: Equatable, Sendable {
    /// The handshake is complete.
    case done
    case needsInput
    /// The server has sent close_notify.
    case closed
    case failed(TLSClientFailure)
}

/// The reason why a client's handshake or connection failed.
package struct TLSClientFailure: Hashable, Sendable {
    /// The alert that the server has sent (RFC 8446 §6), if it has sent one.
    package let alert: Int?
    /// Whether the server's bytes are not TLS.
    package let isNotTLS: Bool
    /// Whether the server supports only versions older than TLS 1.2.
    package let isVersion: Bool
    /// OpenSSL's words.
    package let text: String

    /// - Parameter reason: OpenSSL's number of it.
    package init(reason: Int, text: String) {
        // OpenSSL's reasons for alerts are their numbers, and this offset.
        let offset = Int(SSL_AD_REASON_OFFSET)
        alert = (offset..<offset + 256).contains(reason) ? reason - offset : nil
        isNotTLS = [
            SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_PACKET_LENGTH_TOO_LONG,
            SSL_R_BAD_RECORD_TYPE, SSL_R_UNEXPECTED_MESSAGE, SSL_R_RECORD_LENGTH_MISMATCH,
        ].contains(CInt(clamping: reason))
        isVersion =
            CInt(clamping: reason) == SSL_R_UNSUPPORTED_PROTOCOL
            || alert == Int(SSL_AD_PROTOCOL_VERSION)
        self.text = text
    }
}
