import Associations
import Diagnostics
import URISyntax

// Percent-encoding. Links are compared as they are written, unless a rule asks for decoded ones.

extension RuleReading {
    /// Faults of encoding in the three parts, and in the names of query items, which are compared
    /// in the same way.
    var encodingFindings: [Finding] {
        var findings = placedTexts.compactMap {
            encoding($0.text, in: $0.part, quoted($0.text), $0.spot)
        }
        findings += itemNames.compactMap {
            encoding($0.text, in: .query, "the name \(quoted($0.text))", $0.spot)
        }
        if !percentEncoded, exclude, let path, hasInnerSlash(path.value) {
            findings.append(
                Finding(
                    .warning, .decodedExclude, pathSpot,
                    "with percentEncoded false, %2F counts as a slash here, but not for the server",
                    advice: "remove percentEncoded from excludes"))
        }
        return findings
    }

    /// The first character that browsers encode in a part, unless another rule says that it is another
    /// program's syntax, such as `<name>`, `{name}` and a `^` at the beginning.
    private func encodedCharacter(of text: String, in part: LinkURL.Part) -> UInt8? {
        let bytes = Array(text.utf8)
        let isName = bytes.contains(UInt8(ascii: "<")) && bytes.contains(UInt8(ascii: ">"))
        let isExpression = bytes.prefix(2).contains(UInt8(ascii: "^"))
        let isBraced = bytes.contains(UInt8(ascii: "{")) && bytes.contains(UInt8(ascii: "}"))
        let syntax =
            #"\"# + (isBraced ? "{}" : "") + (isName ? "<>" : "") + (isExpression ? "^" : "")
        return bytes.dropFirst(isLegacy && exclude ? 1 : 0).first {
            !LinkURL.isSent($0, in: part) && !syntax.utf8.contains($0)
        }
    }

    /// - Parameter words: the name of the text in messages.
    private func encoding(
        _ text: String, in part: LinkURL.Part, _ words: String, _ spot: Finding.Spot
    ) -> Finding? {
        if let quote = quote(around: text) {
            return Finding(
                .error, .curlyQuotes, spot,
                "\(words) holds \(quoted(String(quote))), a typographic quote: nothing matches",
                advice: "remove it; only straight quotes around the text are needed")
        }
        let escapes = escapes(in: Array(text.utf8))
        if !percentEncoded {
            guard !escapes.isEmpty else { return nil }
            return Finding(
                .warning, .encodedPattern, spot,
                "\(words) is encoded, but with percentEncoded false, links are decoded before they "
                    + "are compared", advice: "decode the pattern")
        }
        if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            return Finding(
                .warning, .unencodedPattern, spot,
                "\(words) contains a control character, which no link has",
                advice: "remove it")
        }
        if let strange = encodedCharacter(of: text, in: part) {
            return Finding(
                .warning, .unencodedPattern, spot,
                "\(words) holds \(characterWords(strange)), which links have in encoded form only",
                advice: "write it percent-encoded, or add \"percentEncoded\": false")
        }
        if hasStrayPercent(Array(text.utf8)) {
            return Finding(
                .warning, .unencodedPattern, spot,
                "\(words) holds a % that begins no escape; correct links have %25 in its place",
                advice: "write %25 for a percent sign")
        }
        let hasSmall = escapes.contains { $0.contains(where: \.isLowerCaseLetter) }
        guard hasSmall, caseSensitive else { return nil }
        return Finding(
            .warning, .lowerCaseHex, spot,
            "\(words) has an escape in lower case, but browsers write upper case",
            advice: "write it in upper case, such as %C3")
    }
}

extension RuleReading {
    /// A typographic quote at one end of a pattern, which was meant to be around it. Within a text
    /// it may be an apostrophe, also at the end of a decoded one.
    func quote(around text: String) -> Unicode.Scalar? {
        let ends = [text.unicodeScalars.first, percentEncoded ? text.unicodeScalars.last : nil]
        return ends.compactMap(\.self).first(where: isTypographicQuote)
    }
}

extension AssociationReading {
    /// The first value of each variable that has something which browsers change before links are
    /// compared, in a part where a rule uses it.
    var variableEncodingFindings: [Finding] {
        var parts = [[UInt8]: Set<LinkURL.Part>]()
        for rule in details.flatMap(\.allRules) where rule.percentEncoded {
            for (text, part, _) in rule.placedTexts {
                for case let name? in variableNames(in: text) {
                    parts[Array(name.utf8), default: []].insert(part)
                }
            }
        }
        return variables.compactMap { variable in
            let parts = parts[Array(variable.name.value.utf8)] ?? []
            guard !parts.isEmpty else { return nil }
            for value in variable.values {
                let strange = value.utf8.first { byte in
                    parts.contains { !LinkURL.isSent(byte, in: $0) }
                }
                guard let strange else { continue }
                return Finding(
                    .warning, .unencodedPattern, Finding.Spot(variable.name),
                    "the value \(quoted(value)) of \(quoted(variable.name.value)) holds "
                        + "\(characterWords(strange)), which links have in encoded form only",
                    advice: "write it percent-encoded, or add \"percentEncoded\": false to the "
                        + "rules that use it")
            }
            return nil
        }
    }
}

/// A character that browsers encode, in words.
private func characterWords(_ byte: UInt8) -> String {
    switch byte {
    case 0x20: "a space"
    case ..<0x20, 0x7F: "a control character"
    case 0x80...: "letters beyond ASCII"
    default: "the character \(Unicode.Scalar(byte))"
    }
}

/// The two digits of each `%XX`.
private func escapes(in text: [UInt8]) -> [ArraySlice<UInt8>] {
    text.indices.compactMap { index in
        guard text[index] == UInt8(ascii: "%"), index + 2 < text.count else { return nil }
        let digits = text[(index + 1)...(index + 2)]
        let areHex = digits.allSatisfy { $0.hexDigitValue != nil }
        return areHex ? digits : nil
    }
}

/// Whether a percent sign is followed neither by two hexadecimal digits nor by something that
/// stands for them.
private func hasStrayPercent(_ text: [UInt8]) -> Bool {
    text.indices.contains { index in
        guard text[index] == UInt8(ascii: "%") else { return false }
        for next in text[(index + 1)...].prefix(2) {
            if "*$".utf8.contains(next) { return false }
            if next != UInt8(ascii: "?"), next.hexDigitValue == nil { return true }
        }
        return index + 2 >= text.count && text.last != UInt8(ascii: "*")
    }
}

private func hasInnerSlash(_ path: String) -> Bool {
    path.utf8.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual("*".utf8) }.count > 1
}
