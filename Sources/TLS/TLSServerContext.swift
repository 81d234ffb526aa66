internal import COpenSSL

/// The server's side of TLS for a set of hosts: the intermediate profile, the certificate of the
/// host that the client asks for, HTTP/1.1 and 1.0 by ALPN, and session tickets.
@safe
package final class TLSServerContext: Sendable {
    private let context: ContextHandle
    /// The certificate of each host, by its name in lower case; nil where there is none.
    private let hosts: [[UInt8]: ServerCertificate?]
    /// For clients that name no host, or another.
    private let standard: ServerCertificate?
    private let refusesUnknownNames: Bool
    /// Held alive for the context.
    private let tickets: SessionTickets

    /// - Parameters:
    ///   - hosts: the names that are answered, in lower case, each with its certificate. A client
    ///     that asks for one without a certificate gets `unrecognized_name`.
    ///   - standard: answers other names, and clients that name none; nil refuses them too.
    ///   - refusesUnknownNames: whether a client that asks for another name gets
    ///     `unrecognized_name` instead of that certificate.
    package init(
        hosts: [(name: String, certificate: ServerCertificate?)], standard: ServerCertificate?,
        tickets: SessionTickets, refusesUnknownNames: Bool = false
    ) throws(OpenSSLError) {
        self.hosts = Dictionary(
            hosts.map { (Array($0.name.utf8), $0.certificate) }, uniquingKeysWith: { $1 })
        self.standard = standard
        self.refusesUnknownNames = refusesUnknownNames
        self.tickets = tickets
        context = try IntermediateProfile.makeContext()
        let context = context
        if let standard {
            try require("certificate") { unsafe standard.use(in: context.pointer) }
        }
        try context.use(tickets)
        unsafe SSL_CTX_set_alpn_select_cb(context.pointer, chooseProtocol, nil)
        let own = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe waymark_SSL_CTX_set_servername(context.pointer, checkServerName, own)
        unsafe SSL_CTX_set_cert_cb(context.pointer, presentCertificate, own)
        unsafe SSL_CTX_set_client_hello_cb(context.pointer, bindSessionToName, nil)
        ERR_clear_error()
    }

    /// A new connection's state, beginning with the standard certificate.
    func makeSession() -> OpaquePointer? { unsafe SSL_new(context.pointer) }

    /// What a client gets that asks for a name of these octets; nil asks for none.
    func choice(for name: UnsafePointer<CChar>?) -> CertificateChoice {
        guard let name = unsafe name else { return CertificateChoice(standard) }
        var folded = [UInt8]()
        var next = unsafe name
        while unsafe next.pointee != 0 {
            folded.append(lowerCase(unsafe UInt8(bitPattern: next.pointee)))
            unsafe next += 1
        }
        guard let own = hosts[folded] else {
            return refusesUnknownNames ? .refusedName : CertificateChoice(standard)
        }
        return CertificateChoice(own)
    }

    /// Has a session present a certificate; it begins with the standard one.
    func present(_ certificate: ServerCertificate, in session: OpaquePointer) -> Bool {
        unsafe certificate === standard || certificate.use(for: session)
    }
}

/// What a client gets for the name that it asks for.
enum CertificateChoice {
    case certificate(ServerCertificate)
    /// The host is answered, and has no certificate that could be presented.
    case noCertificate
    /// The host is not answered, and such names are refused.
    case refusedName

    fileprivate init(_ certificate: ServerCertificate?) {
        self = certificate.map(CertificateChoice.certificate) ?? .noCertificate
    }
}

/// Whether clients get session tickets, and whose keys seal them.
package enum SessionTickets: Sendable {
    case off
    case sealed(TicketKeys)
}

extension ServerCertificate {
    /// Makes it the only one that the session can present.
    func use(for session: OpaquePointer?) -> Bool {
        unsafe TLS.use(leaf, key, intermediates, for: session)
    }

    fileprivate func use(in context: OpaquePointer) -> Bool {
        unsafe with(intermediates) {
            unsafe waymark_SSL_CTX_use(context, leaf.pointer, key.pointer, $0, $1) == 1
        }
    }
}

/// Makes a certificate the only one that a session can present.
func use(
    _ leaf: Certificate, _ key: PrivateKey, _ intermediates: [Certificate],
    for session: OpaquePointer?
) -> Bool {
    unsafe with(intermediates) {
        unsafe waymark_SSL_use(session, leaf.pointer, key.pointer, $0, $1) == 1
    }
}

private func with(
    _ intermediates: [Certificate], _ body: (UnsafePointer<OpaquePointer?>?, CInt) -> Bool
) -> Bool {
    let chain = unsafe intermediates.map { unsafe Optional($0.pointer) }
    return unsafe chain.withUnsafeBufferPointer { unsafe body($0.baseAddress, CInt($0.count)) }
}

extension ContextHandle {
    fileprivate func use(_ tickets: SessionTickets) throws(OpenSSLError) {
        try require("session context") {
            unsafe SSL_CTX_set_session_id_context(
                pointer, sessionContext, CUnsignedInt(sessionContext.count)) == 1
        }
        unsafe waymark_SSL_CTX_without_session_cache(pointer, ticketSeconds)
        guard case .sealed(let keys) = tickets else {
            return try require("absence of tickets") {
                unsafe waymark_SSL_CTX_without_tickets(pointer) == 1
            }
        }
        // One, not OpenSSL's two: a client that opens several connections gets one with each.
        try require("number of tickets") { unsafe SSL_CTX_set_num_tickets(pointer, 1) == 1 }
        try require("ticket keys") {
            unsafe waymark_SSL_CTX_set_ticket_keys(
                pointer, useTicketKey, Unmanaged.passUnretained(keys).toOpaque()) == 1
        }
    }
}

/// The same in every context, so that a ticket is good after a reload; of clients that ask for a
/// name, see `bindSessionToName`.
private let sessionContext = Array("waymark".utf8)
/// How long a ticket is good for: as long as its key can open it, whenever that was made
/// (keys change every 12 hours, and two old ones are kept).
private let ticketSeconds = 86400
