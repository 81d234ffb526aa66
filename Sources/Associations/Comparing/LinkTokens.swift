private import URISyntax

/// One step through a part of a URL: a character as written, or one escape.
struct LinkToken {
    let text: [UInt8]
    /// The classes of its letters for patterns that are compared with the text as written.
    let written: [Int]
    let decoded: Decoded
    /// Whether it is a hexadecimal digit, which can be part of an escape after a percent sign.
    let isHexDigit: Bool
    let habit: Habit

    /// The habit of those who write such a token. Example links prefer the first.
    enum Habit: Int, CaseIterable, Comparable {
        case common
        /// Escapes of letters, digits and other characters that need none (RFC 3986 §2.3).
        case escapedNeedlessly
        /// Characters that a URL cannot contain (RFC 3986 §2).
        case notAllowed

        static func < (left: Habit, right: Habit) -> Bool { left.rawValue < right.rawValue }
    }

    /// The token for patterns that are compared with the decoded text.
    enum Decoded: Hashable {
        /// A letter of this class; nil if there are no such patterns.
        case letter(Int?)
        /// A percent sign that begins no escape.
        case percent(Int)
        /// An escape of a byte of a character beyond ASCII. It becomes part of that character if
        /// the bytes next to it complete it. Otherwise it stays as it is, in letters of these
        /// classes.
        case byte(UInt8, unless: [Int])
    }
}

/// The tokens that make a difference to some patterns. Of tokens that no pattern distinguishes,
/// only the most legible one.
struct LinkTokens {
    private(set) var all = [LinkToken]()
    private let kind: PartAutomaton.Text
    private let written: LetterClasses?
    private let decoded: LetterClasses?
    /// The scalars beyond ASCII that patterns name.
    private let scalars: [Unicode.Scalar]
    /// The bytes that encode `scalars`.
    private let namedBytes: Set<UInt8>
    private var known = Set<Signature>()

    private struct Signature: Hashable {
        let written: [Int]
        let decoded: LinkToken.Decoded
        let isHexDigit: Bool
    }

    /// - Parameters:
    ///   - written: the letters of patterns that are compared as written; nil if there are none.
    ///   - isUsual: whether only what needs an escape has one.
    init(
        _ text: PartAutomaton.Text, written: LetterClasses?, decoded: LetterClasses?,
        scalars: [Unicode.Scalar], isUsual: Bool = false
    ) {
        (kind, self.written, self.decoded) = (text, written, decoded)
        self.scalars = scalars
        namedBytes = Set(scalars.flatMap { String($0).utf8 })
        let excluded: String =
            switch text {
            case .path: "?#"
            case .query: "#"
            case .item: "&#"
            case .fragment: ""
            }
        let (semicolon, isOfQuery) = (UInt8(ascii: ";"), text == .query || text == .item)
        for byte in legible where !excluded.utf8.contains(byte) {
            // Apple's rules see one star in several, which people do not write. Android can divide a query
            // at semicolons.
            let isLeftOut = isUsual && (byte == UInt8(ascii: "*") || byte == semicolon && isOfQuery)
            if !isLeftOut { addCharacter(byte, .common) }
        }
        if isUsual {
            for byte in strange + Array("?%".utf8) { addEscaped([byte], Letter(byte)) }
            for scalar in scalars { addEscaped(Array(String(scalar).utf8), .scalar(scalar)) }
            addEscaped(Array(String(unnamed).utf8), .other)
            return
        }
        if decoded == nil {
            addCharacter(percent, .common)
        } else {
            for byte in strange + legible.reversed() + (UInt8.min...UInt8.max)
            where !byte.isUnreserved { addEscapes(of: byte, .common) }
            for byte in legible where byte.isUnreserved { addEscapes(of: byte, .escapedNeedlessly) }
        }
        for byte in strange where !excluded.utf8.contains(byte) { addCharacter(byte, .notAllowed) }
        for scalar in scalars + [unnamed] { add(scalar) }
        guard decoded != nil else { return }
        add(
            LinkToken(
                text: [percent], written: written.map { [$0.number(of: Letter(percent))] } ?? [],
                decoded: .percent(decoded?.number(of: Letter(percent)) ?? 0), isHexDigit: false,
                habit: .notAllowed))
    }

    /// A character beyond ASCII that no pattern names.
    var unnamed: Unicode.Scalar {
        (0xFC...0x2FF).lazy.compactMap { Unicode.Scalar($0 as UInt32) }
            .first { !scalars.contains($0) } ?? "\u{3B1}"
    }

    private mutating func addCharacter(_ byte: UInt8, _ habit: LinkToken.Habit) {
        let letter: Letter =
            switch (byte, kind) {
            case (UInt8(ascii: "="), .query), (UInt8(ascii: "="), .item): .equals
            case (UInt8(ascii: "&"), .query): .ampersand
            default: Letter(byte)
            }
        add(
            LinkToken(
                text: [byte], written: written.map { [$0.number(of: letter)] } ?? [],
                decoded: .letter(decoded?.number(of: letter)),
                isHexDigit: decoded != nil && byte.hexDigitValue != nil, habit: habit))
    }

    private mutating func add(_ scalar: Unicode.Scalar) {
        let letter = scalars.contains(scalar) ? Letter.scalar(scalar) : .other
        add(
            LinkToken(
                text: Array(String(scalar).utf8),
                written: written.map { [$0.number(of: letter)] } ?? [],
                decoded: .letter(decoded?.number(of: letter)), isHexDigit: false,
                habit: .notAllowed))
    }

    /// Adds the escapes of a byte, with upper-case and lower-case digits.
    private mutating func addEscapes(of byte: UInt8, _ habit: LinkToken.Habit) {
        for high in spellings(byte >> 4) {
            for low in spellings(byte & 15) { addEscape([percent, high, low], of: byte, habit) }
        }
    }

    private mutating func addEscape(_ text: [UInt8], of byte: UInt8, _ habit: LinkToken.Habit) {
        guard let decoded else { return }
        let result: LinkToken.Decoded =
            byte < 0x80
            ? .letter(decoded.number(of: Letter(byte)))
            : .byte(representative(of: byte), unless: text.map { decoded.number(of: Letter($0)) })
        add(
            LinkToken(
                text: text,
                written: written.map { classes in
                    text.map { classes.number(of: Letter($0)) }
                } ?? [], decoded: result, isHexDigit: false, habit: habit))
    }

    /// Adds a character as browsers escape it.
    private mutating func addEscaped(_ bytes: [UInt8], _ letter: Letter) {
        let text = bytes.flatMap { [percent, ($0 >> 4).hexDigit, ($0 & 15).hexDigit] }
        add(
            LinkToken(
                text: text,
                written: written.map { classes in
                    text.map { classes.number(of: Letter($0)) }
                } ?? [], decoded: .letter(decoded?.number(of: letter)), isHexDigit: false,
                habit: .common))
    }

    private mutating func add(_ token: LinkToken) {
        let signature = Signature(
            written: token.written, decoded: token.decoded, isHexDigit: token.isHexDigit)
        if known.insert(signature).inserted { all.append(token) }
    }

    /// The first of the bytes that UTF-8 treats alike and no pattern names.
    private func representative(of byte: UInt8) -> UInt8 {
        guard !namedBytes.contains(byte) else { return byte }
        let alike = alikeInUTF8.first { $0.contains(byte) } ?? byte...byte
        return alike.first { !namedBytes.contains($0) } ?? byte
    }
}

/// The state after some bytes of a character beyond ASCII, which are escaped one by one.
struct PartialScalar: Hashable {
    private(set) var bytes = [UInt8]()

    enum Outcome: Hashable {
        case begun(PartialScalar)
        case completed(Unicode.Scalar)
        /// These bytes are not the beginning of any character.
        case invalid
    }

    /// The state after one more byte (RFC 3629 §4).
    func appending(_ byte: UInt8) -> Outcome {
        let all = bytes + [byte]
        guard let lead = all.first, (0xC2...0xF4).contains(lead) else { return .invalid }
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        // Only the range of the second byte depends on the first.
        let filled = all.count == 1 ? [] : all + [UInt8](repeating: 0x80, count: length - all.count)
        guard let text = String(validating: filled, as: UTF8.self) else { return .invalid }
        guard all.count == length, let scalar = text.unicodeScalars.first else {
            return .begun(PartialScalar(bytes: all))
        }
        return .completed(scalar)
    }
}

/// The bytes beyond ASCII in groups. All bytes of a group can occur at the same positions (RFC 3629
/// §4).
private let alikeInUTF8: [ClosedRange<UInt8>] = [
    0x80...0x8F, 0x90...0x9F, 0xA0...0xBF, 0xC0...0xC1, 0xC2...0xDF, 0xE0...0xE0, 0xE1...0xEC,
    0xED...0xED, 0xEE...0xEF, 0xF0...0xF0, 0xF1...0xF3, 0xF4...0xF4, 0xF5...0xFF,
]

private let percent = UInt8(ascii: "%")

/// The characters of example links, the most legible first.
private let legible = Array(
    "xyzwvutsrqponmlkjihgfedcba1234567890XYZWVUTSRQPONMLKJIHGFEDCBA-_.~/!$'(),;:@=&+*?".utf8)

/// Characters that a URL cannot contain but systems accept.
private let strange = Array(" []|^`{}<>\\\"#".utf8)

private func spellings(_ digit: UInt8) -> [UInt8] {
    let small = digit.hexDigit | 0x20
    return digit < 10 ? [digit.hexDigit] : [small & 0xDF, small]
}
