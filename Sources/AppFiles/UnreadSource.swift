/// A file or directory of a checkout that was not read, although it can change what apps declare.
package struct UnreadSource: Hashable, Sendable {
    /// Its path in the checkout.
    package let name: String
    /// The reason, a clause of its own.
    package let fact: String

    package init(_ name: String, _ fact: String) { (self.name, self.fact) = (name, fact) }

    /// A file that is not what its format requires.
    init(_ name: String, _ fault: FormatFault) { self.init(name, "the file \(fault.fact)") }
}
