extension RawRequest {
    /// Field lines (RFC 9112 §5).
    static let fields: [RawRequest] = [
        .stays(get("X:y", "X: ", "X:\ty\t", "x-Y_.~!#$%&'*+^`|: \u{E9}"), 200),
        .closes(get("X"), 400), .closes(get(": y"), 400), .closes(get("X : y"), 400),
        .closes(get("X\t: y"), 400), .closes(get(" X: y"), 400), .closes(get("X: y", " z"), 400),
        .closes(get("X: y", "\tz"), 400), .closes(line + " \(host)\r\n", 400),
        .closes(get("X(: y"), 400), .closes(get("X\u{0}: y"), 400), .closes(get("X: \u{0}"), 400),
        .closes(get("X: a\u{B}b"), 400), .closes(get("X: a\u{7F}b"), 400),
        .closes(get("X: \u{1B}[0m"), 400), .closes(get("X: a\rb"), 400),
        .closes("\(line)\(host)X: y\n\r\n", 400), .closes("\(line)\(host)\n", 400),
        .closes("\(line)\(host)\r\r\n", 400), .closes("\(line)\(host)\rX: y\r\n\r\n", 400),
    ]

    /// The Host field (RFC 9112 §3.2, RFC 9110 §7.2).
    static let hosts: [RawRequest] = [
        .stays("\(line)HOST:LocalHost.:65535\r\n\r\n", 200), .closes("\(line)\r\n", 400),
        .closes("\(line)\(host)\(host)\r\n", 400), .closes("\(line)Host:\r\n\r\n", 400),
        .closes("\(line)\(host)X: y\r\nhost: a\r\n\r\n", 400),
        .closes("\(line)Host: localhost, a\r\n\r\n", 400),
        .closes("\(line)Host: u@localhost\r\n\r\n", 400),
        .closes("\(line)Host: localhost/\r\n\r\n", 400),
        .closes("\(line)Host: http://localhost\r\n\r\n", 400),
        .closes("\(line)Host: localhost:80a\r\n\r\n", 400),
        .closes("\(line)Host: localhost:-1\r\n\r\n", 400),
        .closes("\(line)Host: localhost:65536\r\n\r\n", 400),
        .closes("\(line)Host: localhost:80:80\r\n\r\n", 400),
        .stays("\(line)Host: localhost:\r\n\r\n", 200),
        .closes("\(line)Host: :80\r\n\r\n", 400), .stays("\(line)Host: %6c\r\n\r\n", 404),
        .closes("\(line)Host: %6\r\n\r\n", 400), .closes("\(line)Host: %zz\r\n\r\n", 400),
        .stays("\(line)Host: a_b~!$&'()*+,;=\r\n\r\n", 404),
        .closes("\(line)Host: a<b\r\n\r\n", 400), .closes("\(line)Host: a\"b\r\n\r\n", 400),
        .closes("\(line)Host: l\u{F6}calhost\r\n\r\n", 400),
        .stays("\(line)Host: [::1]\r\n\r\n", 404), .stays("\(line)Host: [::1]:80\r\n\r\n", 404),
        .stays("\(line)Host: [1:2:3:4:5:6:7:8]\r\n\r\n", 404),
        .stays("\(line)Host: [::ffff:127.0.0.1]\r\n\r\n", 404),
        .closes("\(line)Host: []\r\n\r\n", 400), .closes("\(line)Host: [::1\r\n\r\n", 400),
        .closes("\(line)Host: ::1\r\n\r\n", 400), .closes("\(line)Host: [:1]\r\n\r\n", 400),
        .closes("\(line)Host: [1::2::3]\r\n\r\n", 400), .closes("\(line)Host: [1:2]\r\n\r\n", 400),
        .closes("\(line)Host: [12345::]\r\n\r\n", 400),
        .closes("\(line)Host: [1:2:3:4:5:6:7:8:9]\r\n\r\n", 400),
        .closes("\(line)Host: [::256.0.0.1]\r\n\r\n", 400),
        .closes("\(line)Host: [::1%25eth0]\r\n\r\n", 400),
        .closes("\(line)Host: [::1]a\r\n\r\n", 400), .closes("\(line)Host: [1:2:]\r\n\r\n", 400),
        .closes("GET \(path) HTTP/1.0\r\n\r\n", 404),
        .closes("GET \(path) HTTP/1.0\r\n\(host)\(host)\r\n", 400),
    ]

    /// What a request asks for beside its target (RFC 9110 §10, §12, §13, §14).
    static let semantics: [RawRequest] = [
        .stays(get("If-None-Match: *"), 304), .stays(get("If-None-Match: \"x\", *"), 304),
        .stays(get("If-None-Match: W/\"x\", \"y\""), 200), .stays(get("If-Match: *"), 200),
        .stays(get("If-Match: \"x\""), 412), .stays(get("If-Modified-Since: never"), 200),
        .stays(get("Range: bytes=0-0"), 206), .stays(get("Range: bytes=-1"), 206),
        .stays(get("Range: bytes=5000-"), 416), .stays(get("Range: bytes=0-0,5000-"), 206),
        .stays(get("Range: bytes=1-0"), 200), .stays(get("Range: lines=0-0"), 200),
        .stays(get("Range: bytes=0-0", "If-Range: \"x\""), 200),
        .stays(get("Accept-Encoding: identity;q=0, *;q=0"), 200),
        .stays(
            "HEAD \(path) HTTP/1.1\r\n\(host)Range: bytes=0-0\r\n\r\n", 200, isHead: true),
        .stays("HEAD \(path) HTTP/1.1\r\n\(host)If-Match: \"x\"\r\n\r\n", 412, isHead: true),
        .stays("HEAD /missing HTTP/1.1\r\nHost: a.example\r\n\r\n", 404, isHead: true),
        .closes("HEAD \(path) HTTP/1.1\r\n\(host)X y\r\n\r\n", 400, isHead: true),
        .closes("HEAD \(path) HTTP/1.1\r\n\r\n", 400, isHead: true),
        .closes("HEAD * HTTP/1.1\r\n\(host)\r\n", 400, isHead: true),
        .closes("HEAD / HTTP/9.1\r\n\(host)\r\n", 505, isHead: true),
        .closes(
            "HEAD / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\nx", 400, isHead: true),
        .closes(get("Expect: the-worst"), 417),
        .closes(get("Expect: 100-continue", "Expect: x"), 417),
        .stays(get("Expect: 100-continue"), 200),
        .closes(get("Connection: close"), 200), .closes(get("Connection: x, CLOSE"), 200),
        .stays(get("Connection: keep-alive"), 200), .stays(get("Upgrade: h2c"), 200),
        .stays(get() + get("If-None-Match: *") + get(), 200, 304, 200),
        .closes(get() + "junk\r\n\r\n" + get(), 200, 400),
    ]
}
