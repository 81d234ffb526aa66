internal import JSONSyntax
private import Markup

/// The faults for which a form about people or tokens is refused, with the fields that they are about.
struct FieldFaults {
    private struct Fault {
        let field: Field?
        let finding: FormFindings.Finding
        /// The sentence that stands in place of the API's words, which speak of JSON.
        let text: ConsoleText?

        var shown: FormField.Fault {
            if let text { return .words(text) }
            return .finding(finding)
        }
    }

    /// A field of these forms. Its raw value is its name.
    enum Field: String {
        case name, role, scope, collection, expires

        var label: ConsoleText {
            switch self {
            case .name: .personName
            case .role: .role
            case .scope: .scopes
            case .collection: .collections
            case .expires: .expires
            }
        }
    }

    private var all = [Fault]()
    var isEmpty: Bool { all.isEmpty }

    init() {}

    /// - Parameter problem: of the API.
    init(_ problem: JSONValue?) {
        let errors = problem?["errors"]?.elements ?? []
        for (place, finding) in FormFindings(problem).all.enumerated() {
            let pointer = place < errors.count ? errors[place]["pointer"]?.text ?? "" : ""
            let detail = finding.detail
            let segment =
                pointer.isEmpty
                ? ["name", "scopes"].first { detail.contains("\"\($0)\"") } ?? ""
                : pointer.utf8.split(separator: UInt8(ascii: "/")).first.map {
                    String(decoding: $0, as: UTF8.self)
                } ?? ""
            let field = Self.fields[segment]
            all.append(Fault(field: field, finding: finding, text: Self.text(field, finding.rule)))
        }
    }

    private static let fields: [String: Field] = [
        "name": .name, "role": .role, "scopes": .scope, "collections": .collection,
        "expires": .expires,
    ]

    private static func text(_ field: Field?, _ rule: String) -> ConsoleText? {
        let isMissing = rule == "unset-value" || rule == "missing-key"
        switch field {
        case .name where isMissing: return .nameMissing
        case .scope where isMissing: return .scopeMissing
        case .expires: return .expiresWrong
        default: return nil
        }
    }

    /// The faults of a field, to stand beside it.
    subscript(field: Field) -> [FormField.Fault] { all.filter { $0.field == field }.map(\.shown) }

    /// The summary above the form, with links to its fields.
    func write(_ page: inout PageWriter) {
        guard !isEmpty else { return }
        page.faults { page in
            page.raw("<ul>\n")
            for fault in all {
                page.raw("<li>")
                if let field = fault.field {
                    page.field(field.rawValue, field.label)
                    page.raw(": ")
                }
                page.fault(fault.shown)
                page.raw("</li>\n")
            }
            page.raw("</ul>\n")
        }
    }
}
