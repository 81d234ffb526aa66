import Associations
import Testing

private typealias Row = MatchingRow

@Suite("Matching substitution variables")
struct MatchingVariableTests {
    static let variables = [
        SubstitutionVariable(name: "food", values: ["pizza", "burrito", "Samosa"]),
        SubstitutionVariable(name: "wild", values: ["a*z", "q?", "$(food)"]),
        SubstitutionVariable(name: "maybe", values: ["", "/new"]),
        SubstitutionVariable(name: "nothing", values: []),
        SubstitutionVariable(name: "digit", values: ["three"]),
        SubstitutionVariable(name: "a b*", values: ["x"]),
        SubstitutionVariable(name: "ends", values: ["a*"]),
        SubstitutionVariable(name: "doubled", values: ["a**"]),
        SubstitutionVariable(name: "open", values: ["?*"]),
        SubstitutionVariable(name: "caf\u{E9}", values: ["x"]),
    ]

    static let own: [MatchingRow] = [
        Row.takes("/$(food)", "/pizza", "/burrito/"),
        Row.refuses("/$(food)", "/sushi", "/pizz", "/"),
        Row.refuses("/$(Food)", "/pizza"), Row.refuses("/$(food)", "/samosa"),
        Row.takes(.anyCase("/$(food)"), "/samosa", "/PIZZA"),
        Row.takes("/$(food)$(food)", "/pizzapizza"), Row.refuses("/$(food)$(food)", "/pizza"),
        Row.takes("/x*$(food)*", "/xxpizza1"), Row.refuses("/x*$(food)*", "/xxpizz1"),
        Row.takes("/$(wild)", "/az", "/a/b/z", "/q1", "/$(food)"),
        Row.refuses("/$(wild)", "/a", "/q"),
        Row.takes("/$(wild)x", "/azx", "/azzx"), Row.refuses("/$(wild)x", "/az", "/pizzax"),
        Row.takes("/a$(maybe)", "/a", "/a/new"), Row.refuses("/a$(maybe)", "/a/old", "/anew"),
        Row.refuses("/$(nothing)", "/", "/nothing"),
        Row.takes("/$(a b*)", "/x"), Row.refuses("/$(a b*)", "/y"),
        Row.takes("/$(digit)", "/three"), Row.refuses("/$(digit)", "/3"),
        Row.takes("/$(caf\u{E9})", "/x"), Row.refuses("/$(cafe\u{301})", "/x"),
        Row.takes(.items(["q": "$(food)"]), "/?q=pizza"),
        Row.refuses(.items(["q": "$(food)"]), "/?q="),
        Row.takes(.fragment("$(food)!"), "/#pizza!"), Row.refuses(.fragment("$(food)!"), "/#pizza"),
        // A star stands for zero or more characters, whatever follows it.
        Row.takes(.query("$(ends)"), "/?a"), Row.takes(.query("$(ends)*"), "/?a", "/?ab"),
        Row.refuses(.query("$(ends)*"), "/?b"),
        Row.takes(.query("$(doubled)"), "/?ab", "/?a"), Row.refuses(.query("$(doubled)"), "/?"),
        Row.takes(.query("$(open)*"), "/?éé", "/?é"), Row.refuses(.query("$(open)*"), "/?"),
        Row.takes(.query("a*$(maybe)"), "/?ab", "/?a", "/?a/new"),
        Row.refuses(.query("a*$(maybe)"), "/?b"),
        Row.takes(.query("*$(maybe)"), "/?"), Row.takes(.fragment("*$(maybe)"), "/"),
        Row.takes(.fragment("a**"), "/#a", "/#ab"), Row.refuses(.fragment("a**"), "/#", "/#b"),
        Row.takes(.fragment("a*?"), "/#ab"), Row.refuses(.fragment("a*?"), "/#a"),
    ].flatMap(\.self)

    static let predefined: [MatchingRow] = [
        Row.takes("/$(alpha)", "/q", "/Q"), Row.refuses("/$(alpha)", "/1", "/qq", "/é"),
        Row.takes("/$(upper)", "/Q"), Row.refuses("/$(upper)", "/q"),
        Row.takes(.anyCase("/$(upper)"), "/q"), Row.refuses(.anyCase("/$(upper)"), "/1"),
        Row.takes("/$(lower)", "/q"), Row.refuses("/$(lower)", "/Q"),
        Row.takes("/$(alnum)", "/q", "/Q", "/7"), Row.refuses("/$(alnum)", "/-"),
        Row.takes("/$(xdigit)$(xdigit)", "/fA", "/09"), Row.refuses("/$(xdigit)", "/g"),
        Row.takes("/$(region)/x", "/GB/x", "/AT/x"), Row.refuses("/$(region)/x", "/UK/x", "/at/x"),
        Row.takes(.anyCase("/$(region)/x"), "/at/x"),
        Row.takes("/$(lang)/x", "/en/x", "/fil/x"), Row.refuses("/$(lang)/x", "/EN/x", "/qq/x"),
        Row.takes("/$(region)/x", "/XK/x", "/IC/x", "/AC/x", "/TA/x", "/EA/x", "/DG/x", "/CP/x"),
        Row.takes("/$(region)/x", "/CQ/x"), Row.refuses("/$(region)/x", "/EU/x", "/UN/x"),
        Row.takes("/$(lang)/x", "/crk/x", "/gcf/x", "/crl/x", "/hch/x", "/mis/x", "/zxx/x"),
        Row.refuses("/$(lang)/x", "/tl/x", "/cr1/x"),
        Row.takes("/$(lang)_$(region)/", "/de_AT"), Row.refuses("/$(lang)_$(region)/", "/de_DD"),
    ].flatMap(\.self)

    static let text: [MatchingRow] = [
        Row.takes("/$5", "/$5"), Row.takes("/$", "/$"), Row.takes("/(a)", "/(a)"),
        Row.refuses("/$(nope)", "/nope", "/$(nope)"), Row.refuses("/$()", "/$()"),
        Row.refuses("/$(food", "/$(food", "/pizza"), Row.refuses("/$(a$(food))", "/pizza"),
    ].flatMap(\.self)

    @Test("a file's own stand for any of their values", arguments: own)
    func checkOwn(_ row: MatchingRow) throws {
        #expect(try row.isOpen(Self.variables) == row.matches)
    }

    @Test("the predefined ones need no definition", arguments: predefined)
    func checkPredefined(_ row: MatchingRow) throws { #expect(try row.isOpen() == row.matches) }

    @Test("what names none is literal, what names an unknown one never matches", arguments: text)
    func checkText(_ row: MatchingRow) throws {
        #expect(try row.isOpen(Self.variables) == row.matches)
    }

    @Test("a value may be longer than a word of states", arguments: 55...135)
    func length(_ count: Int) throws {
        let stem = String(repeating: "a", count: count)
        let variables = [SubstitutionVariable(name: "v", values: [stem + "*bc", "?" + stem])]
        for row in [
            Row.takes("/$(v)", "/\(stem)bc", "/\(stem)xbc", "/é\(stem)"),
            Row.refuses("/$(v)", "/\(stem)b", "/\(stem.dropLast())bc", "/é\(stem)a"),
        ].joined() {
            #expect(try row.isOpen(variables) == row.matches, "\(row.url)")
        }
    }

    @Test("deeper than 64 never matches", arguments: [(64, true), (65, false)])
    func depth(_ stars: Int, _ matches: Bool) throws {
        let path = "/" + String(repeating: "*a", count: stars)
        let url = "/" + String(repeating: "a", count: 100)
        #expect(try Row(rule: RuleText(path: path), url: url, matches: matches).isOpen() == matches)
        let digits = "/" + String(repeating: "$(alpha)", count: stars)
        let short = "/" + String(repeating: "a", count: stars)
        #expect(
            try Row(rule: RuleText(path: digits), url: short, matches: matches).isOpen() == matches)
    }
}
