/// An environment's TLS settings besides its certificates.
package struct TLSPolicy: Hashable, Sendable {
    package let tickets: Tickets
    /// Whether a client that names an unknown host gets an alert instead of the first certificate.
    package let refusesUnknownNames: Bool

    /// The source of the keys of session tickets.
    package enum Tickets: Hashable, Sendable {
        /// Random ones of this process.
        case automatic
        case off
        /// Files that several origins share, the current one first.
        case files([FileReference])
    }

    package init(tickets: Tickets = .automatic, refusesUnknownNames: Bool = false) {
        self.tickets = tickets
        self.refusesUnknownNames = refusesUnknownNames
    }
}
