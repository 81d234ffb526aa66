import Associations

/// The paths and groups of intent filters beside rules of a site, one on each line: `r` or `R` and a rule that opens or
/// excludes, its path, and behind tabs a query (an item where that has `=`) and a fragment; `=` or `!` for the
/// beginning of a group that allows or blocks, `-` for that of another filter, and for a pattern its part
/// (`p`, `q`, `f`) and its kind (`l`, `p`, `s`, `x`, `a`). What a comparison finds, the filters must decide so.
@Sendable func readPatterns(_ bytes: [UInt8]) {
    let input = measure { PatternInput(bytes) }
    let rules = ManifestRules(input.filters, leastAPI: ManifestRules.apiOfGroups)
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
    private(set) var filters = [ManifestFilter]()
    private var paths = [ManifestFilter.Pattern]()
    private var groups = [ManifestFilter.Group]()
    private var group:
        (allows: Bool, patterns: [(part: ManifestFilter.Group.Part, ManifestFilter.Pattern)])?

    init(_ bytes: [UInt8]) {
        // As many as an app may declare.
        for line in bytes.split(separator: 0x0A, maxSplits: 2_000) { read(line) }
        endFilter()
    }

    private mutating func endFilter() {
        endGroup()
        filters.append(
            ManifestFilter(
                isForLinks: true, isVerified: true, schemes: [.known("https")],
                authorities: [.init(host: .known(host), port: nil)], paths: paths, groups: groups))
        (paths, groups) = ([], [])
    }

    /// A rule with a path, and with a query and a fragment where the text has them.
    private static func rule(_ text: String, excludes: Bool) -> RuleText {
        let parts = text.utf8.split(separator: 0x09, maxSplits: 2, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        return RuleText(
            path: parts[0], query: parts.count > 1 ? pattern(parts[1]) : nil,
            fragment: parts.count > 2 ? parts[2] : nil, exclude: excludes)
    }

    private static func pattern(_ query: String) -> QueryPattern {
        let parts = query.utf8.split(
            separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return .whole(query) }
        return .items([
            QueryItemPattern(
                name: String(Substring(parts[0])), pattern: String(Substring(parts[1])))
        ])
    }

    private mutating func read(_ line: ArraySlice<UInt8>) {
        let text = String(decoding: line.dropFirst(), as: UTF8.self)
        switch line.first {
        case UInt8(ascii: "r"), UInt8(ascii: "R"):
            rules.append(Self.rule(text, excludes: line.first == UInt8(ascii: "R")))
        case UInt8(ascii: "-"): endFilter()
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
