import Testing
import URISyntax

@Suite("Items of a query")
struct QueryItemsTests {
    @Test(
        "Items replace those of their names",
        arguments: [
            ("https://a.example", "https://a.example?utm_source=x%20y"),
            (
                "https://a.example/#top?utm_source=b",
                "https://a.example/?utm_source=x%20y#top?utm_source=b"
            ),
            ("https://a.example/?", "https://a.example/?utm_source=x%20y"),
            ("/p?a=1&&b#f", "/p?a=1&&b&utm_source=x%20y#f"),
            ("/p?utm_source=b&a=1&utm%5Fsource#f", "/p?a=1&utm_source=x%20y#f"),
            ("/p?UTM_SOURCE=b", "/p?UTM_SOURCE=b&utm_source=x%20y"),
        ])
    func replacing(_ url: String, _ whole: String) {
        #expect(replacingQueryItems(of: url, with: [("utm_source", "x y")]) == whole)
        #expect(replacingQueryItems(of: url, with: []) == url)
    }

    @Test("A number has sixteen hexadecimal digits")
    func hexadecimal() {
        #expect(UInt64.min.hexadecimal == "0000000000000000")
        #expect(UInt64.max.hexadecimal == "ffffffffffffffff")
        #expect((0x0123_4567_89AB_CDEF as UInt64).hexadecimal == "0123456789abcdef")
    }
}
