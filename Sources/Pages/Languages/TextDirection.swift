/// The direction of a language, as a value of `dir`.
package enum TextDirection: String, Sendable {
    case leftToRight = "ltr"
    case rightToLeft = "rtl"

    /// - Parameter language: a BCP 47 tag; if it has a script, the script decides.
    package init(language tag: String) {
        let parts = tag.lowercased().utf8.split(separator: UInt8(ascii: "-"))
            .map { String(Substring($0)) }
        let script = parts.dropFirst().first { $0.utf8.count == 4 }
        let isRightToLeft =
            script.map(Self.scripts.contains) ?? Self.languages.contains(parts.first ?? "")
        self = isRightToLeft ? .rightToLeft : .leftToRight
    }

    private static let scripts: Set<String> = ["adlm", "arab", "hebr", "nkoo", "syrc", "thaa"]
    private static let languages: Set<String> = [
        "ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi",
    ]
}
