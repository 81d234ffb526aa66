/// A pattern for paths that is built from left to right, and knows which of its stars stand for a
/// part of one segment only, and which of them must take something.
struct StarPattern {
    private(set) var text = ""
    private(set) var stars = 0
    /// The numbers of stars, from 0, that must not take a slash.
    private var segments = [Int]()
    /// The numbers of stars that must take something.
    private var filled = [Int]()
    /// Whether the last star takes as little as it can, and so no slash that may follow it.
    private var isShortest = false

    init(_ text: String = "") { self.text = text }

    mutating func append(_ literal: String) {
        text += literal
        isShortest = false
    }

    /// Adds a star. Two stars side by side would leave nothing to the first.
    /// - Returns: whether it can be there.
    mutating func appendStar(inSegment: Bool, needsText: Bool, isShortest: Bool = false) -> Bool {
        guard text.utf8.last != UInt8(ascii: "*") else { return false }
        if inSegment { segments.append(stars) }
        if needsText { filled.append(stars) }
        text += "*"
        stars += 1
        self.isShortest = isShortest
        return true
    }

    var endsInSlash: Bool { text.utf8.last == UInt8(ascii: "/") }
    var endsInStar: Bool { text.utf8.last == UInt8(ascii: "*") }
    var endsInShortest: Bool { endsInStar && isShortest }
    private var endsInSegment: Bool { endsInStar && segments.last == stars - 1 }

    /// Whether its last star could take a text that may follow it, and takes as much as it can.
    func canTake(_ text: some Sequence<UInt8>) -> Bool {
        let first = text.first { _ in true }
        return endsInStar && !isShortest && first != nil
            && (!endsInSegment || first != UInt8(ascii: "/"))
    }

    /// Lets anything follow.
    mutating func openEnd() {
        if endsInSegment {
            // What follows the segment begins with a slash, or there is nothing.
            text += "/*"
            stars += 1
        } else if !endsInStar {
            text += "*"
            stars += 1
        }
    }

    /// The relation of a pattern to the paths of a literal.
    enum Confinement: Equatable {
        /// All of its paths.
        case own
        /// Nothing.
        case nothing
        /// The literal, with the text that its only star takes of it.
        case literal(star: String)
        /// Something that is not one pattern.
        case unclear
    }

    /// - Parameter isPrefix: whether the literal stands for all paths that begin with it.
    func confinement(to literal: String, isPrefix: Bool) -> Confinement {
        let wildcards = "*?".utf8
        let head = text.utf8.prefix { !wildcards.contains($0) }
        let rest = text.utf8.dropFirst(head.count)
        guard !literal.utf8.contains(where: wildcards.contains) else { return .unclear }
        let isOpen = rest.elementsEqual("*".utf8) && segments.isEmpty
        if head.starts(with: literal.utf8) {
            if isPrefix { return .own }
            guard head.count == literal.utf8.count else { return .nothing }
            guard !rest.isEmpty else { return .own }
            guard isOpen else { return .unclear }
            return filled.isEmpty ? .literal(star: "") : .nothing
        }
        guard literal.utf8.starts(with: head), !rest.isEmpty else { return .nothing }
        guard isOpen else { return .unclear }
        return .literal(star: String(decoding: literal.utf8.dropFirst(head.count), as: UTF8.self))
    }

    /// Whether stars can share out a path in more ways than one, so that an expression may have
    /// chosen another way.
    var isAmbiguous: Bool {
        guard stars > 1, segments.count < stars else { return false }
        let pieces = text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
        return (0..<(stars - 1)).contains { star in
            !segments.contains(star) || !pieces[star + 1].elementsEqual("/".utf8)
        }
    }

    /// The pattern, and the paths that it matches although a star would have to take a slash, or
    /// nothing.
    func finished() -> (match: String, exclude: [String]) {
        let match = endsInSegment ? text + "/" : text
        return (
            match, longer(match) + emptied.compactMap { isExact(without: $0) ? without($0) : nil }
        )
    }

    /// A star that takes nothing in paths that cannot be told from others; nil if there is none.
    var emptyStar: Int? { emptied.first { !isExact(without: $0) } }

    /// The paths in which a star would have to take a slash.
    ///
    /// The end of a path counts as a slash. So a pattern that ends in a star and a slash lets the
    /// star take neither nothing nor the slash of `/a/`, and a path that has more slashes than the
    /// pattern has something behind the last of these.
    private func longer(_ match: String) -> [String] {
        guard !segments.isEmpty else { return [] }
        let pieces = Self.pieces(match)
        if segments.count == stars {
            var slashes = pieces.dropFirst().joined().utf8.count { $0 == UInt8(ascii: "/") } + 1
            if match.utf8.last == UInt8(ascii: "/") { slashes -= 1 }
            return [pieces[0] + String(repeating: "*/", count: slashes) + "?*"]
        }
        return inexactSegments(pieces).map { star in
            let after = pieces[(star + 1)...].joined(separator: "*")
            return pieces[...star].joined(separator: "*")
                + (after == "/" ? "*/?*" : "*/*" + after)
        }
    }

    /// A star that stands for a part of one segment, of which longer paths are left out by a pattern that also
    /// leaves out paths in which the text behind the star is there again; nil if there is none.
    var repeatedStar: Int? {
        guard segments.count < stars else { return nil }
        return inexactSegments(Self.pieces(endsInSegment ? text + "/" : text)).first
    }

    /// The stars for a part of one segment that could take a slash.
    private func inexactSegments(_ pieces: [String]) -> [Int] {
        // A star takes as little as it can, so one ends at the first slash if only a slash and
        // another star follow it.
        segments.filter { star in
            !(star + 1 < stars && pieces[star + 1] == "/") && !canGiveSlash(star, pieces)
        }
    }

    // MARK: Stars that take nothing

    /// The stars that must take something, and would take nothing of some paths. Between two slashes
    /// there is always something.
    private var emptied: [Int] {
        let pieces = Self.pieces(endsInSegment ? text + "/" : text)
        let slash = UInt8(ascii: "/")
        return filled.filter { star in
            pieces[star].utf8.last != slash || pieces[star + 1].utf8.first != slash
        }
    }

    /// The pattern without a star.
    private func without(_ star: Int) -> String {
        let pieces = Self.pieces(text)
        return pieces[...star].joined(separator: "*") + pieces[(star + 1)...].joined(separator: "*")
    }

    /// Whether the pattern without a star matches only paths in which the star takes nothing: other
    /// stars could take more instead.
    private func isExact(without star: Int) -> Bool {
        guard stars > 1 else { return true }
        guard segments.contains(star), !text.utf8.contains(UInt8(ascii: "?")) else { return false }
        let pieces = Self.pieces(text)
        let hasSlash = { (piece: Int) in pieces[piece].utf8.contains(UInt8(ascii: "/")) }
        // It is alone in its segment, which is counted from the beginning or from the end.
        let isLast = star + 1 == stars
        guard isLast || hasSlash(star + 1) else { return false }
        return star == 0 || ((isLast || segments.count == stars) && hasSlash(star))
    }

    private static func pieces(_ text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Whether an earlier star takes what is in front of the last slash of this one's text.
    private func canGiveSlash(_ star: Int, _ pieces: [String]) -> Bool {
        let first = (0..<star).last { !segments.contains($0) }
        guard let first else { return false }
        return ((first + 1)...star).allSatisfy { pieces[$0] == "/" }
    }
}
