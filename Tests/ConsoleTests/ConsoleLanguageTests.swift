@testable import Console
import Testing

@Suite struct ConsoleLanguageTests {
    @Test(
        "the language is the chosen one, or the first of the accepted ones",
        arguments: [
            (nil, nil, .en), (nil, "de", .de), (nil, "de-AT,en;q=0.8", .de),
            (nil, "en;q=0.5, de;q=0.6", .de), (nil, "fr, de;q=0.1", .de), (nil, "fr", .en),
            (nil, "de;q=0, en", .en), ("en", "de", .en), ("de", "en", .de), ("fr", "de", .de),
            (nil, "de;q=", .en), (nil, "DE", .de), (nil, ",;,", .en),
        ] as [(String?, String?, ConsoleLanguage)])
    func language(_ chosen: String?, _ accepted: String?, _ expected: ConsoleLanguage) {
        #expect(ConsoleLanguage(chosen: chosen, accepted: accepted) == expected)
    }
}
