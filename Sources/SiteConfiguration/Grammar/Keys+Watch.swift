private import ClientAddress
private import Diagnostics
private import URISyntax

extension Shape {
    static let watch = Shape(
        "watch", canBeEmpty: true,
        [
            Key(
                "every", .text(.timeSpan),
                "The time from one check of a host to the next: 15m by default, 10s to 24h."),
            Key(
                "hosts", .oneOrMore(.text(.host)),
                "The hosts to check; by default all that are names within a domain."),
            Key(
                "apple", .text(.service),
                "The URL of Apple's CDN, for tests, or off: it is not asked."),
            Key(
                "google", .text(.service),
                "The URL of Google's Digital Asset Links service, for tests, or off."),
            Key(
                "authorities", .text(.path),
                "The certificates of authorities to trust, a PEM file; the system's by default."),
            Key(
                "connect", .names(.host, of: .text(.serverAddress)),
                "Where to connect to instead of asking DNS, for hosts whose public address cannot "
                    + "be reached from here: ADDRESS:PORT."),
            Key(
                "proxy", .text(.proxy),
                "A proxy that connects to everything else, with CONNECT: http://HOST:PORT. Without "
                    + "it there is none, whatever the environment says."),
        ])
}

extension Format {
    /// A whole number with its unit; its value is in seconds.
    static let timeSpan = Format(
        "a time span",
        pattern: "^(\(SchemaPattern.numbers(10...86_400))s|\(SchemaPattern.numbers(1...1_440))m|"
            + "\(SchemaPattern.numbers(1...24))h)$"
    ) { text throws(Fault) in
        let range = WatchSettings.secondsRange
        let units: [(UInt8, Int)] = [
            (UInt8(ascii: "s"), 1), (UInt8(ascii: "m"), 60), (UInt8(ascii: "h"), 3600),
        ]
        let digits = String(Substring(text.utf8.dropLast()))
        guard let unit = units.first(where: { $0.0 == text.utf8.last })?.1,
            digits.utf8.first != UInt8(ascii: "0"), let number = wholeNumber(digits, 1...99_999)
        else {
            throw Fault(
                rule: .wrongValue,
                message: "\(quoted(text)) is no time span",
                advice: "write a number with s, m or h: 15m")
        }
        guard range.contains(number * unit) else {
            throw Fault(rule: .wrongValue, message: "\(quoted(text)) must be 10s to 24h")
        }
        return .number(number * unit)
    }

    static let service = Format(
        "a URL or off", pattern: "^(off|\(SchemaPattern.service()))$"
    ) { text throws(Fault) in
        guard text != "off" else { return .text }
        let url = try readURL(text, as: text)
        guard url.path.utf8.count <= 1 else {
            throw Fault(
                rule: .url, message: "\(quoted(text)): the URL of a service has no path",
                advice: "end it behind the host, and its port if it has one")
        }
        return .url(url)
    }

    static let proxy = Format(
        "the URL of a proxy", pattern: "^\(SchemaPattern.service(scheme: "[Hh][Tt][Tt][Pp]"))$"
    ) { text throws(Fault) in
        let url = try readURL(text, as: text)
        guard !url.isSecure, url.path.utf8.count <= 1 else {
            throw Fault(
                rule: .url,
                message: "\(quoted(text)) is no proxy",
                advice: "write one such as http://proxy.example.com:3128")
        }
        return .url(url)
    }

    /// An IP address with a port; IPv6 in brackets.
    static let serverAddress = Format(
        "an address with a port",
        pattern: "^(\(SchemaPattern.addressV4)|" + #"\[(?=.*:)[0-9A-Fa-f:.]+\]):"#
            + "\(SchemaPattern.port)$"
    ) { text in
        let bytes = Array(text.utf8)
        let colon = bytes.lastIndex(of: UInt8(ascii: ":")) ?? 0
        var host = bytes[..<colon]
        let isV6 = host.first == UInt8(ascii: "[") && host.last == UInt8(ascii: "]")
        if isV6 { host = host.dropFirst().dropLast() }
        let address = IPAddress(String(decoding: host, as: UTF8.self))
        guard let address, address.isV4 != isV6,
            wholeNumber(String(decoding: bytes[colon...].dropFirst(), as: UTF8.self), 1...65_535)
                != nil
        else {
            return Fault(
                rule: .wrongValue,
                message: "\(quoted(text)) is no ADDRESS:PORT",
                advice: "write one such as 10.0.0.5:443 or [::1]:443")
        }
        return nil
    }
}
