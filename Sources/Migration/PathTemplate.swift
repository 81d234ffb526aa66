private import URISyntax

/// A path in the language of path-to-regexp 6.1.0, in which Vercel's sources and destinations are written: text,
/// names such as `:slug`, expressions in parentheses, and one of both with text around it in braces.
struct PathTemplate {
    let pieces: [Piece]

    enum Piece {
        case text([UInt8])
        case group(Group)
    }

    /// A part that stands for text of the path, or braces around text only.
    struct Group {
        var name: String?
        /// The text in front of the value, which is there only if the value is.
        var prefix = [UInt8]()
        var suffix = [UInt8]()
        /// Its own expression; nil for one of a segment.
        var expression: [UInt8]?
        /// `?`, `*` or `+`.
        var modifier: UInt8?

        /// Whether it is a group of the source's regular expression.
        var hasValue: Bool { name != nil || expression != nil }
        var isOptional: Bool { modifier.map("?*".utf8.contains) ?? false }
    }

    /// The reason why Vercel refuses a text, or why it has no equal here.
    struct Fault: Error {
        let reason: String
    }

    /// The groups of the regular expression, in their order.
    var groups: [Group] {
        pieces.compactMap { if case .group(let group) = $0, group.hasValue { group } else { nil } }
    }

    /// - Parameter isSource: whether the text must also be a regular expression, as Vercel asks of a source.
    init(_ text: some Sequence<UInt8>, isSource: Bool = false) throws(Fault) {
        var rest = try Self.tokens(Array(text)[...])[...]
        guard !isSource || !rest.contains(.character(UInt8(ascii: ")"))) else {
            throw Fault(reason: "a ) has no (")
        }
        var (pieces, literal) = ([Piece](), [UInt8]())
        func endText() {
            if !literal.isEmpty { pieces.append(.text(literal)) }
            literal = []
        }
        while let token = rest.first {
            // A slash or a full stop in front of a group is a part of it.
            if case .character(let byte) = token, let next = rest.dropFirst().first, next.isValue,
                !"./".utf8.contains(byte)
            {
                literal.append(byte)
                rest = rest.dropFirst()
            } else if token.isValue || rest.dropFirst().first?.isValue == true,
                let group = Self.takeGroup(&rest)
            {
                endText()
                pieces.append(.group(group))
            } else if let byte = token.text {
                literal.append(byte)
                rest = rest.dropFirst()
            } else {
                endText()
                pieces.append(.group(try Self.takeBraces(&rest)))
            }
        }
        endText()
        self.pieces = pieces
    }

    // MARK: Tokens

    private enum Token: Equatable {
        case character(UInt8)
        case escaped(UInt8)
        case name(String)
        case expression([UInt8])
        case modifier(UInt8)
        case open
        case close

        var isValue: Bool {
            switch self {
            case .name, .expression: true
            default: false
            }
        }

        var text: UInt8? {
            switch self {
            case .character(let byte), .escaped(let byte): byte
            default: nil
            }
        }
    }

    private static func tokens(_ text: ArraySlice<UInt8>) throws(Fault) -> [Token] {
        var (tokens, rest) = ([Token](), text)
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"):
                tokens.append(.modifier(byte))
            case UInt8(ascii: "\\"):
                guard let next = rest.popFirst() else {
                    throw Fault(reason: "it ends with a backslash")
                }
                tokens.append(.escaped(next))
            case UInt8(ascii: "{"): tokens.append(.open)
            case UInt8(ascii: "}"): tokens.append(.close)
            case UInt8(ascii: ":"):
                let name = rest.prefix(while: \.isOfName)
                guard !name.isEmpty else { throw Fault(reason: "a : is followed by no name") }
                rest = rest.dropFirst(name.count)
                tokens.append(.name(String(decoding: name, as: UTF8.self)))
            case UInt8(ascii: "("): tokens.append(.expression(try takeExpression(&rest)))
            default: tokens.append(.character(byte))
            }
        }
        return tokens
    }

    /// The expression behind an opening parenthesis, without the one that ends it.
    private static func takeExpression(_ rest: inout ArraySlice<UInt8>) throws(Fault) -> [UInt8] {
        var (result, depth) = ([UInt8](), 1)
        guard rest.first != UInt8(ascii: "?") else {
            throw Fault(reason: "a group begins with a ?")
        }
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: ")") { depth -= 1 }
            guard depth > 0 else {
                guard !result.isEmpty else { throw Fault(reason: "a group has no expression") }
                return result
            }
            if byte == UInt8(ascii: "(") {
                depth += 1
                guard rest.first == UInt8(ascii: "?") else {
                    throw Fault(reason: "a group is within a group and does not begin with ?:")
                }
            }
            result.append(byte)
            if byte == UInt8(ascii: "\\"), let next = rest.popFirst() { result.append(next) }
        }
        throw Fault(reason: "a ( has no )")
    }

    // MARK: Groups

    /// A slash or a full stop, a name, an expression and a modifier, as far as they are there; nil without both a
    /// name and an expression.
    private static func takeGroup(_ rest: inout ArraySlice<Token>) -> Group? {
        var (group, behind) = (Group(), rest)
        if case .character(let byte)? = behind.first {
            group.prefix = [byte]
            behind = behind.dropFirst()
        }
        takeValue(&behind, &group)
        guard group.hasValue else { return nil }
        takeModifier(&behind, &group)
        rest = behind
        return group
    }

    /// Braces with text, a name or an expression or both, and text.
    private static func takeBraces(_ rest: inout ArraySlice<Token>) throws(Fault) -> Group {
        switch rest.popFirst() {
        case .open?: break
        case .modifier(let byte)?:
            throw Fault(
                reason: "a \(Unicode.Scalar(byte)) is behind neither a name nor a group nor braces")
        default: throw Fault(reason: "a } has no {")
        }
        var group = Group()
        takeText(&rest, &group.prefix)
        takeValue(&rest, &group)
        takeText(&rest, &group.suffix)
        guard rest.popFirst() == .close else {
            throw Fault(reason: "braces have more than text around one name or group, or no }")
        }
        takeModifier(&rest, &group)
        return group
    }

    private static func takeText(_ rest: inout ArraySlice<Token>, _ text: inout [UInt8]) {
        while let byte = rest.first?.text {
            text.append(byte)
            rest = rest.dropFirst()
        }
    }

    private static func takeValue(_ rest: inout ArraySlice<Token>, _ group: inout Group) {
        if case .name(let name)? = rest.first {
            group.name = name
            rest = rest.dropFirst()
        }
        if case .expression(let expression)? = rest.first {
            group.expression = expression
            rest = rest.dropFirst()
        }
    }

    private static func takeModifier(_ rest: inout ArraySlice<Token>, _ group: inout Group) {
        if case .modifier(let byte)? = rest.first {
            group.modifier = byte
            rest = rest.dropFirst()
        }
    }
}

extension PathTemplate {
    /// The regular expression of the paths, with the same groups as Vercel's.
    var expression: String {
        var result = Array("^".utf8)
        for (number, piece) in pieces.enumerated() {
            switch piece {
            case .text(let text): result += literalExpression(text)
            case .group(let group):
                result += group.expression(isFirst: number == 0, isLast: number == pieces.count - 1)
            }
        }
        return String(decoding: result + "$".utf8, as: UTF8.self)
    }
}

extension PathTemplate.Group {
    fileprivate func expression(isFirst: Bool, isLast: Bool) -> [UInt8] {
        let (front, end) = (literalExpression(prefix), literalExpression(suffix))
        let sign = modifier.map { [$0] } ?? []
        guard hasValue else {
            return sign.isEmpty ? front + end : "(?:".utf8 + front + end + ")".utf8 + sign
        }
        let one = expression ?? Array("[^/]+".utf8)
        let isSegments = prefix.elementsEqual("/".utf8) && suffix.isEmpty && expression == nil
        switch modifier {
        case nil: return front + "(".utf8 + one + ")".utf8 + end
        case UInt8(ascii: "?"):
            if isSegments, isFirst, isLast { return Array("/([^/]+)?".utf8) }
        case UInt8(ascii: "+") where isSegments: return Array("/(.+)".utf8)
        // Without a segment there is no slash either. At the end, a slash makes no difference.
        case _ where isSegments: return Array((isLast ? "/(.*)" : "(?:/(.+))?").utf8)
        default:
            guard !prefix.isEmpty || !suffix.isEmpty else { break }
            let again: [UInt8] = "(?:".utf8 + end + front + "(?:".utf8 + one + "))*".utf8
            let inner: [UInt8] = "((?:".utf8 + one + ")".utf8 + again + ")".utf8
            let all: [UInt8] = "(?:".utf8 + front + inner + end
            return all + (isOptional ? ")?".utf8 : ")".utf8)
        }
        let group = "(".utf8 + one + ")".utf8
        return prefix.isEmpty && suffix.isEmpty
            ? group + sign : "(?:".utf8 + front + group + end + ")".utf8 + sign
    }
}

extension UInt8 {
    /// Whether a name of path-to-regexp can have it.
    var isOfName: Bool { isLetter || isDigit || self == UInt8(ascii: "_") }
}
