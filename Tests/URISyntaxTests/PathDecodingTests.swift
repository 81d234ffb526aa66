import Testing
import URISyntax

@Suite("Paths (RFC 3986)")
struct PathDecodingTests {
    private func decode(_ text: String) throws(PathFault) -> String {
        let bytes = Array(text.utf8)
        var target = [UInt8](repeating: 0, count: bytes.count)
        let count = try PathDecoding.decode(bytes, 0..<bytes.count, into: &target)
        return String(decoding: target[..<count], as: UTF8.self)
    }

    @Test(
        "a path is decoded once",
        arguments: [
            ("/", "/"), ("/a/b.html", "/a/b.html"), ("/a%20b", "/a b"), ("/%C3%A9", "/é"),
            ("/%25", "/%"), ("/%25g1", "/%g1"), ("/50%25-", "/50%-"),
            ("/.well-known/x", "/.well-known/x"), ("/...", "/..."),
            ("/a..b/..c", "/a..b/..c"), ("/%7E", "/~"), ("//a", "//a"), ("/a+b", "/a+b"),
        ])
    func decodes(_ text: String, _ expected: String) throws {
        #expect(try decode(text) == expected)
    }

    @Test(
        "what readers could take for different paths is refused, and the reason is given",
        arguments: [
            (.unfinishedEscape, ["/%", "/%4", "/%4g", "/%zz"]),
            (.control, ["/%00", "/%0a", "/%7f"]),
            (.escapedSlash, ["/a%2fb", "/a%2Fb", "/%2e%2f"]), (.backslash, ["/a%5cb", "/a\\b"]),
            (
                .dotSegment,
                [
                    "/..", "/../a", "/a/../b", "/a/..", "/.", "/a/./b", "/%2e%2e/a", "/.%2e",
                    "/%2E",
                ]
            ),
            (.escapedTwice, ["/%2561", "/%252e%252e/a", "/%25%36%31", "/%256a"]),
            (
                .notUTF8,
                ["/%c0%ae", "/%c0%af", "/%e9", "/%ed%a0%80", "/%f8%88%80%80%80"]
            ),
        ] as [(PathFault, [String])])
    func refuses(_ fault: PathFault, _ texts: [String]) {
        for text in texts {
            #expect(throws: fault, "\(text)") { try decode(text) }
        }
    }
}
