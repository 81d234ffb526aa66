import Diagnostics
import SiteConfiguration

/// A fault at a JSON Pointer of the content.
struct PointedFault: Hashable, Sendable {
    let pointer: String
    let rule: RuleName
    let detail: String
    var advice: String?
    /// Of the table's column, if it is in one.
    var heading: String?
    /// The number of faults for which it stands.
    var count = 1

    init(_ pointer: String, _ rule: RuleName, _ detail: String, advice: String? = nil) {
        (self.pointer, self.rule, self.detail, self.advice) = (pointer, rule, detail, advice)
    }

    /// The number of faults that were not kept.
    init(moreThanKept count: Int, _ words: String) {
        self.init("", .tooManyFindings, "\(count) more \(words)")
        self.count = count
    }

    init(_ fault: DescriptionFault) {
        let diagnostic = fault.diagnostic
        self.init(
            fault.pointer, diagnostic.rule, diagnostic.message,
            advice: diagnostic.advice ?? Self.advice(on: diagnostic.rule))
        count = fault.count
    }

    /// The advice on faults that need none where people write them into a file.
    private static func advice(on rule: RuleName) -> String? {
        switch rule {
        case .controlCharacter: "remove the character"
        case .unsetValue: "write a value, or leave the member out"
        case .name: "choose a shorter name"
        case .tooMany: "keep what is long elsewhere"
        case .wrongValue, .wrongKind: "write it as GET /v1/openapi.json describes it"
        default: nil
        }
    }

    var byteCount: Int { pointer.utf8.count + detail.utf8.count + (advice?.utf8.count ?? 0) }

    var json: JSONText {
        var members: [(key: String, value: JSONText)] = [
            ("pointer", .string(pointer)), ("rule", .string(rule.rawValue)),
            ("detail", .string(detail)),
        ]
        if let heading { members.append(("heading", .string(heading))) }
        if let advice { members.append(("advice", .string(advice))) }
        return .object(members)
    }
}
