/// What an environment says about TLS beside its certificates.
package struct TLSPolicy: Hashable, Sendable {
    package let tickets: Tickets
    /// Whether a client that asks for a host which is not answered gets an alert in place of the
    /// first certificate.
    package let refusesUnknownNames: Bool

    /// Where the keys of session tickets come from.
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
