/// Which rules are worth a look for a URL.
struct RuleIndex: Sendable {
    private let always: [UInt64]

    init(_ rules: [CompiledRule]) {
        always = .init(repeating: .max, count: (rules.count + 63) / 64)
    }

    func findCandidates(_ scratch: inout MatchScratch) {
        scratch.candidates = always
    }
}
