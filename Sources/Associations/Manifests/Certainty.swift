/// A result that can be open.
enum Certainty: Hashable {
    case yes, no
    case open(String)

    /// Whether any holds.
    static func any(_ results: some Sequence<Certainty>) -> Certainty {
        var found = Certainty.no
        for result in results {
            if result == .yes { return .yes }
            if found == .no { found = result }
        }
        return found
    }

    static func all(_ results: some Sequence<Certainty>) -> Certainty {
        var found = Certainty.yes
        for result in results {
            if result == .no { return .no }
            if found == .yes { found = result }
        }
        return found
    }

    init(_ holds: Bool) { self = holds ? .yes : .no }
}
