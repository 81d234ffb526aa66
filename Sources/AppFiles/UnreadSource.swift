/// A file or directory of a checkout that was not read, although it can change what apps declare.
package struct UnreadSource: Hashable, Sendable {
    /// Its path in the checkout.
    package let name: String
    /// The reason, a clause of its own.
    package let fact: String

    /// Whether it is a program, or was read, but not all that it refers to or decides.
    package let isRead: Bool

    package init(_ name: String, _ fact: String, isRead: Bool = false) {
        (self.name, self.fact, self.isRead) = (name, fact, isRead)
    }

    /// A file that is not what its format requires.
    init(_ name: String, _ fault: FormatFault) { self.init(name, "the file \(fault.fact)") }
}
