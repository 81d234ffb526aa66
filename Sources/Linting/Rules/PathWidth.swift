import Associations
import Diagnostics
import URISyntax

// Patterns that match more, or less, than they seem to.

extension RuleReading {
    /// Paths that a correct pattern also matches, which its author probably forgot.
    var widthFindings: [Finding] {
        guard let path else { return [] }
        let text = Array(path.value.utf8)
        return [
            prefixFinding(path, text), segmentFinding(path, text), commentFinding(path, text),
            starFinding(text),
        ].compactMap(\.self)
    }

    private func prefixFinding(_ path: Located<String>, _ text: [UInt8]) -> Finding? {
        guard text.count > 2, text.last == UInt8(ascii: "*"), isAlphanumeric(text[text.count - 2])
        else { return nil }
        let stem = String(decoding: text.dropLast(), as: UTF8.self)
        return Finding(
            .warning, .prefixWithoutSlash, pathSpot,
            "\(quoted(path.value)) matches every path with this beginning, such as "
                + "\(quoted(stem + "xyz"))",
            advice: "write \(quoted(stem + "/*")), which also matches \(quoted(stem))")
    }

    /// `/*/search`: a whole segment that is a star, with something after it.
    private func segmentFinding(_ path: Located<String>, _ text: [UInt8]) -> Finding? {
        let segments = text.split(separator: UInt8(ascii: "/"))
        guard let star = segments.firstIndex(where: { $0.elementsEqual("*".utf8) }),
            segments[(star + 1)...].contains(where: { !$0.elementsEqual("*".utf8) })
        else { return nil }
        return Finding(
            .warning, .starAcrossSegments, pathSpot,
            "the star in \(quoted(path.value)) also matches slashes, so it matches any number of "
                + "segments"
                + (exclude ? ", and more than one level is excluded" : ""),
            advice: exclude
                ? "open deeper paths by an earlier rule, if only one level is meant"
                : "exclude deeper paths by an earlier rule, if only one level is meant")
    }

    private func commentFinding(_ path: Located<String>, _ text: [UInt8]) -> Finding? {
        guard let comment, !text.contains(UInt8(ascii: "*")) else { return nil }
        let words = comment.lowercased().utf8
        let hints = ["starts with", "start with", "begins with", "begin with", "starting with"]
        guard hints.contains(where: { words.contains($0) }) else { return nil }
        return Finding(
            .warning, .commentSaysPrefix, pathSpot,
            "the comment describes paths with this beginning, but \(quoted(path.value)) has no "
                + "star",
            advice: "add /* to the pattern")
    }

    private func starFinding(_ text: [UInt8]) -> Finding? {
        let stars = text.count { $0 == UInt8(ascii: "*") }
        guard stars > starsMax, !text.allSatisfy({ $0 == UInt8(ascii: "*") }) else { return nil }
        return Finding(
            .warning, .manyStars, pathSpot,
            "\(stars) stars in one pattern: systems stop at patterns that branch too often "
                + "(reported for current systems)", advice: "write several rules")
    }
}

/// More stars in one pattern are slow on every system.
private let starsMax = 8

extension [RuleReading] {
    /// Reported once for the rules of an entry, because a site usually spells all its paths in the
    /// same way.
    var mixedCaseFinding: Finding? {
        let mixed = filter(\.isMixedCase)
        guard let first = mixed.first, let path = first.path else { return nil }
        let more = mixed.count > 1 ? ", as \(mixed.count - 1) more below" : ""
        return Finding(
            .warning, .mixedCase, first.pathSpot,
            "\(quoted(path.value)) has upper and lower case\(more), so links in another letter "
                + "case open in the browser",
            advice: first.isLegacy
                ? "list the other spellings, too"
                : "add \"caseSensitive\": false if the site accepts both")
    }
}

extension RuleReading {
    fileprivate var isMixedCase: Bool {
        guard caseSensitive, let path, pathSyntaxFinding?.severity != .error else { return false }
        let letters = literalBytes(path.value)
        return letters.contains(where: \.isUpperCaseLetter)
            && letters.contains(where: \.isLowerCaseLetter)
    }
}

/// The bytes of a pattern without its escapes and variables.
func literalBytes(_ text: String) -> [UInt8] {
    var (result, rest) = ([UInt8](), Array(text.utf8)[...])
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%") {
            rest = rest.dropFirst(2)
        } else if byte == UInt8(ascii: "$"), rest.first == UInt8(ascii: "(") {
            rest = rest.drop { $0 != UInt8(ascii: ")") }.dropFirst()
        } else {
            result.append(byte)
        }
    }
    return result
}
