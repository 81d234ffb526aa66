internal import Diagnostics
internal import JSONSyntax

/// The faults for which the API refuses a link, beside the fields that they are about.
struct FormFindings: Sendable {
    /// A fault in the words of the API.
    struct Finding: Sendable {
        /// Nil if it is about no field of the form.
        let field: LinkField?
        let detail: String
        let advice: String?
    }

    private(set) var all = [Finding]()
    var isEmpty: Bool { all.isEmpty }

    init() {}

    /// - Parameter problem: a problem of the API, or the answer of a check.
    init(_ problem: JSONValue?, _ member: String = "errors") {
        for error in (problem?[member]?.elements ?? []).prefix(50) {
            let pointer = error["pointer"]?.text ?? ""
            all.append(
                Finding(
                    field: Self.field(pointer), detail: error["detail"]?.text ?? "",
                    advice: error["advice"]?.text))
        }
        if all.isEmpty, member == "errors", let title = problem?["title"]?.text {
            let detail = problem?["detail"]?.text.map { "\(title): \($0)" }
            all.append(Finding(field: nil, detail: detail ?? title, advice: nil))
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
