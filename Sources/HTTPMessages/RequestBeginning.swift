/// The kind of a connection's first bytes, if they are not TLS on an https port.
package enum RequestBeginning: Equatable, Sendable {
    /// A known method and the space after it.
    case method(Method)
    /// The beginning of a method; more bytes must arrive.
    case part
    /// Anything else.
    case none

    /// Classifies the bytes of a range, which begins with the peer's first byte.
    package init(_ bytes: [UInt8], _ range: Range<Int>) {
        let beginning = bytes[range]
        for (method, text) in methodTexts where beginning.starts(with: text.utf8) {
            self = .method(method)
            return
        }
        self = methodTexts.contains { $0.text.utf8.starts(with: beginning) } ? .part : .none
    }
}

private let methodTexts: [(method: Method, text: String)] = [
    (.get, "GET "), (.head, "HEAD "), (.options, "OPTIONS "), (.post, "POST "), (.put, "PUT "),
    (.patch, "PATCH "), (.delete, "DELETE "), (.trace, "TRACE "), (.connect, "CONNECT "),
]
