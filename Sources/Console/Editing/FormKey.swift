internal import Diagnostics
private import TLS
private import URISyntax

/// A text by which the form of a new link is told from the same form of another page, and which it keeps while it comes back with faults.
/// However often a browser sends it with the same fields, as after a double click, it makes one link.
struct FormKey {
    static let name = "once"
    let text: String

    /// The text that was sent, or a new one.
    init(_ request: ConsoleRequest) {
        let sent = request.value(Self.name)
        text = sent.isEmpty ? "\(UInt64.random(in: 0 ... .max))" : sent
    }

    /// The key with which the API is asked for a link. Other fields have another one, because somebody who goes back and changes them wants
    /// another link.
    func key(of link: JSONText) -> String {
        base64URL(sha256(Array("\(text)\n\(link.compact)".utf8)))
    }
}
