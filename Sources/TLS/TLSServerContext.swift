internal import COpenSSL

/// The server's side of TLS for a set of certificates: TLS 1.2 and 1.3 after the intermediate
/// profile (TLSRef guideline 6.0), the certificate chosen by the name that the client asks for,
/// `http/1.1` by ALPN, session tickets, no renegotiation, compression or early data.
@safe
package final class TLSServerContext: Sendable {
    private let contexts: [ContextHandle]
    /// Which certificate answers each exact name.
    private let names: [String: Int]

    /// - Parameters:
    ///   - certificates: at least one; the first answers names that none covers, and clients that
    ///     name none.
    ///   - hosts: the names that are answered; each gets the first certificate that covers it.
    ///   - ticketKeys: shared by contexts whose tickets each other's clients may present.
    package init(
        certificates: [ServerCertificate], hosts: [String], ticketKeys: TicketKeys
    ) throws(OpenSSLError) {
        precondition(!certificates.isEmpty)
        names = hosts.reduce(into: [:]) { names, host in
            names[host] = certificates.firstIndex { $0.covers(host) }
        }
        var contexts = [ContextHandle]()
        for certificate in certificates {
            contexts.append(try makeContext(certificate, ticketKeys))
        }
        self.contexts = contexts
        for context in contexts {
            unsafe waymark_SSL_CTX_set_servername(
                context.pointer, chooseCertificate, Unmanaged.passUnretained(self).toOpaque())
        }
    }

    /// A new connection's state, beginning with the default certificate.
    func makeSession() -> OpaquePointer? { unsafe SSL_new(contexts[0].pointer) }

    /// Gives a connection whose client asked for `name` the certificate that covers it.
    fileprivate func select(_ name: String, for session: OpaquePointer) {
        guard let index = names[name], index != 0 else { return }
        unsafe SSL_set_SSL_CTX(session, contexts[index].pointer)
    }
}

/// The secret that session tickets are sealed with. Connections resume only where the same keys
/// are in use: in every loop, and across reloads.
package struct TicketKeys: Sendable {
    fileprivate let bytes: [UInt8]

    /// Keys that nobody else has.
    package init() throws(OpenSSLError) { bytes = try randomBytes(Self.count) }

    /// OpenSSL's: 16 bytes of name, 32 for the MAC, 32 for the cipher.
    private static let count = 80
}

private func makeContext(
    _ certificate: ServerCertificate, _ ticketKeys: TicketKeys
) throws(OpenSSLError) -> ContextHandle {
    ERR_clear_error()
    guard let context = unsafe SSL_CTX_new(TLS_server_method()) else {
        throw .drained("no TLS context")
    }
    let handle = unsafe ContextHandle(owning: context)
    var keys = ticketKeys.bytes
    let keyCount = CInt(keys.count)
    let isReady =
        unsafe waymark_SSL_CTX_set_protocols(context, TLS1_2_VERSION, TLS1_3_VERSION) == 1
        && SSL_CTX_set_cipher_list(context, cipherList) == 1
        && SSL_CTX_set_ciphersuites(context, cipherSuites) == 1
        && setGroups(context)
        && SSL_CTX_use_certificate(context, certificate.leaf.pointer) == 1
        && SSL_CTX_use_PrivateKey(context, certificate.key.pointer) == 1
        && waymark_SSL_CTX_set_ticket_keys(context, &keys, keyCount) == 1
        && SSL_CTX_set_num_tickets(context, 1) == 1
        && SSL_CTX_set_max_early_data(context, 0) == 1
        && SSL_CTX_set_session_id_context(
            context, sessionContext, CUnsignedInt(sessionContext.count)) == 1
    for intermediate in certificate.intermediates {
        _ = unsafe waymark_SSL_CTX_add_chain(context, intermediate.pointer)
    }
    unsafe waymark_SSL_CTX_set_modes(context)
    _ = unsafe waymark_SSL_CTX_set_options(context)
    unsafe SSL_CTX_set_alpn_select_cb(context, chooseProtocol, nil)
    guard isReady else { throw .drained("the certificate cannot be used") }
    return handle
}

/// Hybrid key exchange where the library knows it (OpenSSL 3.5), classical groups otherwise.
private func setGroups(_ context: OpaquePointer) -> Bool {
    let classical = "X25519:P-256:P-384"
    if unsafe waymark_SSL_CTX_set_groups(context, "X25519MLKEM768:\(classical)") == 1 {
        return true
    }
    ERR_clear_error()
    return unsafe waymark_SSL_CTX_set_groups(context, classical) == 1
}

/// Called during a handshake, on the thread of the connection, which holds `argument` alive.
private let chooseCertificate: waymark_servername_callback = { session, _, argument in
    guard let session = unsafe session, let argument = unsafe argument,
        let name = unsafe SSL_get_servername(session, TLSEXT_NAMETYPE_host_name)
    else { return SSL_TLSEXT_ERR_OK }
    let context = unsafe Unmanaged<TLSServerContext>.fromOpaque(argument).takeUnretainedValue()
    unsafe context.select(String(cString: name).lowercased(), for: session)
    return SSL_TLSEXT_ERR_OK
}

/// Picks `http/1.1`; a client that offers only other protocols gets `no_application_protocol`
/// (RFC 7301 §3.2).
private let chooseProtocol: SSL_CTX_alpn_select_cb_func = { _, chosen, length, offered, count, _ in
    let list = unsafe UnsafeBufferPointer(start: offered, count: Int(count))
    var start = 0
    while start < list.count {
        let name = unsafe start + 1..<start + 1 + Int(list[start])
        guard name.upperBound <= list.count else { break }
        if unsafe list[name].elementsEqual("http/1.1".utf8) {
            unsafe chosen?.pointee = offered.map { unsafe $0 + name.lowerBound }
            unsafe length?.pointee = UInt8(name.count)
            return SSL_TLSEXT_ERR_OK
        }
        start = name.upperBound
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}

private let cipherSuites =
    "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
private let cipherList =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:"
    + "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:"
    + "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305"
/// The same in every context, so that a ticket is good whichever certificate it was issued under.
private let sessionContext = Array("waymark".utf8)
