import Diagnostics
import JSONSyntax

extension AuthorityTurn {
    /// The turn in a record; the beginning if the record has none.
    init(_ json: JSONValue?) {
        authority = json?["authority"]?.text
        failures = max(0, number(json?["failures"]) ?? 0)
        rehearsals = max(0, number(json?["rehearsals"]) ?? 0)
        isRehearsed = json?["rehearsed"]?.boolean ?? false
        isSecondRound = json?["secondRound"]?.boolean ?? false
    }

    /// Nil at the beginning.
    var json: JSONText? {
        guard self != AuthorityTurn() else { return nil }
        let all: [(key: String, value: JSONText?)] = [
            ("authority", authority.map(JSONText.string)), ("failures", .number(failures)),
            ("rehearsals", .number(rehearsals)), ("rehearsed", .boolean(isRehearsed)),
            ("secondRound", .boolean(isSecondRound)),
        ]
        return .object(all.compactMap { key, value in value.map { (key: key, value: $0) } })
    }
}
