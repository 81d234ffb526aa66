import Testing
import URISyntax

@Suite("Host names (RFC 1123 §2.1, RFC 5890 §2.3.1)")
struct HostNameTests {
    @Test(
        "a host name is folded and checked",
        arguments: [
            ("Example.COM", "example.com"), ("localhost", "localhost"),
            ("xn--mnchen-3ya.de", "xn--mnchen-3ya.de"), ("a-b.1.c", "a-b.1.c"),
            // Labels of 63 bytes, and names of 253, are the longest.
            (String(repeating: "A", count: 63), String(repeating: "a", count: 63)),
            (String(repeating: "a.", count: 126) + "a", String(repeating: "a.", count: 126) + "a"),
        ])
    func hosts(_ text: String, _ expected: String) throws {
        #expect(try HostName(text).description == expected)
    }

    @Test(
        "what is no host name is refused",
        arguments: [
            "", ".", "a.", ".a", "a..b", "-a", "a-.b", "a_b", "münchen.de", "a b", "a:1", "*.a",
            String(repeating: "a", count: 64), String(repeating: "a.", count: 126) + "aa",
        ])
    func refusesHosts(_ text: String) {
        #expect(throws: HostNameError.self) { try HostName(text) }
    }

    @Test(
        "a name in any script is the one that browsers send (RFC 3492, UTS #46)",
        arguments: [
            ("example.com", "example.com"), ("Bücher.Example", "xn--bcher-kva.example"),
            // The same letter in two scalars, in capitals, and with marks out of order.
            ("bu\u{308}cher.example", "xn--bcher-kva.example"),
            ("BU\u{308}CHER.example", "xn--bcher-kva.example"),
            ("vie\u{302}\u{323}t.vn", "xn--vit-5kz.vn"), ("việt.vn", "xn--vit-5kz.vn"),
            ("straße.de", "xn--strae-oqa.de"), ("βόλος.com", "xn--nxasmm1c.com"),
            ("пример.испытание", "xn--e1afmkfd.xn--80akhbyknj4f"),
            ("例え。テスト", "xn--r8jz45g.xn--zckzah"), ("テスト．ＣＯＭ", "xn--zckzah.com"),
            ("か\u{3099}.jp", "xn--v8j.jp"), ("が.jp", "xn--v8j.jp"),
            ("한국", "xn--3e0b707e"), ("\u{1112}\u{1161}\u{11AB}국", "xn--3e0b707e"),
            ("i❤.ws", "xn--i-7iq.ws"), ("☃.net", "xn--n3h.net"),
            // RFC 3492 §7.1 (B), (C), (D), (G), (L), in small letters.
            ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
            ("他們爲什麽不說中文", "xn--ihqwctvzc91f659drss3x8bo0yb"),
            ("pročprostěnemluvíčesky", "xn--proprostnemluvesky-uyb24dma41a"),
            ("почемужеонинеговорятпорусски", "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l"),
            ("3年b組金八先生", "xn--3b-ww4c5e180e575a65lsy2b"),
        ])
    func scripts(_ text: String, _ expected: String) {
        #expect(HostName(anyScript: text)?.description == expected)
    }

    @Test(
        "a name whose mapping is not known, or that is none, is not guessed at",
        arguments: [
            "", "a..ü", "ü.", "-ü", "a b.ü", "ü_.example", "\u{FB01}x.example", "①.example",
            "a\u{200D}b.example", "\u{308}a.example", "\u{E000}.example", "a\u{AD}b.example",
            String(repeating: "ü", count: 64), String(repeating: "ü.", count: 126) + "üü",
            String(repeating: "a\u{308}", count: 10_000),
        ])
    func refusesScripts(_ text: String) { #expect(HostName(anyScript: text) == nil) }
}
