internal import COpenSSL

/// The server's side of TLS for a set of certificates: the intermediate profile, the certificate
/// chosen by the name that the client asks for, `http/1.1` by ALPN, and session tickets.
@safe
package final class TLSServerContext: Sendable {
    private let contexts: [ContextHandle]
    /// Which certificate answers each exact name.
    private let names: [String: Int]
    private let refusesUnknownNames: Bool
    /// Held alive for the contexts.
    private let tickets: SessionTickets

    /// - Parameters:
    ///   - certificates: at least one; the first answers names that none covers, and clients that
    ///     name none.
    ///   - hosts: the names that are answered; each gets the first certificate that covers it.
    ///   - refusesUnknownNames: whether a client that asks for another name gets
    ///     `unrecognized_name` instead of the first certificate.
    package init(
        certificates: [ServerCertificate], hosts: [String], tickets: SessionTickets,
        refusesUnknownNames: Bool = false
    ) throws(OpenSSLError) {
        precondition(!certificates.isEmpty)
        names = hosts.reduce(into: [:]) { names, host in
            names[host] = certificates.firstIndex { $0.covers(host) }
        }
        self.refusesUnknownNames = refusesUnknownNames
        self.tickets = tickets
        var contexts = [ContextHandle]()
        for certificate in certificates {
            let context = try IntermediateProfile.makeContext()
            try context.use(certificate)
            try context.use(tickets)
            unsafe SSL_CTX_set_alpn_select_cb(context.pointer, chooseProtocol, nil)
            contexts.append(context)
        }
        self.contexts = contexts
        for context in contexts {
            unsafe waymark_SSL_CTX_set_servername(
                context.pointer, chooseCertificate, Unmanaged.passUnretained(self).toOpaque())
            unsafe SSL_CTX_set_client_hello_cb(context.pointer, bindSessionToName, nil)
        }
        ERR_clear_error()
    }

    /// A new connection's state, beginning with the default certificate.
    func makeSession() -> OpaquePointer? { unsafe SSL_new(contexts[0].pointer) }

    /// Gives a connection whose client asked for `name` the certificate that covers it; false
    /// where the name is to be refused.
    func select(_ name: String, for session: OpaquePointer) -> Bool {
        guard let index = names[name] else { return !refusesUnknownNames }
        guard index != 0 else { return true }
        return unsafe SSL_set_SSL_CTX(session, contexts[index].pointer) != nil
    }
}

/// Whether clients get session tickets, and whose keys seal them.
package enum SessionTickets: Sendable {
    case off
    case sealed(TicketKeys)
}

extension ContextHandle {
    fileprivate func use(_ certificate: ServerCertificate) throws(OpenSSLError) {
        try require("certificate") {
            unsafe SSL_CTX_use_certificate(pointer, certificate.leaf.pointer) == 1
        }
        try require("private key") {
            unsafe SSL_CTX_use_PrivateKey(pointer, certificate.key.pointer) == 1
        }
        for intermediate in certificate.intermediates {
            try require("intermediate certificate") {
                unsafe waymark_SSL_CTX_add_chain(pointer, intermediate.pointer) == 1
            }
        }
    }

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

/// The same in every context, so that a ticket is good whichever certificate it was issued under;
/// of clients that ask for no name, see `bindSessionToName`.
private let sessionContext = Array("waymark".utf8)
/// How long a ticket is good for: as long as its key can open it, whenever that was made
/// (keys change every 12 hours, and two old ones are kept).
private let ticketSeconds = 86400
