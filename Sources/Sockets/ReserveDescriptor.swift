private import CLinux

/// A descriptor that stands for nothing but itself: it is given up when there is no other, for as
/// long as something has to be opened all the same.
package struct ReserveDescriptor: ~Copyable {
    private var descriptor: Descriptor?

    /// A reserve, or none where there is no descriptor even now.
    package init() { restore() }

    /// Frees the descriptor for another use; false when there is none.
    package mutating func release() -> Bool {
        guard descriptor != nil else { return false }
        descriptor = nil
        return true
    }

    /// Takes one again, if there is one.
    package mutating func restore() {
        guard descriptor == nil else { return }
        let number = waymark_eventfd()
        if number >= 0 { descriptor = Descriptor(number) }
    }
}
