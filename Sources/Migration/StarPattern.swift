/// A pattern for paths that is built from left to right, and knows which of its stars stand for a
/// part of one segment only.
struct StarPattern {
    private(set) var text = ""
    private(set) var stars = 0
    /// The numbers of stars, from 0, that must not take a slash.
    private var segments = [Int]()
    /// Whether the last star must take something.
    private var needsText = false
    /// Whether the last star takes as little as it can, and so no slash that may follow it.
    private var isShortest = false

    init(_ text: String = "") { self.text = text }

    mutating func append(_ literal: String) {
        text += literal
        isShortest = false
    }

    /// Adds a star. Two stars side by side would leave nothing to the first.
    /// - Returns: whether it can be there.
    mutating func appendStar(
        inSegment: Bool, needsText: Bool, isShortest: Bool = false
    ) -> Bool {
        guard text.utf8.last != UInt8(ascii: "*") else { return false }
        if inSegment { segments.append(stars) }
        text += "*"
        stars += 1
        self.needsText = needsText
        self.isShortest = isShortest
        return true
    }

    private var endsInStar: Bool { text.utf8.last == UInt8(ascii: "*") }
    var endsInShortest: Bool { endsInStar && isShortest }
    private var endsInSegment: Bool { endsInStar && segments.last == stars - 1 }

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
        needsText = false
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
            return needsText ? .nothing : .literal(star: "")
        }
        guard literal.utf8.starts(with: head), !rest.isEmpty else { return .nothing }
        guard isOpen else { return .unclear }
        return .literal(
            star: String(decoding: literal.utf8.dropFirst(head.count), as: UTF8.self))
    }

    /// Whether stars can share out a path in more ways than one, so that an expression may have
    /// chosen another way.
    var isAmbiguous: Bool {
        guard stars > 1, segments.count < stars else { return false }
        let pieces = text.utf8.split(
            separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
        return (0..<(stars - 1)).contains { star in
            !segments.contains(star) || !pieces[star + 1].elementsEqual("/".utf8)
        }
    }

    /// The pattern, and the paths that it matches although a star would have to take a slash, or
    /// nothing.
    ///
    /// The end of a path counts as a slash. So a pattern that ends in a star and a slash lets the
    /// star take neither nothing nor the slash of `/a/`, and a path that has more slashes than the
    /// pattern has something behind the last of these.
    func finished() -> (match: String, exclude: [String]) {
        let match = endsInSegment ? text + "/" : text
        guard !segments.isEmpty else {
            let mayBeEmpty = needsText && endsInStar && stars == 1
            return (match, mayBeEmpty ? [String(match.dropLast())] : [])
        }
        let pieces = match.utf8.split(
            separator: UInt8(ascii: "*"), omittingEmptySubsequences: false
        ).map { String(decoding: $0, as: UTF8.self) }
        if segments.count == stars {
            var slashes = pieces.dropFirst().joined().utf8.count { $0 == UInt8(ascii: "/") } + 1
            if match.utf8.last == UInt8(ascii: "/") { slashes -= 1 }
            return (match, [pieces[0] + String(repeating: "*/", count: slashes) + "?*"])
        }
        // A star takes as little as it can, so one ends at the first slash if only a slash and
        // another star follow it.
        let isExact = { (star: Int) in
            (star + 1 < stars && pieces[star + 1] == "/") || canGiveSlash(star, pieces)
        }
        return (
            match,
            segments.filter { !isExact($0) }.map { star in
                let after = pieces[(star + 1)...].joined(separator: "*")
                return pieces[...star].joined(separator: "*")
                    + (after == "/" ? "*/?*" : "*/*" + after)
            }
        )
    }

    /// Whether an earlier star takes what is in front of the last slash of this one's text.
    private func canGiveSlash(_ star: Int, _ pieces: [String]) -> Bool {
        let first = (0..<star).last { !segments.contains($0) }
        guard let first else { return false }
        return ((first + 1)...star).allSatisfy { pieces[$0] == "/" }
    }
}
