private import Diagnostics

/// The words of a finding for a page of a language.
struct FindingWords {
    /// The fault or the remark, in that language.
    private(set) var fact: String?
    /// The same in English, where there are no words in that language.
    private(set) var foreign: String?
    /// The advice, in that language; nil without one.
    private(set) var advice: String?
    /// The same in English, where there are no words in that language.
    private(set) var foreignAdvice: String?

    init(_ finding: FormFindings.Finding, _ language: ConsoleLanguage) {
        if let own = Self.own(finding) {
            fact = own(language)
        } else if language == .en {
            let words = APISentence.words(.en, fact: finding.detail).map(Self.atBeginning)
            fact =
                words
                ?? [finding.title, finding.detail.nonempty].compactMap(\.self)
                .joined(separator: ": ")
            advice = finding.advice.map { APISentence.words(.en, advice: $0) ?? $0 }
        } else {
            translate(finding)
        }
    }

    private mutating func translate(_ finding: FormFindings.Finding) {
        let lead = FaultWords.german(finding.rule, finding.field)
        if let own = APISentence.words(.de, fact: finding.detail) {
            fact = own
        } else {
            fact = lead
            // The detail of most problems is about requests and tokens.
            if finding.title == nil || lead == nil || Self.detailed.contains(finding.rule) {
                foreign = finding.detail.nonempty ?? finding.title
            }
        }
        guard let text = finding.advice else { return }
        advice = APISentence.words(.de, advice: text)
        if advice == nil { foreignAdvice = text }
    }

    /// A sentence that stands alone, with a capital.
    private static func atBeginning(_ text: String) -> String {
        guard let first = text.utf8.first, (0x61...0x7A).contains(first),
            // A host, a name or a path stays as it is.
            text.utf8.prefix(while: { $0 != 0x20 }).allSatisfy({
                (0x61...0x7A).contains($0) || $0 == 0x27
            })
        else { return text }
        return String(decoding: [first - 0x20] + text.utf8.dropFirst(), as: UTF8.self)
    }

    /// Problems whose detail names what a person has sent.
    private static let detailed = ["query", "failed", "no-room"]

    /// The text that stands in place of the API's words, where these speak of slugs and tokens; nil elsewhere.
    private static func own(_ finding: FormFindings.Finding) -> ConsoleText? {
        switch (finding.rule, finding.field) {
        // A warning is about the length of the URL.
        case ("slug-form", .slug) where !finding.detail.utf8.starts(with: "the URL".utf8): .slugForm
        case ("missing-key", .destination): .destinationMissing
        case ("wrong-kind", .appData): .appDataForm
        case ("unset-value", .slug), ("missing-key", .slug): .slugMissing
        case ("missing-key", .collection): .collectionMissing
        case ("not-found", nil) where finding.detail.utf8.starts(with: "nothing has".utf8):
            .notFoundLead
        // The place is in the address of the list, and nobody types one.
        case ("query", nil) where finding.detail.utf8.starts(with: "after is ".utf8): .noSuchPlace
        default: nil
        }
    }
}
