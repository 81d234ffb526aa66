import Associations
import Testing

private typealias Row = MatchingRow

@Suite("Matching paths")
struct MatchingPathTests {
    static let slashes: [MatchingRow] = [
        Row.takes("/cars", "/cars", "/cars/", "/cars//", "//cars"),
        Row.refuses("/cars", "/car", "/carss", "/cars/1", "/"),
        Row.takes("cars", "/cars"), Row.takes("/cars/", "/cars"), Row.takes("//cars", "/cars"),
        Row.takes("cars/new", "/cars/new/"), Row.refuses("cars/new", "/cars"),
        Row.takes("", "/", ""), Row.refuses("", "/a"),
        Row.takes("/", "/", "", "//"), Row.refuses("/", "/a"),
        Row.takes("?", "/", ""), Row.refuses("?", "/a"),
        Row.takes("ab", "/ab"), Row.refuses("a", "/a"),
        Row.takes("/cars/*", "/cars", "/cars/", "/cars//", "/cars/1/2"),
        Row.refuses("/cars/*", "/carson", "/car"),
        Row.takes("/cars*", "/cars", "/carson", "/cars/1"),
        Row.takes("*/cars", "/cars", "/de/cars", "/de/cars/"),
        Row.refuses("*/cars", "/de/cars/1", "/oldcars"),
        Row.takes("*cars", "/oldcars", "/cars"),
    ].flatMap(\.self)

    static let wildcards: [MatchingRow] = [
        Row.takes("*", "/", "", "/a/b"),
        Row.takes("**", "/a", "/a/b"), Row.refuses("**", "/", ""),
        Row.takes("***", "/a"), Row.refuses("***", "/"),
        Row.takes("/a/**", "/a", "/a/b"),
        Row.takes("/a/*/c", "/a/b/c", "/a/b/b/c", "/a/c/c"), Row.refuses("/a/*/c", "/a/c", "/a/b"),
        Row.takes("/*x*", "/ax", "/x", "/axb/c"), Row.refuses("/*x*", "/a"),
        Row.takes("/*ab", "/aab", "/abab"), Row.refuses("/*ab", "/aba"),
        Row.takes("/id/????", "/id/1234", "/id/1/34"),
        Row.refuses("/id/????", "/id/123", "/id/12345"),
        Row.takes("/a?*", "/a", "/ab", "/a/b"), Row.refuses("/a?*", "/"),
        Row.takes("/a/?*", "/a/b"), Row.refuses("/a/?*", "/a/", "/a"),
        Row.takes("/a?b", "/a/b", "/axb"), Row.refuses("/a?b", "/ab"),
        Row.takes("/[ab]", "/[ab]"), Row.refuses("/[ab]", "/a"),
        Row.takes("/a/:id", "/a/:id"), Row.refuses("/a/:id", "/a/5"),
        Row.takes("NOT /a", "/NOT /a"),
        Row.refuses("NOT /a", "/a"),
    ].flatMap(\.self)

    static let escapes: [MatchingRow] = [
        Row.takes("/a%20b", "/a%20b"), Row.refuses("/a%20b", "/a+b"),
        Row.refuses("/a b", "/a%20b"), Row.refuses("/a+b", "/a%20b"),
        Row.takes(.decoded("/a b"), "/a%20b"), Row.refuses(.decoded("/a%20b"), "/a%20b"),
        Row.takes("/%c3%a9", "/%c3%a9"), Row.refuses("/%c3%a9", "/%C3%A9"),
        Row.refuses("/a/b", "/a%2Fb"), Row.takes(.decoded("/a/b"), "/a%2Fb", "/a%2fb"),
        Row.takes(.decoded("/a/b"), "/a%2F%2Fb"),
        Row.takes("/???", "/%41"), Row.refuses("/?", "/%41"), Row.takes(.decoded("/?"), "/%41"),
        Row.takes(.decoded("/?"), "/%C3%A9", "/%F0%9F%9A%97"),
        Row.refuses(.decoded("/?"), "/%C3", "/%C3%A9%C3%A9"),
        Row.takes(.decoded("/%C3"), "/%C3"), Row.takes(.decoded("/a%zz%"), "/a%zz%"),
        Row.takes(.decoded("/%FFé%"), "/%FF%C3%A9%"),
        Row.takes(.decoded("/%41"), "/%2541"), Row.takes("/100%", "/100%"),
        Row.takes("/?", "/é"), Row.takes("/é*", "/é/a"),
        Row.refuses("/*?é", "/é"), Row.takes("/*?é", "/aé"),
        // Composed and decomposed letters are different scalars, although equal characters.
        Row.takes(.decoded("/\u{E9}"), "/%C3%A9"), Row.refuses(.decoded("/e\u{301}"), "/%C3%A9"),
    ].flatMap(\.self)

    static let cases: [MatchingRow] = [
        Row.takes("/Cars", "/Cars"), Row.refuses("/Cars", "/cars"),
        Row.takes(.anyCase("/Cars/*"), "/cARS", "/CARS/x"), Row.refuses(.anyCase("/Cars"), "/car"),
        Row.takes(.anyCase("/%c3"), "/%C3"),
        Row.takes(.anyCase("/É"), "/é"), Row.refuses("/É", "/é"),
        Row.takes(RuleText(path: "/É", caseSensitive: false, percentEncoded: false), "/%c3%a9"),
        Row.refuses(RuleText(path: "/straße", caseSensitive: false), "/STRASSE"),
        // Two scalars in lower case: it stays as it is.
        Row.takes(.anyCase("/İ"), "/İ"), Row.refuses(.anyCase("/İ"), "/i"),
    ].flatMap(\.self)

    @Test("slashes are evened out on both sides", arguments: slashes)
    func checkSlashes(_ row: MatchingRow) throws { #expect(try row.isOpen() == row.matches) }

    @Test("stars and question marks stand for characters", arguments: wildcards)
    func checkWildcards(_ row: MatchingRow) throws { #expect(try row.isOpen() == row.matches) }

    @Test("escapes are compared as written, or decoded", arguments: escapes)
    func checkEscapes(_ row: MatchingRow) throws { #expect(try row.isOpen() == row.matches) }

    @Test("letters fold one by one when asked to", arguments: cases)
    func checkCases(_ row: MatchingRow) throws { #expect(try row.isOpen() == row.matches) }

    @Test func `a literal between stars is found behind any beginning of itself`() throws {
        for bits in 2..<256 {
            let literal = String(bits, radix: 2).dropFirst()
            let matcher = LinkMatcher(
                [AppRules(appID: "A", rules: [.query("*\(literal)*")])], variables: [])
            for length in 0...literal.utf8.count {
                let url = try LinkURL("https://h/?\(literal.prefix(length))\(literal)")
                #expect(matcher.opens(url) == [0], "\(literal) \(length)")
            }
        }
    }
}
