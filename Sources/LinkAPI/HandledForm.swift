import LinkStore

/// A form of the console that is handled once, however often a browser sends it meanwhile, and to whichever node. Its mark
/// is stored with what it does, in one transaction.
struct HandledForm: Sendable {
    /// The mark, which the console alone can send.
    private let key: String
    /// A number of this sending of the form, by which the later transactions of an import know their own mark.
    private let sending: [UInt8]

    /// Nil for a request that is none.
    init?(_ request: APIRequest) {
        guard let key = request.fields["once"] else { return nil }
        self.key = key
        sending = (0..<16).map { _ in UInt8.random(in: 0 ... .max) }
    }

    /// The refusal of a form that was sent before, and has done something; only in a transaction.
    func refusal(
        _ store: LinkStore, _ actor: LinkAPI.Actor, at now: Int
    ) throws(StoreError) -> Problem? {
        let before = try store.answer(actor: actor.number, key: key, at: now)
        guard let before, before.request != sending else { return nil }
        return Problem(.idempotencyKeyReused, "the form was sent already")
    }

    /// Notes that the form has done something; only in a transaction.
    func note(_ store: LinkStore, _ actor: LinkAPI.Actor, at now: Int) throws(StoreError) {
        let mark = RepeatedAnswer(request: sending, status: 200, fields: "", content: "")
        try store.keep(
            mark, actor: actor.number, key: key, until: now + LinkAPI.keySeconds, at: now)
    }
}
