/// Texts that have broken pages: each must be nothing but text wherever it lands.
let hostileValues: [String] = {
    let markup = [
        "<script>alert(1)</script>", "\"><script>alert(1)</script>", "'><script>", "</title><b>",
        "</script><script>alert(1)</script>", "</style><b>", "<!--", "-->", "--!><b>", "]]>",
        "<![CDATA[", "<svg/onload=alert(1)>", "<img src=x onerror=alert(1)>", "<a\nhref=x>", "<",
        ">", "\"", "'", "`", "=", "/>", "</", "<?", "<!", "</head>", "<body onload=x>",
        "\" onmouseover=\"alert(1)", "' onmouseover='alert(1)", "x onmouseover=alert(1)",
        "\"><iframe src=javascript:alert(1)>", "<base href=//evil.example/>", "<plaintext>",
        "</textarea>", "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
        "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
        "<a href=\"javascript:alert(1)\">", "<meta http-equiv=refresh content=0;url=//e>",
        "<link rel=stylesheet href=//e>", "<style>@import '//e'</style>", "</p></main></body>",
    ]
    let references = [
        "&lt;script&gt;", "&#60;script&#62;", "&#x3C;", "&quot;", "&", "&amp;amp;", "&notit;",
        "&copy=1", "&#0;", "&#x110000;", "&CounterClockwiseContourIntegral;", "&;",
    ]
    let schemes = [
        "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\nscript:alert(1)",
        "\u{1}javascript:alert(1)", "javascript&colon;alert(1)", "data:text/html,<script>",
        "vbscript:x", "//evil.example", "\\\\evil.example", "https://e.com@evil.example/",
        "https://evil.example\\@e.com/", "file:///etc/passwd", "blob:x", "x-safari-https://e",
    ]
    let controls = [
        "\0", "a\0b", "\r\n", "\r", "\n", "\t", "\u{B}", "\u{1B}[31m", "\u{7F}", "\u{80}", "\u{85}",
        "\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{202E}evil", "\u{200B}", "\u{FFFE}",
        "\u{10FFFF}", "\r\nSet-Cookie: a=b", "\u{E000}", "\u{E000}0\u{E001}",
    ]
    let combining = ["\"", "'", "<", ">", "&", "=", ","].flatMap { mark in
        ["\u{301}", "\u{338}", "\u{20D2}", "\u{FE0F}", "\u{200D}", "\u{E0101}", "\u{1F3FD}"].map {
            "a\(mark)\($0) onmouseover=alert(1) b"
        }
    }
    let templates = [
        "{{title}}", "{{{head}}}", "{{#title}}", "{{/title}}", "{{% CONTENT_TYPE:TEXT}}",
        "{{=<% %>=}}", "${x}", "$(x)", "<%= x %>", "%s%n", "%00", "%22%3E", "#{x}",
    ]
    let banner = [
        "1, app-clip-display=card", ",", ", app-id=2", "a,b,c", "=,=", "%2C, x=y",
    ]
    // Ill-formed UTF-8, as a URL may bring it: what is no text becomes U+FFFD.
    let illFormed: [[UInt8]] = [
        [0xED, 0xA0, 0x80], [0xED, 0xB0, 0x80, 0x3C, 0x62, 0x3E], [0xC0, 0xBC], [0xE0, 0x80, 0xBC],
        [0xFF, 0x22], [0xF4, 0x90, 0x80, 0x80], [0xC2], [0xC2, 0x22], [0xF0, 0x9F, 0x3C],
    ]
    let repaired = illFormed.map { String(decoding: $0, as: UTF8.self) }
    let long = ["<", "\"", "a", "&", "\u{301}", "😀", "</script>"].map {
        String(repeating: $0, count: 1000)
    }
    let scripts = ["日本語", "עברית <b>", "العربية \"", "ไทย", "e\u{301}", "👩‍👩‍👧‍👦\"", "ẞ", "ı"]
    let plain =
        markup + references + schemes + controls + combining + templates + banner + repaired
        + long + scripts
    // Quotes open and close around markup in every order.
    let pairs = ["\"", "'", "<b>", "-->", "</script>"].flatMap { first in
        [">", "\"", "' x='", "<!--", "\u{301}"].map { first + $0 }
    }
    return plain + pairs
}()
