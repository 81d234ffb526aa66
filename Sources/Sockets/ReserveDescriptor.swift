private import CLinux

/// Two reserved descriptors. They are released when there are no others and a file must be opened
/// all the same. Opening a file beneath its directory needs both.
package struct ReserveDescriptor: ~Copyable {
    private var first: Descriptor?
    private var second: Descriptor?

    /// A reserve, which is empty if there are no descriptors now.
    package init() { restore() }

    /// Releases the descriptors for another use; false if the reserve is empty.
    package mutating func release() -> Bool {
        guard first != nil || second != nil else { return false }
        first = nil
        second = nil
        return true
    }

    /// Reserves the descriptors again, as far as there are any.
    package mutating func restore() {
        if first == nil { first = Self.take() }
        if second == nil { second = Self.take() }
    }

    private static func take() -> Descriptor? {
        let number = waymark_eventfd()
        return number >= 0 ? Descriptor(number) : nil
    }
}
