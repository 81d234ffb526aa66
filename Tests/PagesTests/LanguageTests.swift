import Pages
import Testing

@Suite("The language of a page (RFC 4647 §3.4)")
struct LanguageTests {
    struct Row: CustomTestStringConvertible {
        let field: String
        let available: [String]
        let best: String?

        init(_ field: String, _ available: String..., best: String?) {
            (self.field, self.available, self.best) = (field, available, best)
        }

        var testDescription: String { "\(field.prefix(60)) among \(available)" }
    }

    static let rows = [
        Row("de", "en", "de", best: "de"), Row("de-AT", "en", "de", best: "de"),
        Row("DE-at", "en", "de", "de-AT", best: "de-AT"), Row("de", "en", "de-AT", best: "de-AT"),
        Row("fr, de", "de", "fr", best: "fr"), Row("fr;q=0.5, de;q=0.6", "fr", "de", best: "de"),
        Row("fr;q=0.501,de;q=0.5", "de", "fr", best: "fr"), Row("sv", "en", "de", best: nil),
        Row("", "en", best: nil), Row("*", "en", best: nil), Row("sv, *;q=0.1", "en", best: nil),
        Row("de;q=0", "de", "en", best: nil), Row("en, de;q=0", "de", "en", best: "en"),
        Row("zh-Hant-TW", "zh", best: "zh"),
        Row("zh-Hant-CN-x-private1", "zh-Hant", best: "zh-Hant"),
        Row("de;q=1.000", "de", best: "de"), Row(" de ; q=0.8 ", "de", best: "de"),
        // What is no range, or has no weight that is one, is as if it were not there.
        Row("de;q=1.1", "de", best: nil), Row("de;q=0.1234", "de", best: nil),
        Row("de;q=", "de", best: nil), Row("de;level=1", "de", best: nil),
        Row("de;q=0.5;x", "de", best: nil), Row("d\u{0}e", "de", best: nil),
        Row("-", "de", best: nil),
        Row("abcdefghi", "abcdefghi", best: nil), Row("en_US,de", "en", "de", best: "de"),
        Row(",,,de", "de", best: "de"), Row(";q=1", "de", best: nil), Row("\t", "de", best: nil),
        // The tenth is read, the eleventh is not.
        Row(String(repeating: "xx,", count: 9) + "de", "de", best: "de"),
        Row(String(repeating: "xx,", count: 10) + "de", "de", best: nil),
        // 1,024 bytes are read; what stands across is not taken for less than it is.
        Row(String(repeating: " ", count: 1022) + "de", "de", best: "de"),
        Row(String(repeating: " ", count: 1022) + "de-AT", "de", best: nil),
    ]

    @Test("the best of the languages that there are", arguments: rows)
    func lookup(_ row: Row) {
        #expect(LanguageRanges(row.field.utf8).best(among: row.available) == row.best)
    }

    @Test(
        "scripts and languages have directions",
        arguments: [
            ("en", "ltr"), ("ar", "rtl"), ("he-IL", "rtl"), ("AR-EG", "rtl"), ("ur", "rtl"),
            ("az-Arab", "rtl"), ("ur-Latn", "ltr"), ("", "ltr"), ("arn", "ltr"),
        ])
    func directions(_ language: String, _ direction: String) {
        #expect(TextDirection(language: language).rawValue == direction)
    }
}

@Suite("The texts of a landing page")
struct LandingTextsTests {
    @Test func `thirteen languages are built in`() {
        let languages = "ar de en es fr he it ja nl pl pt tr zh"
        #expect(LandingTexts.languages.joined(separator: " ") == languages)
    }

    @Test("every language has every text, and its own", arguments: LandingTexts.languages)
    func completeness(_ language: String) {
        let texts = LandingTexts(language: language)
        let english = LandingTexts(language: "en")
        for name in LandingTexts.Name.allCases {
            #expect(!texts[name].isEmpty)
            #expect(language == "en" || texts[name] != english[name], "\(name)")
            #expect((name == .browserHint) == texts[name].contains("{browser}"))
        }
    }

    @Test func `own words lie over the built-in ones`() {
        let texts = LandingTexts(language: "de-AT", own: ["open": "Aufmachen", "more": "Mehr"])
        #expect(texts[.open] == "Aufmachen")
        #expect(texts[.web] == "Weiter im Web")
    }

    @Test func `a language that is not built in is English where nobody said more`() {
        #expect(LandingTexts(language: "sv", own: ["open": "Öppna"])[.web] == "Continue on the web")
    }
}
