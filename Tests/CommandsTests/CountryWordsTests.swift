import Testing

@testable import Commands

@Suite("Countries in tables of commands")
struct CountryWordsTests {
    @Test(
        arguments: [
            ("AT", "country", "AT Austria"), ("XK", "country", "XK"), ("other", "country", "other"),
            ("unknown", "country", "unknown"), ("", "country", ""),
            // A tag can have the letters of a country.
            ("AT", "tag", "AT"), ("DE", "collection", "DE"),
        ])
    func `a country has its name behind its letters`(
        _ value: String, of dimension: String, words: String
    ) {
        #expect(CountVisitsCommand.words(value, of: dimension) == words)
    }
}
