private import Diagnostics

/// A sentence of the API, and those for people that say the same. What the API names is read from its sentence.
struct APISentence: Sendable {
    private let text: FaultText
    private let parts: [Part]
    /// The most bytes of a value that is shown.
    private let valueBytesMax: Int

    private enum Part: Sendable {
        case words([UInt8])
        /// A value of this name.
        case value(String)
    }

    private init(_ text: FaultText, valueBytesMax: Int) {
        (self.text, self.valueBytesMax) = (text, valueBytesMax)
        var (parts, rest) = ([Part](), text.api.utf8[...])
        while let start = rest.firstIndex(of: UInt8(ascii: "{")),
            let end = rest[start...].firstIndex(of: UInt8(ascii: "}"))
        {
            if start > rest.startIndex { parts.append(.words(Array(rest[..<start]))) }
            let name = rest[rest.index(after: start)..<end]
            parts.append(.value(String(decoding: name, as: UTF8.self)))
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { parts.append(.words(Array(rest))) }
        self.parts = parts
    }

    private static let facts =
        (FaultText.timeFacts + FaultText.linkFacts + FaultText.tableFacts + FaultText.fileFacts
        + FaultText.codeFacts
        + FaultText.peopleFacts)
        // Behind a longer value, nobody reads the rest of the sentence.
        .map { APISentence($0, valueBytesMax: 200) }
    private static let advice =
        (FaultText.tableAdvice + FaultText.fileAdvice + FaultText.collectionAdvice
        + FaultText.peopleAdvice
        + FaultText.timeAdvice + FaultText.linkAdvice)
        // People copy values from advice, so these stay whole.
        .map { APISentence($0, valueBytesMax: .max) }

    /// The sentence of a language for what is wrong; nil where there is none.
    static func words(_ language: ConsoleLanguage, fact text: String) -> String? {
        words(language, text, among: facts, depth: 0)
    }

    /// The sentence of a language for what can be done; nil where there is none.
    static func words(_ language: ConsoleLanguage, advice text: String) -> String? {
        words(language, text, among: advice, depth: 0)
    }

    /// A sentence has another one in it, and that one a third.
    private static let depthMax = 2

    private static func words(
        _ language: ConsoleLanguage, _ text: String, among sentences: [APISentence], depth: Int
    ) -> String? {
        guard depth <= depthMax else { return nil }
        let bytes = Array(text.utf8)
        for sentence in sentences {
            if let found = sentence.words(language, bytes, depth) { return found }
        }
        return nil
    }

    private func words(_ language: ConsoleLanguage, _ bytes: [UInt8], _ depth: Int) -> String? {
        guard let values = values(in: bytes) else { return nil }
        var filled = [(name: String, value: String)]()
        for (name, value) in values {
            let inner = String(decoding: value, as: UTF8.self)
            switch name {
            case "fact":
                let own = Self.words(language, inner, among: Self.facts, depth: depth + 1)
                // A page has no half of a sentence in another language.
                guard let part = own ?? (language == .en ? inner : nil) else { return nil }
                filled.append((name, part))
            case "what":
                let own = Self.words(language, inner, among: Self.facts, depth: depth + 1)
                filled.append((name, own ?? inner))
            case "list": filled.append((name, inner))
            default:
                guard let value = self.value(value, language) else { return nil }
                filled.append((name, value))
            }
        }
        return text.filled(language, filled)
    }

    /// A value with the quotes of the language; nil for what is neither in quotes nor one word.
    private func value(_ bytes: ArraySlice<UInt8>, _ language: ConsoleLanguage) -> String? {
        if let end = Self.closing(bytes), end == bytes.endIndex {
            let inner = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
                .shortened(to: valueBytesMax)
            return language == .de ? "„\(inner)“" : "“\(inner)”"
        }
        let isOpen = bytes.first == UInt8(ascii: "\"")
        guard !bytes.isEmpty, !isOpen, !bytes.contains(0x20) else { return nil }
        return String(decoding: bytes, as: UTF8.self).shortened(to: valueBytesMax)
    }

    /// The end of the quoted text with which bytes begin; nil if they begin with none.
    private static func closing(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.first == UInt8(ascii: "\"") else { return nil }
        var place = bytes.startIndex + 1
        while place < bytes.endIndex {
            switch bytes[place] {
            case UInt8(ascii: "\\"): place += 2
            case UInt8(ascii: "\""): return place + 1
            default: place += 1
            }
        }
        return nil
    }

    /// The values in a text of this form; nil for another text. A value ends with the first words that follow it, but not within its quotes.
    private func values(in bytes: [UInt8]) -> [(name: String, value: ArraySlice<UInt8>)]? {
        var (values, rest) = ([(name: String, value: ArraySlice<UInt8>)](), bytes[...])
        for (index, part) in parts.enumerated() {
            switch part {
            case .words(let words):
                guard rest.starts(with: words) else { return nil }
                rest = rest.dropFirst(words.count)
            case .value(let name):
                guard index + 1 < parts.count, case .words(let next) = parts[index + 1] else {
                    values.append((name, rest))
                    rest = rest[rest.endIndex...]
                    continue
                }
                let isLast = index + 2 == parts.count
                let least = Self.closing(rest) ?? rest.startIndex
                guard let end = Self.place(of: next, in: rest[least...], isLast: isLast) else {
                    return nil
                }
                values.append((name, rest[..<end]))
                rest = rest[end...]
            }
        }
        return rest.isEmpty ? values : nil
    }

    /// The first place of words, or their place at the end.
    private static func place(
        of words: [UInt8], in bytes: ArraySlice<UInt8>, isLast: Bool
    ) -> Int? {
        guard bytes.count >= words.count else { return nil }
        if isLast {
            return bytes.suffix(words.count).elementsEqual(words)
                ? bytes.endIndex - words.count : nil
        }
        return (bytes.startIndex...(bytes.endIndex - words.count)).first {
            bytes[$0...].starts(with: words)
        }
    }
}
