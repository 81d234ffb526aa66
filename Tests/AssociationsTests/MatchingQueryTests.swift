import Associations
import Testing

private typealias Row = MatchingRow

@Suite("Matching queries and fragments")
struct MatchingQueryTests {
    static let strings: [MatchingRow] = [
        Row.takes(.query("a=1"), "/x?a=1"),
        Row.refuses(.query("a=1"), "/x?a=1&b=2", "/x", "/x?a=2"),
        Row.takes(.query("a=1&b=2"), "/x?a=1&b=2"), Row.refuses(.query("a=1&b=2"), "/x?b=2&a=1"),
        Row.takes(.query(""), "/x", "/x?"), Row.refuses(.query(""), "/x?a"),
        Row.takes(.query("*"), "/x", "/x?a"),
        Row.takes(.query("?*"), "/x?a"), Row.refuses(.query("?*"), "/x", "/x?"),
        // Nothing is evened out, and a star with something behind it wants text.
        Row.takes(.query("**"), "/x?a", "/x"), Row.takes(.query("a**"), "/x?ab", "/x?a"),
        Row.refuses(.query("a**"), "/x"), Row.takes(.query("?**"), "/x?é", "/x?éé"),
        Row.refuses(.query("?**"), "/x"),
        Row.refuses(.query("a/"), "/x?a"), Row.takes(.query("a//b"), "/x?a//b"),
        Row.refuses(.query("a b"), "/x?a+b"),
        Row.takes(.query("A=b", caseSensitive: false), "/x?a=B"), Row.refuses(.query("A"), "/x?a"),
        Row.takes(.query("?"), "/x??"), Row.refuses(.query("?"), "/x?"),
    ].flatMap(\.self)

    static let dictionaries: [MatchingRow] = [
        Row.takes(.items(["a": "1"]), "/x?a=1", "/x?b=2&a=1", "/x?a=1&b=2"),
        Row.refuses(.items(["a": "1"]), "/x?a=2", "/x", "/x?b=1", "/x?aa=1"),
        Row.takes(.items(["a": "1", "b": "2"]), "/x?b=2&a=1"),
        Row.refuses(.items(["a": "1", "b": "2"]), "/x?a=1"),
        Row.takes(.items(["b": "*"]), "/x?a=1", "/x", "/x?b"),
        Row.takes(.items(["b": ""]), "/x?a=1", "/x?b", "/x?b="),
        Row.refuses(.items(["b": ""]), "/?b=1"),
        Row.takes(.items(["b": "?*"]), "/x?b=1"),
        Row.refuses(.items(["b": "?*"]), "/x", "/x?b", "/x?b="),
        Row.takes(.items(["a": "1"]), "/x?a=1&a=1"),
        Row.refuses(.items(["a": "1"]), "/x?a=1&a=2", "/x?a=2&a=1", "/x?a=1&a"),
        Row.takes(.items(["a": "b=c"]), "/x?a=b=c"), Row.takes(.items(["a": "1"]), "/x?&&a=1&"),
        Row.takes(.items(["a": "b+c"]), "/x?a=b+c"), Row.refuses(.items(["a": "b c"]), "/x?a=b+c"),
        Row.takes(.items(["a": "????"]), "/x?a=1234"),
        Row.refuses(.items(["a": "????"]), "/x?a=123"),
        Row.takes(.items(["id": "AB"], caseSensitive: false), "/x?id=ab"),
        Row.refuses(.items(["id": "AB"]), "/x?id=ab"),
        Row.refuses(.items(["ID": "1"], caseSensitive: false), "/x?id=1"),
        Row.takes(.items(["a": "b c"], percentEncoded: false), "/x?a=b%20c"),
        Row.takes(.items(["a": "b&c"], percentEncoded: false), "/x?a=b%26c"),
        Row.refuses(.items(["a": "b&c"]), "/x?a=b%26c"),
        Row.takes(.items(["ä": "1"], percentEncoded: false), "/x?%C3%A4=1"),
        Row.refuses(.items(["ä": "1"]), "/x?%C3%A4=1"),
        Row.takes(.items([:]), "/x", "/x?a"),
        // Canonically equal, but not the same scalars.
        Row.refuses(.items(["e\u{301}": "1"]), "/x?\u{E9}=1"),
    ].flatMap(\.self)

    static let fragments: [MatchingRow] = [
        Row.takes(.fragment("top"), "/x#top"),
        Row.refuses(.fragment("top"), "/x#to", "/x", "/x#Top"),
        Row.takes(.fragment("Top", caseSensitive: false), "/x#TOP"),
        Row.takes(.fragment(""), "/x", "/x#"), Row.refuses(.fragment(""), "/x#a"),
        Row.takes(.fragment("*"), "/x", "/x#a"), Row.refuses(.fragment("?*"), "/x"),
        Row.refuses(.fragment("a/"), "/x#a"), Row.takes(.fragment("a?b"), "/x#a?b"),
    ].flatMap(\.self)

    static let together: [MatchingRow] = [
        Row.takes(RuleText(path: "/a", query: .whole("b"), fragment: "c"), "/a?b#c"),
        Row.refuses(
            RuleText(path: "/a", query: .whole("b"), fragment: "c"), "/a?b", "/a#c", "/?b#c"),
        Row.takes(RuleText(path: "/a"), "/a?b#c"), Row.takes(RuleText(), "/", "/a?b#c"),
        // A legacy path has what its defaults state.
        Row.takes(
            RuleText(path: "/a", query: .whole("b"), fragment: "c", isLegacy: true), "/a?b#c"),
        Row.refuses(
            RuleText(path: "/a", query: .whole("b"), fragment: "c", isLegacy: true),
            "/a", "/a?x#y"),
    ].flatMap(\.self)

    @Test("a string is held against the whole query", arguments: strings)
    func checkStrings(_ row: MatchingRow) throws { #expect(try row.isOpen() == row.matches) }

    @Test("a dictionary is held against all items of its names", arguments: dictionaries)
    func checkDictionaries(_ row: MatchingRow) throws { #expect(try row.isOpen() == row.matches) }

    @Test("an absent fragment is an empty one", arguments: fragments)
    func checkFragments(_ row: MatchingRow) throws { #expect(try row.isOpen() == row.matches) }

    @Test("every part that is stated must match, others count for nothing", arguments: together)
    func checkTogether(_ row: MatchingRow) throws { #expect(try row.isOpen() == row.matches) }
}
