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
        /// The API's name for it, or the end of its problem's type.
        var rule = ""
        /// The heading of the column, for what is wrong in a table.
        var heading: String?
        /// The title of the API's problem, where it is a problem as a whole; nil for a fault of the content.
        var title: String?
    }

    private(set) var all = [Finding]()
    var isEmpty: Bool { all.isEmpty }

    init() {}

    /// - Parameter problem: a problem of the API, or the answer of a check.
    init(_ problem: JSONValue?, _ member: String = "errors") {
        for error in (problem?[member]?.elements ?? []).prefix(50) {
            var pointer = error["pointer"]?.text ?? ""
            if pointer.isEmpty, error["rule"]?.text == "missing-key" {
                let detail = error["detail"]?.text
                let named = ["collection", "destination", "slug"].first { name in
                    detail?.contains("lacks its \"\(name)\"") == true
                }
                if let named { pointer = "/\(named)" }
            }
            let (field, rule) = (Self.field(pointer), error["rule"]?.text ?? "")
            // One sentence of the form stands for what the API says of a short name in several.
            let isSaid =
                member == "errors" && rule.isScalarwise("slug-form")
                && all.contains { $0.field == field && $0.rule.isScalarwise(rule) }
            guard !isSaid else { continue }
            all.append(
                Finding(
                    field: field, detail: error["detail"]?.text ?? "",
                    advice: error["advice"]?.text, rule: rule,
                    heading: error["heading"]?.text))
        }
        if all.isEmpty, member == "errors", let title = problem?["title"]?.text {
            let type = problem?["type"]?.text?.utf8
            let rule = type?.split(separator: UInt8(ascii: "/")).last.map {
                String(decoding: $0, as: UTF8.self)
            }
            all.append(
                Finding(
                    field: nil, detail: problem?["detail"]?.text ?? "", rule: rule ?? "",
                    title: title))
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
    /// The words of a finding. Those of the API are in English, and are marked so where the page has no others.
    mutating func finding(_ finding: FormFindings.Finding) {
        let words = FindingWords(finding, setting.language)
        if let fact = words.fact { value(fact) }
        if let foreign = words.foreign {
            raw(words.fact == nil ? "" : " ")
            self.foreign(foreign)
        }
        guard let advice = words.advice ?? words.foreignAdvice else { return }
        raw(" <span class=\"advice\"")
        if words.advice == nil { raw(" lang=\"en\"") }
        write(">– \(advice)</span>")
    }

    /// Words of the API, which are in English.
    mutating func foreign(_ text: String) {
        guard setting.language != .en else { return value(text) }
        write("<span class=\"advice\" lang=\"en\">\(text)</span>")
    }
}
