internal import Diagnostics
internal import JSONSyntax
private import Markup

/// The faults for which the API refuses a link, beside the fields that they are about.
struct FormFindings: Sendable {
    /// A fault in the words of the API.
    struct Finding: Sendable {
        /// Nil if it is about no field of the form.
        let field: LinkField?
        let detail: String
        var advice: String?
        /// The API's name for it.
        var rule = ""
        /// The heading of the column, for what is wrong in a table.
        var heading: String?

        /// A sentence in the language of the page, which comes before the words of the API; nil where those are of it.
        func lead(_ language: ConsoleLanguage) -> String? {
            language == .de ? FaultWords.german(rule, field) : nil
        }

        /// The sentence that stands in place of the API's words, which speak of a slug; nil where those do.
        func own(_ language: ConsoleLanguage) -> String? {
            switch (rule, field) {
            case ("slug-form", .slug): ConsoleText.slugForm(language)
            case ("missing-key", .destination): ConsoleText.destinationMissing(language)
            case ("missing-key", .collection): ConsoleText.collectionMissing(language)
            // The API speaks of tokens.
            case ("not-found", nil): ConsoleText.notFoundLead(language)
            default: nil
            }
        }
    }

    private(set) var all = [Finding]()
    var isEmpty: Bool { all.isEmpty }

    init() {}

    /// - Parameter problem: a problem of the API, or the answer of a check.
    init(_ problem: JSONValue?, _ member: String = "errors") {
        for error in (problem?[member]?.elements ?? []).prefix(50) {
            var pointer = error["pointer"]?.text ?? ""
            if pointer.isEmpty, error["rule"]?.text == "missing-key" {
                let isCollection = error["detail"]?.text?.contains("\"collection\"") == true
                pointer = isCollection ? "/collection" : "/destination"
            }
            all.append(
                Finding(
                    field: Self.field(pointer), detail: error["detail"]?.text ?? "",
                    advice: error["advice"]?.text, rule: error["rule"]?.text ?? "",
                    heading: error["heading"]?.text))
        }
        if all.isEmpty, member == "errors", let title = problem?["title"]?.text {
            let detail = problem?["detail"]?.text.map { "\(title): \($0)" }
            let type = problem?["type"]?.text?.utf8
            let rule = type?.split(separator: UInt8(ascii: "/")).last.map {
                String(decoding: $0, as: UTF8.self)
            }
            all.append(
                Finding(field: nil, detail: detail ?? title, advice: nil, rule: rule ?? ""))
        }
    }

    /// Keeps those about some fields, and those about no field. What a link has already, the API lets it keep, though a
    /// new one could not have it.
    mutating func keep(of changed: [LinkField]) {
        let kept = Set(changed.map(Self.field(of:)))
        all.removeAll { finding in finding.field.map { !kept.contains(Self.field(of: $0)) } ?? false
        }
    }

    /// The first of the fields that share the place of a fault.
    private static func field(of field: LinkField) -> LinkField {
        switch field {
        case _ where LinkField.campaignFields.contains(field): .destination
        case _ where LinkField.actionFields.contains(field): .everybody
        case .description: .title
        case .appData: .appPath
        default: field
        }
    }

    subscript(field: LinkField) -> [Finding] { all.filter { $0.field == field } }

    /// The field with the longest pointer that this pointer is, or is below. A fault of all actions is one of the last.
    private static func field(_ pointer: String) -> LinkField? {
        let fits = LinkField.allCases.filter { field in
            let own = field.pointer.utf8
            return pointer.utf8.starts(with: own)
                && (pointer.utf8.count == own.count
                    || pointer.utf8.dropFirst(own.count).first == UInt8(ascii: "/"))
        }
        let longest = fits.map(\.pointer.utf8.count).max()
        if let field = fits.first(where: { $0.pointer.utf8.count == longest }) { return field }
        switch pointer {
        case "/web": return .everybody
        case "/page": return .title
        case "/app": return .appPath
        default: return nil
        }
    }
}

extension PageWriter {
    /// The words of a finding. Those of the API are in English.
    mutating func finding(_ finding: FormFindings.Finding) {
        if let own = finding.own(setting.language) { return value(own) }
        if let lead = finding.lead(setting.language) {
            value(lead)
            raw(" ")
        }
        foreign(finding.detail)
        guard let advice = finding.advice else { return }
        raw(" <span class=\"advice\"")
        if setting.language != .en { raw(" lang=\"en\"") }
        raw(">– ")
        value(advice)
        raw("</span>")
    }

    /// Words of the API, which are in English.
    mutating func foreign(_ text: String) {
        guard setting.language != .en else { return value(text) }
        raw("<span class=\"advice\" lang=\"en\">")
        value(text)
        raw("</span>")
    }
}
