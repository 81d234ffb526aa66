private import Countries
internal import JSONSyntax
private import Markup

extension PageWriter {
    /// A country as people of the language say it; its two letters where it has no name.
    func country(_ code: String) -> String {
        guard let names = CountryNames(code: code) else { return code }
        return setting.language == .de ? names.german : names.english
    }

    /// The line that the licence of the countries asks for, in which https URLs are links.
    /// - Parameter text: one line of the configuration.
    mutating func attribution(_ text: String) {
        raw("<p class=\"hint\">")
        let words = text.utf8.split(separator: 0x20, omittingEmptySubsequences: false)
        for (place, word) in words.enumerated() {
            if place > 0 { value(" ") }
            guard let address = Self.address(in: word) else {
                value(String(decoding: word, as: UTF8.self))
                continue
            }
            value(String(decoding: word[..<address.startIndex], as: UTF8.self))
            let url = String(decoding: address, as: UTF8.self)
            raw("<a rel=\"noreferrer\"")
            attribute("href", url)
            raw(">")
            value(url)
            raw("</a>")
            value(String(decoding: word[address.endIndex...], as: UTF8.self))
        }
        raw("</p>\n")
    }

    /// The https URL that a word is, without the marks around it; nil where it is something else.
    private static func address(in word: Substring.UTF8View) -> Substring.UTF8View? {
        let (scheme, before) = (Array("https://".utf8), Array("(<".utf8))
        let rest = word.drop { before.contains($0) }
        guard rest.starts(with: scheme) else { return nil }
        var end = rest.endIndex
        while end > rest.startIndex, marksBehind.contains(rest[rest.index(before: end)]) {
            end = rest.index(before: end)
        }
        let address = rest[..<end]
        return address.count > scheme.count ? address : nil
    }

    /// The marks that end a sentence or a pair, and are no part of a URL before them.
    private static let marksBehind = Array(".,;:!?)>".utf8)
}

extension [JSONValue] {
    /// The line that belongs below countries, as the API has it with its collections; nil for none.
    var countryAttribution: String? {
        lazy.compactMap { $0["countryAttribution"]?.text }.first
    }
}
