/// A language that the console's texts are in.
package enum ConsoleLanguage: String, CaseIterable, Sendable {
    case en, de

    /// The cookie that keeps the language a person has chosen.
    package static let cookie = "waymark-language"

    /// - Parameters:
    ///   - chosen: the value of the cookie.
    ///   - best: of the console's languages the one that the browser prefers; without one it is English.
    package init(chosen: String?, best: String?) {
        self = [chosen, best].compactMap { $0 }.compactMap(Self.init).first ?? .en
    }

    /// The field that keeps it in a cookie.
    func field(_ setting: ConsoleSetting) -> (name: String, value: String) {
        let attributes = "Path=\(setting.base); Max-Age=31536000; SameSite=Lax; HttpOnly"
        return (
            "Set-Cookie",
            "\(Self.cookie)=\(rawValue); \(attributes)\(setting.isSecure ? "; Secure" : "")"
        )
    }

    /// Keeps the language that somebody chooses, and leads back to the page of the button.
    static func choose(_ request: ConsoleRequest) -> ConsoleResponse {
        let isForeign = request.isForeign("language", allCases.map(\.rawValue))
        guard !isForeign else {
            return request.notice(.foreignChoice)
        }
        let base = request.setting.base
        let back = request.value("back")
        var response = ConsoleResponse.other(Console.isOwn(back, base) ? back : base)
        if let language = Self(rawValue: request.value("language")) {
            response.fields.append(language.field(request.setting))
        }
        return response
    }
}
