private import Diagnostics
private import JSONSyntax

/// The number of the last change when a page was shown, which its forms send. A form that is sent again, as browsers do
/// when a page is loaded anew, finds by it what was done meanwhile.
struct FormMark {
    static let name = "mark"

    /// Nil if the changes cannot be read; nothing is found then.
    let text: String?

    init(_ api: ConsoleAPI) {
        let answer = api.ask("GET", ["audit"])
        let last = answer.json?["entries"]?.elements?.first?["number"]?.count
        text = answer.isSuccess ? "\(last ?? 0)" : nil
    }

    var items: [(String, String)] { text.map { [(Self.name, $0)] } ?? [] }

    /// Whether the last changes have this one, after the page of the form was shown.
    static func isDone(_ action: String, _ request: ConsoleRequest, _ api: ConsoleAPI) -> Bool {
        guard let mark = Int(request.value(name)) else { return false }
        let entries = api.ask("GET", ["audit"]).json?["entries"]?.elements ?? []
        return entries.contains { entry in
            (entry["number"]?.count ?? 0) > mark
                && entry["action"]?.text?.isScalarwise(action) == true
        }
    }
}
