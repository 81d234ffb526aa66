internal import COpenSSL

// The callbacks of a handshake, on the connection's thread. The connection's session keeps the
// context alive to which the arguments point.

/// Refuses a connection whose client requests a name without a certificate, with a ticket or
/// without (RFC 6066 §3).
let checkServerName: waymark_servername_callback = { session, alert, argument in
    guard let session = unsafe session, let argument = unsafe argument else {
        return SSL_TLSEXT_ERR_OK
    }
    switch unsafe choice(session, argument) {
    case .certificate: return SSL_TLSEXT_ERR_OK
    case .noCertificate: waymark_ERR_raise_no_certificate()
    case .refusedName: break
    }
    unsafe alert?.pointee = SSL_AD_UNRECOGNIZED_NAME
    return SSL_TLSEXT_ERR_ALERT_FATAL
}

/// Gives a connection that does not resume a session the certificate of the name that its client
/// requests.
let presentCertificate: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> CInt = {
    session, argument in
    guard let session = unsafe session, let argument = unsafe argument,
        case .certificate(let certificate) = unsafe choice(session, argument)
    else { return 0 }
    let context = unsafe Unmanaged<TLSServerContext>.fromOpaque(argument).takeUnretainedValue()
    return unsafe context.present(certificate, in: session) ? 1 : 0
}

private func choice(
    _ session: OpaquePointer, _ context: UnsafeMutableRawPointer
) -> CertificateChoice {
    let context = unsafe Unmanaged<TLSServerContext>.fromOpaque(context).takeUnretainedValue()
    guard unsafe !isChallenge(session) else {
        return unsafe context.challenge(for: SSL_get_servername(session, TLSEXT_NAMETYPE_host_name))
    }
    return unsafe context.choice(for: SSL_get_servername(session, TLSEXT_NAMETYPE_host_name))
}

/// Binds a connection's session to the server name that its client requests, so that a ticket is
/// only valid for this name. Otherwise, in TLS 1.2, OpenSSL would take the name from the ticket,
/// and a refused name would be accepted (RFC 6066 §3).
///
/// This is also the first callback, so it notes whether the client is an authority with a challenge.
let bindSessionToName: SSL_client_hello_cb_fn = { session, alert, argument in
    if let session = unsafe session, let argument = unsafe argument {
        unsafe noteChallenge(session, argument)
    }
    var name: UnsafePointer<UInt8>?
    var count = 0
    guard let session = unsafe session,
        unsafe SSL_client_hello_get0_ext(session, UInt32(TLSEXT_TYPE_server_name), &name, &count)
            == 1
    else { return SSL_CLIENT_HELLO_SUCCESS }
    let isBound = unsafe withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { digest in
        let bytes = unsafe digest.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return unsafe SHA256(name, count, bytes) != nil
            && SSL_set_session_id_context(session, bytes, 32) == 1
    }
    guard isBound else {
        unsafe alert?.pointee = SSL_AD_INTERNAL_ERROR
        return SSL_CLIENT_HELLO_ERROR
    }
    return SSL_CLIENT_HELLO_SUCCESS
}

private func noteChallenge(_ session: OpaquePointer, _ argument: UnsafeMutableRawPointer) {
    let context = unsafe Unmanaged<TLSServerContext>.fromOpaque(argument).takeUnretainedValue()
    var list: UnsafePointer<UInt8>?
    var count = 0
    let alpn = UInt32(TLSEXT_TYPE_application_layer_protocol_negotiation)
    guard context.answersChallenges,
        unsafe SSL_client_hello_get0_ext(session, alpn, &list, &count) == 1,
        unsafe offersOnlyChallenges(UnsafeBufferPointer(start: list, count: count))
    else { return }
    unsafe SSL_set_ex_data(session, 0, argument)
}

/// Whether the client of a session is an authority that asks for a challenge's answer, and will
/// get nothing else.
func isChallenge(_ session: OpaquePointer) -> Bool { unsafe SSL_get_ex_data(session, 0) != nil }

/// Chooses `http/1.1`, or else `http/1.0`. A client that offers only other protocols gets
/// `no_application_protocol` (RFC 7301 §3.2).
let chooseProtocol: SSL_CTX_alpn_select_cb_func = { session, chosen, length, offered, count, _ in
    let list = unsafe UnsafeBufferPointer(start: offered, count: Int(count))
    let accepted =
        unsafe session.map { unsafe isChallenge($0) } == true ? [challengeProtocol] : protocols
    for name in accepted {
        var start = 0
        while start < list.count {
            let range = unsafe start + 1..<start + 1 + Int(list[start])
            guard range.upperBound <= list.count else { break }
            if unsafe list[range].elementsEqual(name) {
                unsafe chosen?.pointee = offered.map { unsafe $0 + range.lowerBound }
                unsafe length?.pointee = UInt8(range.count)
                return SSL_TLSEXT_ERR_OK
            }
            start = range.upperBound
        }
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}

/// The supported protocols, the best first, with their names in IANA's registry of ALPN.
private let protocols = ["http/1.1", "http/1.0"].map { Array($0.utf8) }

/// Prepares the encryption of a new ticket, or the decryption of a ticket that a client presents.
/// It returns 0 if the ticket's key is not known any more, which leads to a full handshake, and 2
/// if the client should get a new ticket.
let useTicketKey: waymark_ticket_callback = { session, name, vector, cipher, mac, isSealing in
    guard let session = unsafe session, let name = unsafe name, let vector = unsafe vector,
        let cipher = unsafe cipher, let mac = unsafe mac,
        let argument = unsafe waymark_SSL_ticket_keys(session)
    else { return -1 }
    let keys = unsafe Unmanaged<TicketKeys>.fromOpaque(argument).takeUnretainedValue()
    if isSealing == 1 {
        return unsafe keys.current?.seal(name, vector, cipher, mac) == true ? 1 : -1
    }
    guard let (key, isOld) = unsafe keys.find(name) else { return 0 }
    guard unsafe key.open(vector, cipher, mac) else { return -1 }
    // Clients use a ticket of TLS 1.3 only once (RFC 8446 appendix C.4). Without a new one, the
    // next connection could not resume.
    return unsafe isOld || SSL_version(session) == TLS1_3_VERSION ? 2 : 1
}
