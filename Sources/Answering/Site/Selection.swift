/// One of several values, kept beside the others: selecting another one moves both, and touches no
/// reference count.
struct Selection<Value> {
    /// The one that is selected.
    private(set) var value: Value
    /// Its number; nil for one that is none of the others.
    private(set) var number: Int? = 0
    /// All of them. What is at the number of the selected one has no meaning.
    private var others: [Value]

    /// The first of these values, which are at least one.
    init(_ values: [Value]) { (value, others) = (values[0], values) }

    mutating func select(_ next: Int) {
        guard next != number else { return }
        guard let number else {
            (value, self.number) = (others[next], next)
            return
        }
        swap(&others[number], &value)
        self.number = next
        swap(&others[next], &value)
    }

    /// Selects one that is none of the others, and is not kept when another one is selected.
    mutating func select(_ stranger: Value) {
        if let number { swap(&others[number], &value) }
        (value, number) = (stranger, nil)
    }
}
