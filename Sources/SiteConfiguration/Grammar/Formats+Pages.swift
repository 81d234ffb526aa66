private import Diagnostics
private import URISyntax

// The forms of texts for pages.

extension Format {
    /// A file of the public directory, by its URL path.
    static let publicFile = Format(
        "a public file", pattern: "^\(SchemaPattern.noVariable)\(SchemaPattern.page)$"
    ) { text in
        guard text.utf8.first == UInt8(ascii: "/") else {
            return Fault(
                rule: .pagePath, message: "\(quoted(text)) is not a public file",
                advice: "write it as its URL path, beginning with /")
        }
        return pageFault(text)
    }

    /// Language, script and region of a language tag (RFC 5646 §2.1), in any letter case.
    static let language = Format(
        "a language tag",
        pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$"
    ) { text throws(Fault) in
        guard let tag = languageTag(text) else {
            throw Fault(
                rule: .wrongValue, message: "\(quoted(text)) is not a language tag",
                advice: "write a language such as `de`, or a language and a region: `de-AT`")
        }
        return .language(tag)
    }

    static let handle = matching(
        "an account on X", "^@[A-Za-z0-9_]{1,15}$", advice: "write it with its @, in quotes"
    ) { bytes in
        (2...16).contains(bytes.count) && bytes.first == UInt8(ascii: "@")
            && bytes.dropFirst().allSatisfy { $0.isWord || $0 == UInt8(ascii: "_") }
    }

    /// A name for templates and styles.
    static let word = matching(
        "a name", "^[a-z][a-z0-9-]{0,63}$",
        advice: "a name begins with a lower-case letter; lower-case letters, digits and hyphens "
            + "may follow"
    ) { bytes in
        bytes.count <= ConfigurationLimits.nameBytesMax && bytes.first?.isLowerCaseLetter == true
            && bytes.allSatisfy { $0.isLowerCaseLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
    }

    static let openGraphType = matching(
        "a type of Open Graph", #"^[a-z][a-z_]*(\.[a-z_]+)?$"#,
        advice: "write one such as `website`, `article` or `video.other`"
    ) { bytes in
        let words = bytes.split(
            separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        return bytes.first?.isLowerCaseLetter == true
            && words.allSatisfy { word in
                !word.isEmpty
                    && word.allSatisfy { $0.isLowerCaseLetter || $0 == UInt8(ascii: "_") }
            }
    }

    static let imageType = mediaType("image")
    static let videoType = mediaType("video")

    private static func mediaType(_ kind: String) -> Format {
        matching(
            "a media type", "^\(kind)/[a-z0-9][a-z0-9.+-]*$", advice: "it begins with \(kind)/"
        ) { bytes in
            let subtype = bytes.dropFirst(kind.utf8.count + 1)
            return bytes.starts(with: "\(kind)/".utf8)
                && subtype.first.map { $0.isLowerCaseLetter || $0.isDigit } == true
                && subtype.allSatisfy {
                    $0.isLowerCaseLetter || $0.isDigit || ".+-".utf8.contains($0)
                }
        }
    }

    static let pixels = number("a number of pixels", 1...100_000)

    static let hstsSeconds = number("a number of seconds", 0...hstsSecondsMax)
    static let hstsSecondsMax = 315_360_000

    private static func number(_ name: String, _ range: ClosedRange<Int>) -> Format {
        Format(
            name, pattern: "^\(SchemaPattern.numbers(range))$", json: .integer,
            alsoKnownAs: ["integer"],
            integers: range
        ) { text throws(Fault) in
            guard let number = wholeNumber(text, range) else {
                throw Fault(
                    rule: .wrongValue,
                    message: "\(quoted(text)) is no \(name.dropFirst(2)), which is "
                        + "\(range.lowerBound) to \(range.upperBound)")
            }
            return .number(number)
        }
    }

    /// A form that the bytes of a text either have or do not have.
    static func matching(
        _ name: String, _ pattern: String, advice: String,
        _ isAcceptable: @escaping @Sendable ([UInt8]) -> Bool
    ) -> Format {
        Format(name, pattern: pattern) { text in
            isAcceptable(Array(text.utf8))
                ? nil
                : Fault(
                    rule: .wrongValue, message: "\(quoted(text)) is not \(name)", advice: advice)
        }
    }
}

extension UInt8 {
    var isWord: Bool { isLetter || isDigit }
}

/// A language tag in the letter case that is usual for its parts: `zh-Hant-TW` (RFC 5646 §2.1.1);
/// nil for another text.
func languageTag(_ text: String) -> String? {
    let all = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    var parts = all[...]
    guard let language = parts.popFirst(), (2...3).contains(language.count),
        language.allSatisfy(\.isLetter)
    else { return nil }
    if let script = parts.first, script.count == 4, script.allSatisfy(\.isLetter) {
        parts.removeFirst()
    }
    if let region = parts.popFirst() {
        let isCountry = region.count == 2 && region.allSatisfy(\.isLetter)
        let isArea = region.count == 3 && region.allSatisfy(\.isDigit)
        guard parts.isEmpty, isCountry || isArea else { return nil }
    }
    let usual = all.enumerated().map { index, part in
        let lower = part.map(\.foldedToLowerCase)
        guard index > 0, part.count == 2 || part.count == 4 else { return lower }
        let capitals = part.count == 2 ? 2 : 1
        return lower.enumerated().map { $0 < capitals ? $1 & 0xDF : $1 }
    }
    return String(decoding: Array(usual.joined(separator: [UInt8(ascii: "-")])), as: UTF8.self)
}
