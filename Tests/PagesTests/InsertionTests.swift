import Markup
import Pages
import Testing

/// The pieces of a document wherever they stand, lines' ends left out.
private func kinds(_ html: [UInt8]) -> [HTMLToken.Kind] {
    HTMLTokenizer(html).map(\.kind).filter { $0 != .text("\n") }.map { kind in
        guard case .startTag(var tag) = kind else { return kind }
        for index in tag.attributes.indices { tag.attributes[index].valueRange = nil }
        return .startTag(tag)
    }
}

@Suite("Markup put into static pages")
struct InsertionTests {
    private func insert(_ page: String, _ model: PageModel = fullModel()) -> String? {
        HeadMarkup(model).inserted(into: Array(page.utf8))
            .map { String(decoding: $0, as: UTF8.self) }
    }

    static let mark = "\u{25CA}"

    /// Pages in which a lozenge stands where the markup belongs.
    static let pages = [
        "<!doctype html><html><head><meta charset=utf-8>◊</head><body>x</body></html>",
        "<head>◊</HEAD\n>", "<html>◊<body>", "◊<p>x", "<title>a</head></title>◊</head>",
        "<head><!-- </head> -->◊</head>", "<head><script>'</head>'</script>◊</head>",
        "<script><!--<script></head></script>--></script>◊</head>",
        "<head><style></head></style>◊</head>", "<head>\n  <meta name=a>\n◊</head>",
        "<head><template></head><p></template>◊</head>", "<meta name='</head>'>◊</head>",
        "<link rel=a>◊text", "<head></p>◊</head>", "\u{FEFF}<head>◊</head>", "<head>◊</body>",
        "<head>◊<noscript><img src=x></noscript></head>", "<?xml?><html>◊<frameset>",
        "<head><template><template></template></head></template>◊</head>",
        "<head><script type=application/ld+json>{}</script>◊<img>", "<head></title>◊<b>",
    ]

    @Test("the markup stands at the end of the head, and every byte stays", arguments: pages)
    func positions(_ page: String) throws {
        let pieces = page.unicodeScalars.split(
            separator: "\u{25CA}", omittingEmptySubsequences: false)
        let (before, after) = (String(pieces[0]), String(pieces[1]))
        let result = try #require(insert(before + after))
        #expect(result.hasPrefix(before) && result.hasSuffix(after))
        let added = result.utf8.dropFirst(before.utf8.count).dropLast(after.utf8.count)
        // Browsers see them, and what stood there before, and nothing else.
        let middle = kinds(Array(added))
        let whole = kinds(Array(result.utf8))
        let rest = kinds(Array((before + after).utf8))
        #expect(middle.count > 50)
        #expect(whole.count == middle.count + rest.count)
        #expect(whole.contains(middle))
    }

    @Test(
        "a page whose head does not end is left alone",
        arguments: [
            "", "<head>", "<title>a", "<head><!-- ", "<head><script>", "<title>a</title>",
            "<a b=\"",
            "<head><template></head>",
        ])
    func unfinished(_ page: String) {
        #expect(insert(page) == nil)
    }

    @Test func `a page in UTF-16 is left alone`() {
        let page = Array("<head></head>".utf16).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        #expect(HeadMarkup(fullModel()).inserted(into: [0xFF, 0xFE] + page) == nil)
    }

    /// What a page has, and statements that are therefore not made a second time.
    static let kept: [(head: String, names: [String])] = [
        ("<title>Own</title>", ["title"]), ("<META NAME=Description CONTENT=x>", ["description"]),
        ("<meta name='og:title' content=x>", ["og:title"]),
        ("<link rel='nofollow CANONICAL' href=/>", ["canonical"]),
        ("<link rel=alternate hreflang=DE href=/de>", ["alternate de"]),
        ("<meta name=apple-itunes-app content='app-id=1'>", ["apple-itunes-app"]),
        ("<link rel='shortcut icon' href=x>", ["icon"]),
        ("<link rel=apple-touch-icon-precomposed href=x>", ["apple-touch-icon"]),
        (
            "<meta property=og:image content=x>",
            [
                "og:image", "og:image:secure_url", "og:image:type", "og:image:width",
                "og:image:height", "og:image:alt",
            ]
        ),
        (
            "<meta property=al:ios:url content=x>",
            ["al:ios:url", "al:ios:app_store_id", "al:ios:app_name"]
        ), ("<meta property=og:locale content=fr_FR>", ["og:locale", "og:locale:alternate"]),
        ("<meta property=twitter:card content=app>", ["twitter:card"]),
        ("<meta name=other content=x>", []), ("<link rel=alternate href=/feed>", []),
        ("<template><title>x</title></template>", []), ("<!-- <title>x</title> -->", []),
    ]

    @Test("what a page says itself is kept, by name", arguments: kept)
    func keeps(_ row: (head: String, names: [String])) throws {
        let all = statements(HeadMarkup(fullModel()).bytes)
        let page = "<head>\(row.head)</head>"
        let added = try #require(insert(page)).replacing(row.head, with: "")
        let missing = all.filter { statement in
            row.names.contains { statement.hasPrefix("\($0) = ") }
        }
        #expect(missing.count == row.names.count)
        #expect(statements(Array(added.utf8)) == all.filter { !missing.contains($0) })
    }

    @Test(
        "structured data is kept by type",
        arguments: [
            ("{\"@type\": \"Restaurant\"}", ["Restaurant"]),
            ("{\"@type\":[\"Thing\",\"Organization\"]}", ["Organization"]),
            (
                "[{\"@type\":\"VideoObject\"},{\"a\":{\"@type\":\"BreadcrumbList\"}}]",
                ["VideoObject", "BreadcrumbList"]
            ), ("{\"name\":\"Restaurant\"}", []), ("\"@type", []), ("{\"@type\":[", []),
        ])
    func keepsTypes(_ json: String, _ types: [String]) throws {
        let page = "<head><script type='application/ld+json'>\(json)</script></head>"
        let added = try #require(insert(page)).replacing(json, with: "")
        for type in ["MobileApplication", "VideoObject", "Restaurant", "BreadcrumbList"] {
            #expect(added.contains("\"\(type)\"") == !types.contains(type))
        }
    }

    @Test func `noindex is added to a page that says something else to robots`() throws {
        var model = fullModel()
        model.isIndexed = false
        func robots(_ page: String) throws -> Int {
            statements(Array(try #require(insert(page, model)).utf8))
                .count { $0.hasPrefix("robots = ") }
        }
        #expect(try robots("<meta name=robots content=index></head>") == 2)
        #expect(try robots("<meta name=robots content='follow, NOINDEX'></head>") == 1)
        #expect(try robots("</head>") == 1)
    }

    @Test("a page of hostile values gets what a harmless one gets", arguments: hostileValues)
    func hostile(_ value: String) throws {
        let page = Array("<head><title>x</title></head><body>x</body>".utf8)
        let harmless = try #require(HeadMarkup(fullModel()).inserted(into: page))
        let result = HeadMarkup(fullModel { _ in value }).inserted(into: page)
        #expect(Outline(try #require(result)).elements == Outline(harmless).elements)
    }
}
