import Testing

@testable import AppFiles

@Suite("Dimensions of flavours")
struct FlavorDimensionTests {
    /// What names the dimensions, those of two flavours, and whether these may be combined.
    static let scripts: [(names: String, first: String, second: String, isOpen: Bool)] = [
        ("flavorDimensions 'a'", "dimension 'a'", "dimension 'a'", false),
        ("flavorDimensions 'a'", "", "", false), ("", "dimension 'a'", "dimension 'b'", true),
        ("", "dimension 'a'", "", true),
        ("flavorDimensions(Names.A)", "dimension = Names.A", "dimension = Names.A", false),
        ("", "dimension = Names.A", "dimension = Names.B", true),
        ("", "dimension(Names.A)", "setDimension(Names.A)", false),
        ("", "dimension = Names.A.name", "dimension = Names.B.name", true),
        ("", "dimension = flavorDimensionList[0]", "dimension = flavorDimensionList[1]", true),
        ("", "dimension = a", "dimension = 'x'", false),
        ("flavorDimensions 'a', 'b'", "dimension 'a'", "dimension 'a'", true),
        ("flavorDimensions += listOf(\"a\", \"b\")", "dimension 'a'", "dimension 'a'", true),
        ("flavorDimensions += listOf(\"a\")", "dimension 'a'", "dimension 'a'", false),
        ("flavorDimensions = ['a'] as String[]", "dimension 'a'", "dimension 'a'", false),
        ("flavorDimensions += 'a'\nflavorDimensions += 'b'", "", "", true),
        ("flavorDimensions.add('a')", "dimension 'a'", "dimension 'a'", false),
        ("flavorDimensions(*listOf('a').toTypedArray())", "dimension 'a'", "dimension 'a'", false),
        ("flavorDimensions = mutableSetOf('a')", "dimension 'a'", "dimension 'a'", false),
        ("flavorDimensions = flavorDimensions + 'a'", "dimension 'a'", "dimension 'a'", false),
    ]

    @Test("flavours of several dimensions are open", arguments: scripts)
    func combined(_ row: (names: String, first: String, second: String, isOpen: Bool)) {
        let text = """
            def a = 'x'
            android {
            \(row.names)
            defaultConfig { applicationId 'a.b' }
            productFlavors {
            prod { \(row.first) }
            play { \(row.second)
            applicationIdSuffix '.play' }
            }
            }
            """
        let found = GradleScript(Array(text.utf8)).variants.map(\.applicationID)
        #expect(found == (row.isOpen ? [nil] : ["a.b", "a.b.play"]))
    }
}
