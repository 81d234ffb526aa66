private import CLinux

/// Two descriptors that stand for nothing but themselves: they are given up when there are no
/// others, for as long as something has to be opened all the same. A file is opened from its
/// directory, which takes both.
package struct ReserveDescriptor: ~Copyable {
    private var first: Descriptor?
    private var second: Descriptor?

    /// A reserve, or none where there are no descriptors even now.
    package init() { restore() }

    /// Frees the descriptors for another use; false when there are none.
    package mutating func release() -> Bool {
        guard first != nil || second != nil else { return false }
        first = nil
        second = nil
        return true
    }

    /// Takes them again, as far as there are any.
    package mutating func restore() {
        if first == nil { first = Self.take() }
        if second == nil { second = Self.take() }
    }

    private static func take() -> Descriptor? {
        let number = waymark_eventfd()
        return number >= 0 ? Descriptor(number) : nil
    }
}
