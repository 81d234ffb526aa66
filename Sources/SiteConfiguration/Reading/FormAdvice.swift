import Diagnostics
private import URISyntax

// How a value is written whose kind is wrong, and which key another program's word means.

extension Kind {
    /// - Parameter subject: the owner of the value, a quoted key.
    func advice(on value: Value, _ subject: String) -> String? {
        let key = unquoted(subject)
        let texts = value.items.compactMap(\.text)
        let areTexts = !texts.isEmpty && texts.count == value.items.count
        switch value.content {
        case .list where areTexts && forms.contains("a text") && texts.count == 1:
            return "write \(texts[0]), without brackets"
        case .list where areTexts && takesFieldValue:
            return "write one text: \(key): \(quoted(texts.joined(separator: ", ")))"
        case .list where areTexts && key == "publish", .text where key == "publish":
            // The names can be those of apps or of links.
            return "write the links of each app: publish: {APP: [LINK]}"
        case .text where areTexts && forms == ["a list"] && examples[key] == nil:
            return "write [\(texts[0])]"
        case .text(let file, _) where key == "log" && file.utf8.contains { "./".utf8.contains($0) }:
            return "write it as log: {to: \(file)}"
        case .text where key == "tls" && value.text == "automatic":
            return
                "write it as tls: {automatic: {terms: agreed}}, if you agree to the authority's terms"
        // The example is one of a mapping or a list.
        default: return forms == ["a text"] ? nil : exampleAdvice(on: subject)
        }
    }

    private var takesFieldValue: Bool {
        if case .text(let format) = self { format.name == Format.fieldValue.name } else { false }
    }
}

/// The form of a key, if it has an example.
/// - Parameter subject: the key, or the quoted key.
func exampleAdvice(on subject: String) -> String? {
    let key = unquoted(subject)
    return examples[key].map { "write it as \(key): \($0)" }
}

private func unquoted(_ subject: String) -> String {
    String(decoding: subject.utf8.filter { $0 != 0x22 }, as: UTF8.self)
}

/// Examples of keys whose values are mappings or lists.
private let examples = [
    "android": "{package: com.example.app, sha256: FINGERPRINT}",
    "apple": "{provider: \"123456\", campaign: spring}",
    "automatic": "{terms: agreed}",
    "apps": "{NAME: {ios: {id: ABCDE12345.com.example.app}}}",
    "breadcrumbs": "[{name: Shop, url: /shop}]",
    "campaign": "{utm: true}",
    "countries": "{header: CF-IPCountry}, or countries: {file: GeoLite2-Country.mmdb}",
    "dns": "{program: FILE}, or dns: persistent",
    "environments": "{NAME: {hosts: [links.example.com], …}}",
    "external-account": "{id: ID, key: FILE}",
    "expect": "[{url: \"https://links.example.com/a\", env: ENVIRONMENT, opens: [APP]}]",
    "google": "{link: true}",
    "headers": "[{match: \"/images/*\", set: {Cache-Control: max-age=3600}}]",
    "hosts": "[links.example.com]",
    "ios": "{id: ABCDE12345.com.example.app, store: 123456789}",
    "limits": "{connections: 1000}",
    "links": "{NAME: {match: \"/a/*\"}}",
    "log": "{access: json}",
    "page": "{title: TITLE, description: TEXT}",
    "proxies": "{trusted: [private], header: x-forwarded-for}",
    "publish": "{APP: [LINK]}",
    "set": "{Cache-Control: max-age=3600}",
    "signing": "{certificate: FILE, key: FILE}",
    "site": "{name: NAME}",
    "sites": "{NAME: {hosts: [links.example.com], …}}, or sites/*.yaml",
    "style": "{accent: \"#0a7cff\"}",
    "tls": "{certificate: FILE, key: FILE}, or tls: {automatic: {terms: agreed}}",
    "webauthn": "[\"https://app.example.com\"]",
    "utm": "[utm_source, utm_campaign]",
]

extension Key {
    /// The form of a key that is missing.
    var adviceOnLack: String {
        if case .text(let format) = kind, let only = format.choices.first, format.choices.count == 1
        {
            return "add \(name): \(only)"
        }
        return "add \(examples[name].map { "\(name): \($0)" } ?? "it: \(purpose)")"
    }

    /// Its documentation to the first full stop, without it.
    private var purpose: String {
        let end = documentation.firstRange(of: ". ")?.lowerBound ?? documentation.endIndex
        let sentence = documentation[..<end].utf8
        let text = sentence.last == UInt8(ascii: ".") ? sentence.dropLast() : sentence[...]
        return text.prefix(1).map { String(Unicode.Scalar($0.foldedToLowerCase)) }.joined()
            + String(Substring(text.dropFirst()))
    }
}

extension Shape {
    /// The advice on a key that is none of these, and the key in the advice, if it names one.
    func advice(onKey key: String) -> (text: String, key: String?) {
        if let other = otherWord(key) { return (other.text, other.key) }
        let names = keys.map(\.name)
        if let nearest = nearestName(to: key, among: names) {
            return (didYouMean(nearest), nearest)
        }
        return ("its keys are \(names.joined(separator: ", "))", nil)
    }

    /// The advice on a key of another program; nil for a key that is none.
    func otherWord(_ key: String) -> (words: Set<String>, key: String?, text: String)? {
        Self.otherWords[name]?.first { $0.words.contains(key) }
    }

    /// Keys of other programs, by the name of the shape.
    private static let otherWords: [String: [(words: Set<String>, key: String?, text: String)]] = [
        "platforms": [
            (
                ["redirect", "url", "to", "location", "target", "status", "code"], nil,
                "write a redirect as its URL, and a status in front of it: "
                    + quoted("308 https://www.example.com/")
            )
        ],
        "headerRule": [
            (
                ["for", "source", "path", "paths", "pattern", "url", "location", "if"], "match",
                "write match: \"/images/*\""
            ),
            (
                ["values", "headers", "header", "fields", "add", "add_header", "key", "value"],
                "set", "write set: {Cache-Control: max-age=3600}"
            ),
        ],
        "campaign": [
            (
                [
                    "source", "medium", "term", "content", "name", "id", "utm_source", "utm_medium",
                    "utm_campaign", "utm_term", "utm_content", "utm_id",
                ], nil,
                "write UTM parameters into the query of the URL to which the link leads: "
                    + "?utm_source=newsletter"
            )
        ],
        "link": [(["utm"], "campaign", "write campaign: {utm: true}")],
        "environment": [
            (["utm"], "campaign", "write campaign: {utm: true}; `log` has a key utm, too")
        ],
    ]
}
