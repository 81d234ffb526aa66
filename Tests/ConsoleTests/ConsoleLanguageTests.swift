@testable import Console
import Testing

@Suite struct ConsoleLanguageTests {
    @Test(
        "the language is the chosen one, or that which the browser prefers",
        arguments: [
            (nil, nil, .en), (nil, "de", .de), ("en", "de", .en), ("de", "en", .de),
            ("fr", "de", .de), (nil, "fr", .en), ("DE", nil, .en),
        ] as [(String?, String?, ConsoleLanguage)])
    func language(_ chosen: String?, _ best: String?, _ expected: ConsoleLanguage) {
        #expect(ConsoleLanguage(chosen: chosen, best: best) == expected)
    }
}
