import Associations
import Testing

@Suite("Application identifiers")
struct AppIdentifierTests {
    @Test(
        "what Apple could match is accepted",
        arguments: ["ABCDE12345.at.willhaben.mobileapp", "0123456789.app", "KFCNEC27GU.a-b.C"])
    func accepts(_ text: String) throws {
        #expect(try AppIdentifier(text).description == text)
    }

    @Test(
        "what Apple could never match names its fault",
        arguments: [
            ("ABCDE12345", AppIdentifierError.missingPrefix("ABCDE12345")),
            ("com.example.app", .invalidPrefix("com")),
            ("ABCD1234.at.app", .invalidPrefix("ABCD1234")),
            ("abcde12345.at.app", .invalidPrefix("abcde12345")),
            ("ABCDE12345.", .invalidBundleIdentifier("")),
            ("ABCDE12345.at..app", .invalidBundleIdentifier("at..app")),
            ("ABCDE12345.at.*", .invalidBundleIdentifier("at.*")),
        ])
    func refuses(_ text: String, _ expected: AppIdentifierError) {
        #expect(throws: expected) { try AppIdentifier(text) }
    }
}
