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

    /// The places of its letters among those of ASCII, scalars, the two separators and the one for all others; or the
    /// places of those that it does not contain, where it contains all that are in no pattern.
    /// - Parameter scalars: the places of scalars beyond ASCII, which follow ASCII.
    func fewerPlaces(scalars places: [Unicode.Scalar: Int]) -> [Int] {
        let isInverse = hasOthers
        var found = [Int]()
        let bytes = isInverse ? ~ascii : ascii
        if bytes != SIMD2() {
            found = (0..<128).filter { bytes[$0 >> 6] & 1 << UInt64($0 & 63) != 0 }
        }
        if !isInverse { found += scalars.compactMap { places[$0] } }
        let end = 128 + places.count
        if hasEquals != isInverse { found.append(end) }
        if hasAmpersand != isInverse { found.append(end + 1) }
        return found
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
