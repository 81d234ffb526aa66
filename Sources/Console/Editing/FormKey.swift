internal import Diagnostics
private import TLS
private import URISyntax

/// The chance text of one form for a new link. The form keeps it while it comes back with faults.
/// However often a browser sends the form with the same fields, as after a double click, it makes one link.
struct FormKey {
    static let name = "once"
    let text: String

    /// The text that was sent, or a new one.
    init(_ request: ConsoleRequest) {
        let sent = request.value(Self.name)
        text = sent.isEmpty ? "\(UInt64.random(in: 0 ... .max))" : sent
    }

    /// The idempotency key of a request for a link. Changed fields have another key: somebody who goes back and changes
    /// them wants another link.
    func key(of link: JSONText) -> String {
        base64URL(sha256(Array("\(text)\n\(link.compact)".utf8)))
    }
}
