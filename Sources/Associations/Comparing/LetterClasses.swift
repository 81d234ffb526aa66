/// Classes of letters that no step of some patterns distinguishes.
struct LetterClasses: Sendable {
    /// A letter of each class.
    private(set) var examples = [Letter]()
    private var ascii = [Int]()
    private var scalars = [Unicode.Scalar: Int]()
    private(set) var equals = 0
    private(set) var ampersand = 0
    private var other = 0

    /// - Parameter scalars: the scalars beyond ASCII that can occur in `sets`.
    /// - Parameter singles: letters that have a class of their own.
    init(_ sets: some Sequence<LetterSet>, scalars: [Unicode.Scalar], singles: [Letter]) {
        let letters =
            (0..<128).map { Letter($0) } + scalars.map(Letter.scalar) + [
                .equals, .ampersand, .other,
            ]
        let places = Dictionary(zip(scalars, 128...)) { first, _ in first }
        var classes = [Int](repeating: 0, count: letters.count)
        var count = 1
        // Each set divides the classes that it contains only in part. So do the letters that it does not contain.
        for set in Array(Set(sets)) + singles.map({ LetterSet([$0]) }) {
            var divided = [Int: Int]()
            for place in set.fewerPlaces(scalars: places) {
                let number = divided[classes[place]] ?? count
                if number == count {
                    divided[classes[place]] = number
                    count += 1
                }
                classes[place] = number
            }
        }
        // Numbers in the order of the letters, without those of classes that were divided completely.
        var numbers = [Int: Int]()
        for (place, letter) in letters.enumerated() {
            let number = numbers[classes[place]] ?? examples.count
            if number == examples.count {
                numbers[classes[place]] = number
                examples.append(letter)
            }
            classes[place] = number
        }
        ascii = Array(classes[..<128])
        for (scalar, number) in zip(scalars, classes[128...]) { self.scalars[scalar] = number }
        (equals, ampersand, other) =
            (classes[classes.count - 3], classes[classes.count - 2], classes[classes.count - 1])
    }

    var count: Int { examples.count }

    /// The classes of letters beyond ASCII.
    var beyondASCII: Set<Int> { Set(scalars.values).union([other]) }

    /// The classes of which a set consists.
    func members(of letters: LetterSet) -> [Int] {
        examples.indices.filter { letters.contains(examples[$0]) }
    }

    func number(of letter: Letter) -> Int {
        switch letter {
        case .equals: equals
        case .ampersand: ampersand
        case .other: other
        case .scalar(let scalar) where scalar.isASCII: ascii[Int(scalar.value)]
        case .scalar(let scalar): scalars[scalar] ?? other
        }
    }
}
