package import Diagnostics
private import URISyntax

/// The fault of a text that should be an application identifier.
package struct IdentifierFault {
    package let severity: Severity
    package let rule: RuleName
    package let message: String
    package let advice: String

    /// Nil for an identifier that Apple can match.
    package init?(_ text: String) {
        guard let fault = Self.fault(of: text) else { return nil }
        self = fault
    }

    private init(_ severity: Severity, _ rule: RuleName, _ message: String) {
        self.severity = severity
        self.rule = rule
        self.message = message
        advice =
            rule == .bundleWithoutDot
            ? "compare it with developer.apple.com › Identifiers: most such texts are incomplete"
            : AppIdentifierError.advice
    }

    private static func fault(of text: String) -> IdentifierFault? {
        let bytes = Array(text.utf8)
        let isOneWord = !bytes.contains { "+:/,; |.".utf8.contains($0) }
        if let quote = text.unicodeScalars.first(where: isTypographicQuote) {
            return .init(
                .error, .appIDForm,
                "\(quoted(text)) holds \(quoted(String(quote))), a typographic quote")
        }
        if text.unicodeScalars.contains(where: { "<>{}$[]…".unicodeScalars.contains($0) })
            || (isOneWord && isPlaceholder(bytes[...]))
        {
            return .init(
                .error, .appIDPlaceholder, "\(quoted(text)) is a placeholder, not an identifier")
        }
        guard let dot = bytes.firstIndex(of: UInt8(ascii: ".")) else {
            return separatorFault(text, bytes)
                ?? .init(
                    .error, .appIDWithoutPrefix,
                    "\(quoted(text)) has no full stop between App ID prefix and bundle identifier")
        }
        return joinFault(text, bytes) ?? prefixFault(text, bytes[..<dot])
            ?? bundleFault(text, bytes[(dot + 1)...])
    }

    private static func prefixFault(
        _ text: String, _ prefix: ArraySlice<UInt8>
    ) -> IdentifierFault? {
        let written = quoted(String(decoding: prefix, as: UTF8.self))
        if isPlaceholder(prefix) {
            return .init(.error, .appIDPlaceholder, "App ID prefix \(written) is a placeholder")
        }
        if isPatterned(prefix) {
            return .init(
                .error, .appIDPlaceholder,
                "App ID prefix \(written) is a placeholder: its characters are in a regular order")
        }
        if isCounting(prefix) {
            // The prefix is possible, but no app with it is known.
            return .init(
                .warning, .appIDPlaceholder,
                "App ID prefix \(written) is one that documentation uses")
        }
        if (2...6).contains(prefix.count), prefix.allSatisfy(\.isLowerCaseLetter) {
            return .init(
                .error, .appIDWithoutPrefix,
                "\(quoted(text)) is a bundle identifier without an App ID prefix")
        }
        if (8...10).contains(prefix.count), prefix.allSatisfy(\.isDigit) {
            return .init(
                .error, .appIDStoreNumber,
                "prefix \(written) looks like an App Store number, not like an App ID prefix")
        }
        // If invisible characters were pasted, the number of bytes would not help people.
        guard !prefix.contains(where: { $0 <= 0x20 }) else {
            return .init(
                .error, .appIDForm, "\(quoted(text)) contains a space, which no identifier has")
        }
        guard prefix.count == AppIdentifier.prefixBytes else {
            return .init(
                .error, .appIDPrefix,
                "App ID prefix \(written) has \(prefix.count) bytes, must have "
                    + "\(AppIdentifier.prefixBytes)")
        }
        guard prefix.allSatisfy({ $0.isLetter || $0.isDigit }) else {
            return .init(
                .error, .appIDPrefix,
                "App ID prefix \(written) must have only upper-case letters A-Z and digits")
        }
        guard !prefix.contains(where: \.isLowerCaseLetter) else {
            return .init(
                .warning, .appIDLowerCase,
                "App ID prefix \(written) is in lower case, but is compared exactly")
        }
        return nil
    }

    /// A prefix that is followed by a separator other than a full stop, with full stops after it.
    private static func joinFault(_ text: String, _ bytes: [UInt8]) -> IdentifierFault? {
        let prefix = bytes.prefix(AppIdentifier.prefixBytes)
        guard prefix.allSatisfy({ $0.isUpperCaseLetter || $0.isDigit }), !isPlaceholder(prefix),
            let mark = bytes.dropFirst(AppIdentifier.prefixBytes).first,
            "+:/,; |-_".utf8.contains(mark)
        else { return nil }
        let separator = quoted(String(Unicode.Scalar(mark)))
        return .init(.error, .appIDForm, "\(quoted(text)) has \(separator) instead of a full stop")
    }

    /// A possible prefix that is followed by a separator other than a full stop.
    private static func separatorFault(_ text: String, _ bytes: [UInt8]) -> IdentifierFault? {
        guard let mark = bytes.firstIndex(where: { "+:/,; |".utf8.contains($0) }) else {
            return nil
        }
        let separator = quoted(String(Unicode.Scalar(bytes[mark])))
        let isSample = isPlaceholder(bytes[..<mark])
        return .init(
            .error, isSample ? .appIDPlaceholder : .appIDForm,
            "\(quoted(text)) \(isSample ? "is a placeholder, and " : "")has \(separator) instead "
                + "of a full stop")
    }

    private static func bundleFault(
        _ text: String, _ bundle: ArraySlice<UInt8>
    ) -> IdentifierFault? {
        if bundle.contains(UInt8(ascii: "*")) {
            return .init(
                .error, .appIDWildcard,
                "\(quoted(text)) has a wildcard, but identifiers are not patterns")
        }
        guard isBundleIdentifier(bundle) else {
            return .init(
                .error, .appIDForm,
                "bundle identifier of \(quoted(text)) must have only letters, digits, hyphens and "
                    + "full stops, and no empty part")
        }
        guard bundle.contains(UInt8(ascii: ".")) else {
            return .init(
                .note, .bundleWithoutDot, "bundle identifier of \(quoted(text)) is one word")
        }
        return nil
    }

    /// Words that templates have in place of a prefix, and the prefixes of samples that Apple has
    /// printed.
    private static func isPlaceholder(_ prefix: ArraySlice<UInt8>) -> Bool {
        let letters = prefix.filter(\.isLetter).map { $0 & 0xDF }
        let word = String(decoding: letters, as: UTF8.self)
        let words = ["TEAM", "YOUR", "PREFIX", "BUNDLEID", "APPID", "PLACEHOLDER", "EXAMPLE"]
        if words.contains(where: { contains($0, in: word) }), letters.count + 4 >= prefix.count {
            return true
        }
        // `TEAM123456`: the word, and digits that count or repeat.
        let digits = prefix.filter(\.isDigit)
        if words.contains(word) || word == "TEAMID", letters.count + digits.count == prefix.count,
            Set(digits).count == 1
                || [0x30, 0x31].contains(where: {
                    digits.elementsEqual(counted(from: $0, digits.count))
                })
        {
            return true
        }
        if ["9JA89QQLNQ", "S8QB4VV633"].contains(where: { prefix.elementsEqual($0.utf8) }) {
            return true
        }
        // Other letters are not typed by mistake.
        if prefix.contains(where: { $0 >= 0x80 }) { return true }
        guard let first = prefix.first, first.isUpperCaseLetter, prefix.count >= 4 else {
            return false
        }
        return prefix.allSatisfy { $0 == first }
    }
}

/// `ABCDE12345`, `12345ABCDE`, `A1B2C3D4E5`: letters from A on and digits from 1 or 0 on, in any
/// mixture.
private func isCounting(_ prefix: ArraySlice<UInt8>) -> Bool {
    let letters = prefix.filter(\.isUpperCaseLetter)
    let digits = prefix.filter(\.isDigit)
    return prefix.count == AppIdentifier.prefixBytes
        && letters.count + digits.count == prefix.count && letters.count >= 3
        && letters.elementsEqual((0x41...).prefix(letters.count))
        && [0x31, 0x30].contains { digits.elementsEqual(counted(from: $0, digits.count)) }
}

/// Consecutive digits, with zero after nine.
private func counted(from first: UInt8, _ count: Int) -> [UInt8] {
    (0..<count).map { 0x30 + (first - 0x30 + UInt8($0)) % 10 }
}

/// `0000000000`, `1234567890`, `ABABABABAB`, `QWERTYUIOP`: patterns that do not occur by chance.
private func isPatterned(_ prefix: ArraySlice<UInt8>) -> Bool {
    guard prefix.count == AppIdentifier.prefixBytes,
        prefix.allSatisfy({ $0.isUpperCaseLetter || $0.isDigit })
    else { return false }
    let rows = ["QWERTYUIOP", "1Q2W3E4R5T", "ASDFGHJKLZ"]
    return Set(prefix).count <= 2 || rows.contains { prefix.elementsEqual($0.utf8) }
        || prefix.allSatisfy(\.isDigit)
            && [0x30, 0x31].contains { prefix.elementsEqual(counted(from: $0, prefix.count)) }
}

private func contains(_ word: String, in text: String) -> Bool {
    let (bytes, wanted) = (Array(text.utf8), Array(word.utf8))
    return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
}
