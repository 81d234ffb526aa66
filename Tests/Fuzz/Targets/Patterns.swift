import Associations

/// The paths and groups of an intent filter beside rules of a site, one on each line: `r` or `R` and the path of
/// a rule that opens or excludes, `=` or `!` for the beginning of a group that allows or blocks, and for a pattern its part
/// (`p`, `q`, `f`) and its kind (`l`, `p`, `s`, `x`, `a`). What a comparison finds, the filter must decide so.
@Sendable func readPatterns(_ bytes: [UInt8]) {
    let input = measure { PatternInput(bytes) }
    let rules = ManifestRules([input.filter], leastAPI: ManifestRules.apiOfGroups)
    let taken = measure { rules.links(ofHost: host) }
    var stepsLeft = stepsMax
    let comparison = measure {
        ManifestComparison(input.rules, taken.links, host: host, &stepsLeft)
    }
    require(stepsLeft > -4 * stepsMax, "\(stepsMax - stepsLeft) steps were taken")
    guard taken.reasons.isEmpty else { return }
    for (_, link) in comparison.untaken {
        guard let url = try? LinkURL(link) else { return require(false, "\(link) is no link") }
        require(rules.verdict(for: url) != .takes, "\(link) is taken")
    }
    for (_, link) in comparison.unpublished {
        guard let url = try? LinkURL(link) else { return require(false, "\(link) is no link") }
        require(rules.verdict(for: url) == .takes, "\(link) is not taken")
    }
}

private let host = "example.com"
private let stepsMax = 400_000

private struct PatternInput {
    private(set) var rules = [RuleText]()
    private var paths = [ManifestFilter.Pattern]()
    private var groups = [ManifestFilter.Group]()
    private var group:
        (allows: Bool, patterns: [(part: ManifestFilter.Group.Part, ManifestFilter.Pattern)])?

    init(_ bytes: [UInt8]) {
        // As many as an app may declare.
        for line in bytes.split(separator: 0x0A, maxSplits: 2_000) { read(line) }
        endGroup()
    }

    var filter: ManifestFilter {
        ManifestFilter(
            isForLinks: true, isVerified: true, schemes: [.known("https")],
            authorities: [.init(host: .known(host), port: nil)], paths: paths, groups: groups)
    }

    private mutating func read(_ line: ArraySlice<UInt8>) {
        let text = String(decoding: line.dropFirst(), as: UTF8.self)
        switch line.first {
        case UInt8(ascii: "r"): rules.append(RuleText(path: text))
        case UInt8(ascii: "R"): rules.append(RuleText(path: text, exclude: true))
        case UInt8(ascii: "="), UInt8(ascii: "!"):
            endGroup()
            group = (line.first == UInt8(ascii: "="), [])
        default: addPattern(line)
        }
    }

    private mutating func addPattern(_ line: ArraySlice<UInt8>) {
        let parts: [UInt8: ManifestFilter.Group.Part] = [
            UInt8(ascii: "p"): .path, UInt8(ascii: "q"): .query, UInt8(ascii: "f"): .fragment,
        ]
        let kinds: [UInt8: AndroidPattern.Kind] = [
            UInt8(ascii: "l"): .literal, UInt8(ascii: "p"): .prefix, UInt8(ascii: "s"): .simple,
            UInt8(ascii: "x"): .suffix, UInt8(ascii: "a"): .advanced,
        ]
        guard let part = line.first.flatMap({ parts[$0] }),
            let kind = line.dropFirst().first.flatMap({ kinds[$0] })
        else { return }
        let text = String(decoding: line.dropFirst(2), as: UTF8.self)
        guard let pattern = try? AndroidPattern(kind, text) else { return }
        if group != nil {
            group?.patterns.append((part, .known(pattern)))
        } else if case .path = part {
            paths.append(.known(pattern))
        }
    }

    private mutating func endGroup() {
        if let group, !group.patterns.isEmpty {
            groups.append(ManifestFilter.Group(allows: group.allows, group.patterns))
        }
        group = nil
    }
}
