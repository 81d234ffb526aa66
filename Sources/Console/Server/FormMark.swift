private import Diagnostics
private import JSONSyntax
private import TLS
private import URISyntax

/// The number of the last change when a page was shown, which its forms send. A form that is sent again, as browsers do
/// when a page is loaded anew, finds by it what was done meanwhile.
struct FormMark {
    static let name = "mark"

    /// A chance text if the changes cannot be read: only a form that is sent again itself is found then.
    private let text: String

    init(_ api: ConsoleAPI) {
        let answer = api.ask("GET", ["audit"])
        let last = answer.json?["entries"]?.elements?.first?["number"]?.count
        text = answer.isSuccess ? "\(last ?? 0)" : "none.\(UInt64.random(in: 0 ... .max))"
    }

    var items: [(String, String)] { [(Self.name, text)] }

    /// The field by which the API does something once for a form. `isDone` is not enough: while the form is sent again, perhaps to
    /// another node, what it does is no change yet.
    static func fields(_ action: String, _ request: ConsoleRequest) -> [String: String] {
        let mark = request.value(name)
        guard !mark.isEmpty else { return [:] }
        return ["once": base64URL(sha256(Array("\(mark)\n\(action)".utf8)))]
    }

    /// Whether findings of the API say that the same form has done something before.
    static func wasHandled(_ findings: FormFindings?) -> Bool {
        findings?.all.contains { $0.rule.isScalarwise("idempotency-key-reused") } == true
    }

    /// Whether this was done after the page of the form was shown; also where so much has happened since that it is not looked for.
    static func isDone(_ action: String, _ request: ConsoleRequest, _ api: ConsoleAPI) -> Bool {
        guard let mark = Int(request.value(name)) else { return false }
        var before = Int?.none
        for _ in 0..<pagesMax {
            let answer = api.ask(
                "GET", ["audit"], query: before.map { [("before", "\($0)")] } ?? [])
            guard answer.isSuccess else { return false }
            let entries = answer.json?["entries"]?.elements ?? []
            for entry in entries {
                guard let number = entry["number"]?.count, number > mark else { return false }
                if entry["action"]?.text?.isScalarwise(action) == true { return true }
            }
            guard answer.fields["Link"] != nil, let last = entries.last?["number"]?.count else {
                return false
            }
            before = last
        }
        return true
    }

    /// Of a hundred changes each.
    private static let pagesMax = 10
}
