/// The first of many elements in an order, without all of them being kept and sorted.
struct FirstElements<Element: Sendable>: Sendable {
    private let most: Int
    private let areInOrder: @Sendable (Element, Element) -> Bool
    /// Up to twice so many.
    private var kept = [Element]()
    /// The last of the first ones so far; nil before there are so many.
    private var last: Element?

    /// - Parameters:
    ///   - most: how many are kept, at least one.
    ///   - areInOrder: whether the first element comes before the second.
    init(_ most: Int, by areInOrder: @escaping @Sendable (Element, Element) -> Bool) {
        (self.most, self.areInOrder) = (most, areInOrder)
    }

    mutating func add(_ element: Element) {
        if let last, !areInOrder(element, last) { return }
        kept.append(element)
        guard kept.count >= 2 * most else { return }
        kept = sorted
        last = kept.last
    }

    /// In their order.
    var sorted: [Element] { Array(kept.sorted(by: areInOrder).prefix(most)) }
}
