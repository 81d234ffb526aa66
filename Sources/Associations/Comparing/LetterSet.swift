/// A character as an automaton reads it.
enum Letter: Hashable, Sendable {
    case scalar(Unicode.Scalar)
    /// In a query, the `=` after an item's name and the `&` between items, if they are not escaped.
    case equals, ampersand
    /// Any character beyond ASCII that is in no pattern.
    case other

    init(_ byte: UInt8) { self = .scalar(Unicode.Scalar(byte)) }
}

/// The letters that one step of a pattern accepts.
struct LetterSet: Hashable, Sendable {
    private var ascii = SIMD2<UInt64>()
    /// Beyond ASCII, in order.
    private(set) var scalars = [Unicode.Scalar]()
    private var hasOthers = false
    private var hasEquals = false
    private var hasAmpersand = false

    /// The empty set.
    init() {}

    init(_ letters: some Sequence<Letter>) { for letter in letters { insert(letter) } }

    /// Every letter except the separators of a query.
    static let anything = {
        var set = LetterSet()
        set.ascii = SIMD2(repeating: .max)
        set.hasOthers = true
        return set
    }()

    mutating func insert(_ letter: Letter) {
        switch letter {
        case .equals: hasEquals = true
        case .ampersand: hasAmpersand = true
        case .other: hasOthers = true
        case .scalar(let scalar) where scalar.isASCII:
            ascii[Int(scalar.value >> 6)] |= 1 << UInt64(scalar.value & 63)
        case .scalar(let scalar):
            guard !scalars.contains(scalar) else { return }
            scalars.append(scalar)
            scalars.sort()
        }
    }

    func contains(_ letter: Letter) -> Bool {
        switch letter {
        case .equals: hasEquals
        case .ampersand: hasAmpersand
        case .other: hasOthers
        case .scalar(let scalar) where scalar.isASCII:
            ascii[Int(scalar.value >> 6)] & 1 << UInt64(scalar.value & 63) != 0
        case .scalar(let scalar): hasOthers || scalars.contains(scalar)
        }
    }

    func inserting(_ letters: Letter...) -> LetterSet {
        var set = self
        for letter in letters { set.insert(letter) }
        return set
    }

    mutating func formUnion(_ other: LetterSet) {
        ascii |= other.ascii
        hasOthers = hasOthers || other.hasOthers
        hasEquals = hasEquals || other.hasEquals
        hasAmpersand = hasAmpersand || other.hasAmpersand
        for scalar in other.scalars { insert(.scalar(scalar)) }
    }
}

extension LetterSet {
    /// Letters that become `scalar`, which is in lower case, if a rule ignores letter case.
    init(foldingInto scalar: Unicode.Scalar) {
        self.init()
        if folded(scalar) == scalar { insert(.scalar(scalar)) }
        for other in capitals[scalar] ?? [] { insert(.scalar(other)) }
    }
}

private func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    let bytes = foldedBytes(Array(String(scalar).utf8))
    return String(decoding: bytes, as: UTF8.self).unicodeScalars.first
}

/// For each lower-case letter, the letters that fold into it. All letters with a case are in the
/// first two planes.
private let capitals: [Unicode.Scalar: [Unicode.Scalar]] = {
    var capitals = [Unicode.Scalar: [Unicode.Scalar]]()
    for value in 0x41...UInt32(0x1_FFFF) {
        guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenLowercased,
            let small = folded(scalar), small != scalar
        else { continue }
        capitals[small, default: []].append(scalar)
    }
    return capitals
}()

/// Classes of letters that no step of some patterns distinguishes.
struct LetterClasses: Sendable {
    /// A letter of each class.
    private var examples = [Letter]()
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
        var classes = [Int](repeating: 0, count: letters.count)
        var count = 1
        // Each set divides the classes that it contains only in part.
        for set in Array(Set(sets)) + singles.map({ LetterSet([$0]) }) {
            var numbers = [Int](repeating: -1, count: 2 * count)
            count = 0
            for (index, letter) in letters.enumerated() {
                let half = 2 * classes[index] + (set.contains(letter) ? 1 : 0)
                if numbers[half] < 0 {
                    numbers[half] = count
                    count += 1
                }
                classes[index] = numbers[half]
            }
        }
        for (letter, number) in zip(letters, classes) where number == examples.count {
            examples.append(letter)
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
