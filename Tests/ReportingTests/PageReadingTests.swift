import Testing

@testable import Reporting

@Suite("What programs read of a page")
struct PageReadingTests {
    private func read(_ html: String) -> PageReading {
        PageReading(Array(html.utf8), file: "page.html")
    }

    @Test(
        "the head ends where a browser would end it",
        arguments: [
            ("<head><title>a</title></head><body>b", nil, 22),
            ("<head><title>a</title><body>b", nil, 22),
            ("<title>a</title><link rel=x><p>b", "p", 28),
            ("<head><div>a</div><meta name=b></head>", "div", 6),
            ("<head> <!-- c --> text <meta name=b></head>", "text", 17),
            ("<head><noscript><style>a{}</style></noscript><p>", "p", 45),
            ("<head><noscript><img src=a></noscript><meta name=b>", "img", 16),
            ("<head><script>if (a < b) {}</script><style>p</style><b>", "b", 52),
            ("<head><template><p>a</p></template><meta name=b></head>", nil, 48),
        ] as [(String, String?, Int)])
    func head(_ html: String, _ element: String?, _ end: Int) {
        let page = read(html)
        #expect(page.headEnd.map { $0.element ?? "text" } == element)
        #expect(page.headBytes == end)
        let isInNoScript = page.headEnd?.isInNoScript ?? false
        #expect(isInNoScript == (element == "img"))
    }

    @Test(
        "the title is that of the document",
        arguments: [
            ("<title> a\n b </title>", ["a b"]), ("<title>a &amp; <b></title>", ["a & <b>"]),
            ("<title></title><title>b</title>", ["", "b"]),
            ("<body><svg><title>a</title></svg><title>b</title>", ["b"]),
            ("<template><title>a</title></template>", []), ("<!-- <title>a</title> -->", []),
            ("<textarea><title>a</title></textarea>", []), ("<title>a", ["a"]),
        ])
    func title(_ html: String, _ titles: [String]) {
        #expect(read(html).titles.map(\.text) == titles)
    }

    @Test func `a tag is known by its name or its property, in any case`() {
        let page = read(
            """
            <META Property=" OG:Title " CONTENT=" a ">
            <meta name=og:title content=b><meta name=n property=p content=c>
            <meta itemprop=x content=d>
            """)
        #expect(page.metas("og:title").map(\.content) == ["a", "b"])
        #expect(page.metas("og:title").map(\.kind) == [.property, .name])
        #expect(page.metas("og:title").map(\.line) == [1, 2])
        #expect(page.metas("n").map(\.content) == ["c"] && page.metas("p").count == 1)
        #expect(page.metas.count == 4)
    }

    @Test func `data blocks are those of JSON-LD, as they stand`() {
        let page = read(
            """
            <script type="application/ld+json">{"a": "&amp;</b>"}</script>
            <script type='Application/LD+JSON; charset=utf-8'>1</script>
            <script type=application/json>2</script><script>3</script>
            """)
        #expect(page.dataBlocks.map(\.text) == ["{\"a\": \"&amp;</b>\"}", "1"])
        #expect(page.dataBlocks.map(\.line) == [1, 2])
    }

    @Test func `text is what is shown`() {
        #expect(read("<title>abc</title><style>a</style><script>b</script> \n").textBytes == 0)
        #expect(read("<p> a b </p><template>c</template>").textBytes == 2)
    }

    @Test(
        "an address that runs code is found however it is written",
        arguments: [
            ("<a href='javascript:x'>", 1), ("<a href=' \u{1}JAVA&#9;script&colon;x'>", 1),
            ("<form action=vbscript:x>", 1), ("<iframe src=data:text/html,x>", 1),
            ("<a href='/javascript:x'>", 0), ("<link rel=icon href='data:image/png;base64,'>", 0),
            ("<a href='java script:x'>", 0),
        ])
    func unsafe(_ html: String, _ count: Int) { #expect(read(html).unsafeAddresses.count == count) }
}
