internal import JSONSyntax

/// The visits of a period, as the API has counted them.
struct VisitCount {
    let answer: ConsoleAPI.Answer
    let pivot: VisitPivot
    /// The number of visits, also of those that do not say where they came from. Each counts once.
    let sum: Int
    /// The number of visits that say where they came from, which alone have rows then; nil where each visit has a row.
    let saidReferrer: Int?

    /// - Parameter isBefore: whether the period directly before is meant.
    init(_ choice: VisitChoice, _ api: ConsoleAPI, isBefore: Bool = false) {
        func ask(_ names: [String]) -> ConsoleAPI.Answer {
            api.ask("GET", ["visits"], query: choice.query(by: names, isBefore: isBefore))
        }
        let names = choice.dimensions
        answer = ask(names)
        // A link with several tags is in several rows, or columns.
        let areTagsColumns = names.count == 2 && names[1] == "tag"
        let isOfAll = !names.contains("tag") && !choice.isOfReferrers
        let whole =
            answer.isSuccess && !isOfAll
            ? ask(areTagsColumns ? [names[0]] : ["day"]).json : answer.json
        pivot = VisitPivot(answer.json, by: names, whole: areTagsColumns ? whole : nil)
        func visits(_ answer: JSONValue?) -> Int {
            (answer?["rows"]?.elements ?? []).reduce(0) { $0 + ($1["visits"]?.count ?? 0) }
        }
        sum = visits(whole)
        saidReferrer = choice.isOfReferrers ? visits(answer.json) : nil
    }
}
