/// What the first bytes of a connection are, where a request is not what should come.
package enum RequestBeginning: Equatable, Sendable {
    /// A method that this origin knows, and the space after it.
    case method(Method)
    /// A part of that; more must come.
    case part
    /// Anything else.
    case none

    /// Judges the bytes of a range, from the first that the peer has sent.
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
