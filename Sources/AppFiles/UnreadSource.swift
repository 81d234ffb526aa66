private import Diagnostics

/// A file or directory of a checkout that was not read, although it can change what apps declare.
package struct UnreadSource: Hashable, Sendable {
    /// Its path in the checkout.
    package let name: String
    /// The reason, a clause of its own.
    package let fact: String

    /// Whether it is a program, or was read, but not all that it refers to or decides.
    package let isRead: Bool
    /// The place in the file; nil if it is none, or not known.
    package let place: TextPlace?

    package init(_ name: String, _ fact: String, isRead: Bool = false, at place: TextPlace? = nil) {
        (self.name, self.fact, self.isRead, self.place) = (name, fact, isRead, place)
    }

    /// A file that is not what its format requires.
    init(_ name: String, _ fault: FormatFault) { self.init(name, "the file \(fault.fact)") }
}

/// Names in one sentence, at most four of them.
/// - Parameter quote: `quotedPath` for names of files.
package func enumerated(
    _ names: [String], quote: (String) -> String = { quoted($0) }
) -> String {
    let shown = names.prefix(4).map(quote)
    return shown.joined(separator: ", ") + (names.count > 4 ? " and \(names.count - 4) more" : "")
}
