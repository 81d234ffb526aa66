internal import COpenSSL

/// The server's side of TLS for a set of hosts: the intermediate profile, the certificate of the
/// host that the client requests, HTTP/1.1 and 1.0 by ALPN, and session tickets.
@safe
package final class TLSServerContext: Sendable {
    private let context: ContextHandle
    /// The certificate of each host, by its name in lower case; nil if it has none.
    private let hosts: [[UInt8]: ServerCertificate?]
    /// The certificate for clients that request no host, or an unknown one.
    private let standard: ServerCertificate?
    private let refusesUnknownNames: Bool
    /// Kept alive for the context.
    private let tickets: SessionTickets
    private let challenges: ChallengeCertificates?

    /// - Parameters:
    ///   - hosts: the names of all hosts, in lower case, with their certificates. `*` stands for the
    ///   first label of those that have no entry of their own. A client that requests a host without
    ///   a certificate gets `unrecognized_name`.
    ///   - standard: the certificate for unknown names, and for clients that send none; nil refuses
    ///   them too.
    ///   - refusesUnknownNames: whether a client that requests an unknown name gets
    ///   `unrecognized_name` instead of that certificate.
    ///   - challenges: answers to an authority's challenges; nil answers none.
    package init(
        hosts: [(name: String, certificate: ServerCertificate?)], standard: ServerCertificate?,
        tickets: SessionTickets, refusesUnknownNames: Bool = false,
        challenges: ChallengeCertificates? = nil
    ) throws(OpenSSLError) {
        self.challenges = challenges
        self.hosts = Dictionary(
            hosts.map { (Array($0.name.utf8), $0.certificate) }, uniquingKeysWith: { $1 })
        self.standard = standard
        self.refusesUnknownNames = refusesUnknownNames
        self.tickets = tickets
        context = try IntermediateProfile.makeContext()
        let context = context
        if let standard { try require("certificate") { unsafe standard.use(in: context.pointer) } }
        try context.use(tickets)
        unsafe SSL_CTX_set_alpn_select_cb(context.pointer, chooseProtocol, nil)
        let own = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe waymark_SSL_CTX_set_servername(context.pointer, checkServerName, own)
        unsafe SSL_CTX_set_cert_cb(context.pointer, presentCertificate, own)
        unsafe SSL_CTX_set_client_hello_cb(context.pointer, bindSessionToName, own)
        ERR_clear_error()
    }

    /// Another context with these certificates; all else is the same, also the ticket keys.
    package func replacing(
        hosts: [(name: String, certificate: ServerCertificate?)], standard: ServerCertificate?
    ) throws(OpenSSLError) -> TLSServerContext {
        try TLSServerContext(
            hosts: hosts, standard: standard, tickets: tickets,
            refusesUnknownNames: refusesUnknownNames, challenges: challenges)
    }

    /// The state of a new connection, with the standard certificate.
    func makeSession() -> OpaquePointer? { unsafe SSL_new(context.pointer) }

    /// The certificate for a client that requests the name of these octets; nil if it sends no
    /// name.
    func choice(for name: UnsafePointer<CChar>?) -> CertificateChoice {
        guard let name = unsafe name else { return CertificateChoice(standard) }
        let folded = unsafe Self.folded(name)
        guard let own = hosts[folded] ?? hosts[Self.wildcard(of: folded)] else {
            return refusesUnknownNames ? .refusedName : CertificateChoice(standard)
        }
        return CertificateChoice(own)
    }

    /// The answer to the challenge of a host; nil if there is none.
    func challenge(for name: UnsafePointer<CChar>?) -> CertificateChoice {
        guard let name = unsafe name,
            let certificate = challenges?.certificate(for: unsafe Self.folded(name))
        else { return .refusedName }
        return .certificate(certificate)
    }

    /// Whether challenges may be answered.
    var answersChallenges: Bool { challenges != nil }

    /// The name with `*` in place of its first label.
    private static func wildcard(of name: [UInt8]) -> [UInt8] {
        [UInt8(ascii: "*")] + name.drop { $0 != UInt8(ascii: ".") }
    }

    private static func folded(_ name: UnsafePointer<CChar>) -> [UInt8] {
        var folded = [UInt8]()
        var next = unsafe name
        while unsafe next.pointee != 0 {
            folded.append(lowerCase(unsafe UInt8(bitPattern: next.pointee)))
            unsafe next += 1
        }
        return folded
    }

    /// Makes a session present a certificate instead of the standard one.
    func present(_ certificate: ServerCertificate, in session: OpaquePointer) -> Bool {
        unsafe certificate === standard || certificate.use(for: session)
    }
}

/// The result for a requested name.
enum CertificateChoice {
    case certificate(ServerCertificate)
    /// The host is known, but has no certificate that can be presented.
    case noCertificate
    /// The host is unknown, and unknown names are refused.
    case refusedName

    fileprivate init(_ certificate: ServerCertificate?) {
        self = certificate.map(CertificateChoice.certificate) ?? .noCertificate
    }
}

/// Whether clients get session tickets, and with which keys.
package enum SessionTickets: Sendable {
    case off
    case sealed(TicketKeys)
}

extension ServerCertificate {
    /// Makes it the only certificate that the session can present.
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
        // One ticket instead of OpenSSL's two: a client that opens several connections gets one
        // with each.
        try require("number of tickets") { unsafe SSL_CTX_set_num_tickets(pointer, 1) == 1 }
        try require("ticket keys") {
            unsafe waymark_SSL_CTX_set_ticket_keys(
                pointer, useTicketKey, Unmanaged.passUnretained(keys).toOpaque()) == 1
        }
    }
}

/// The same in every context, so that a ticket stays valid after a reload. See `bindSessionToName`
/// for clients that request a name.
private let sessionContext = Array("waymark".utf8)
/// The time for which a ticket is valid: as long as its key can certainly decrypt it. Keys change
/// every 12 hours, and two old keys are kept.
private let ticketSeconds = 86400
