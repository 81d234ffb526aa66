private import URISyntax

/// A language that the console's texts are in.
package enum ConsoleLanguage: String, CaseIterable, Sendable {
    case en, de

    /// The cookie that keeps the language a person has chosen.
    package static let cookie = "waymark-language"

    /// - Parameters:
    ///   - chosen: the value of the cookie.
    ///   - accepted: the value of `Accept-Language`; of its languages the first that the console has, and English if it
    ///     has none of them.
    package init(chosen: String?, accepted: String?) {
        if let chosen, let language = Self(rawValue: chosen) {
            self = language
            return
        }
        var best = (language: Self.en, weight: 0)
        for range in (accepted ?? "").utf8.prefix(1_000).split(separator: UInt8(ascii: ",")).prefix(
            20)
        {
            let parts = range.split(separator: UInt8(ascii: ";")).map { part in
                part.filter { $0 != 0x20 && $0 != 0x09 }.map { $0 | 0x20 }
            }
            let name = parts.first.map { String(decoding: $0.prefix { $0 != 0x2D }, as: UTF8.self) }
            guard let name, let language = Self(rawValue: name) else { continue }
            let weight = parts.dropFirst().first.map(Self.weight) ?? 1_000
            if weight > best.weight { best = (language, weight) }
        }
        self = best.language
    }

    /// Thousandths of `q=0.75`; all of them for another text (RFC 9110 §12.4.2).
    private static func weight(_ text: [UInt8]) -> Int {
        guard text.starts(with: "q=".utf8) else { return 1_000 }
        let digits = text.dropFirst(2).filter(\.isDigit).prefix(4)
        return (0..<4).reduce(0) { sum, index in
            sum * 10 + (index < digits.count ? Int(digits[index + digits.startIndex] & 0x0F) : 0)
        }
    }
}

extension ConsoleLanguage {
    /// Keeps the language that somebody chooses in a cookie, and leads to the first page.
    static func choose(_ request: ConsoleRequest) -> ConsoleResponse {
        let base = request.setting.base
        guard let language = Self(rawValue: request.value("language")) else { return .other(base) }
        var response = ConsoleResponse.other(base)
        let attributes = "Path=\(base); Max-Age=31536000; SameSite=Lax; HttpOnly"
        let secure = request.setting.isSecure ? "; Secure" : ""
        response.fields.append(
            ("Set-Cookie", "\(cookie)=\(language.rawValue); \(attributes)\(secure)"))
        return response
    }
}
