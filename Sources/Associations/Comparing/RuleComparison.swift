private import Diagnostics
private import URISyntax

/// The changes for one app between two versions of a file: which links start and which stop opening
/// it, each with an example that both matchers have decided, and which rules no longer decide any
/// link.
package struct RuleComparison: Sendable {
    package let appID: String
    /// The identifier in the old file, if the new file has another prefix for the same bundle.
    package let formerID: String?
    /// The entry of the app in each file; nil if there is none.
    package let old: AppRules?
    package let new: AppRules?
    package private(set) var changes = [LinkChange]()
    /// Rules of the new file that decide no link, but did before or are new.
    package private(set) var unreachable = [UnreachableRule]()
    /// Whether every difference was found. Two lists with many stars can have too many.
    package private(set) var isComplete = true

    /// A rule that decides no link.
    package struct UnreachableRule: Sendable {
        package let rule: RuleText
        /// Whether it matches no link at all, so that no earlier rule is the reason.
        package let matchesNothing: Bool
        /// The reason, if one of its patterns is at fault.
        package let fault: PatternFault?
    }

    /// Links of an app that change in the same way.
    package struct LinkChange: Sendable {
        package let starts: Bool
        /// The rule that opens them: in the new file or, for links that stop, in the old file. Nil
        /// for an entry that opens every link.
        package let rule: RuleText?
        /// The rule that decides them in the other file; nil if none does.
        package let counterpart: RuleText?
        /// Whether all links of the rule change, or only those of `counterpart`.
        package let isWhole: Bool
        package let example: String
    }

    /// The comparisons of all apps, including unchanged ones, with those of the old file first.
    /// - Parameter host: the host of the example links.
    package static func all(
        old: LinkRuleSet, new: LinkRuleSet, host: String
    ) -> [RuleComparison] {
        let (oldApps, newApps) = (old.apps, new.apps)
        var ids = [String]()
        for id in (oldApps + newApps).map(\.appID) where !ids.contains(where: id.isScalarwise) {
            ids.append(id)
        }
        let former = formerIDs(oldApps.map(\.appID), newApps.map(\.appID))
        return ids.filter { !former.values.contains($0) }.map { id in
            let oldID = former[id] ?? id
            return RuleComparison(
                id, former[id], oldApps.first { $0.appID.isScalarwise(oldID) },
                newApps.first { $0.appID.isScalarwise(id) }, old, new, host)
        }
    }

    /// For each new identifier, the removed one that differs only in the prefix; nothing if there
    /// are several.
    package static func formerIDs(_ old: [String], _ new: [String]) -> [String: String] {
        func bundle(_ id: String) -> Substring? {
            id.firstIndex(of: ".").map { id[$0...] }
        }
        func isAlone(_ id: String, _ others: [String]) -> Bool {
            others.count { bundle($0) == bundle(id) } == 1
        }
        let gone = old.filter { !new.contains($0) && isAlone($0, old) }
        let added = new.filter { !old.contains($0) && isAlone($0, new) }
        var former = [String: String]()
        for id in added where bundle(id) != nil {
            former[id] = gone.first { bundle($0) == bundle(id) }
        }
        return former
    }

    private init(
        _ id: String, _ formerID: String?, _ old: AppRules?, _ new: AppRules?,
        _ oldFile: LinkRuleSet,
        _ newFile: LinkRuleSet, _ host: String
    ) {
        (appID, self.formerID, self.old, self.new) = (id, formerID, old, new)
        let before = Side(old, oldFile)
        let after = Side(new, newFile)
        // Most apps do not change between two versions.
        guard !before.says(after) else { return }
        let sampler = LinkSampler([before.sampled, after.sampled], host: host)
        isComplete = sampler.isComplete
        var cells = [Cell]()
        for sample in sampler.samples {
            guard let cell = Cell(sample.link, before, after) else { continue }
            cells.append(cell)
            // A difference counts only if the matcher confirms the automaton's result.
            if [cell.old.rule, cell.new.rule] != sample.rules { isComplete = false }
        }
        if !isComplete {
            let links = [before, after].flatMap { side in
                side.rules.prefix(Self.examplesMax).compactMap {
                    $0.example(host: host, side.variables)
                }
            }
            cells += links.compactMap { Cell($0, before, after) }
        }
        group(cells, before, after, host)
        findUnreachable(cells, before, after)
    }

    /// If the automaton's limits are reached, the number of rules of each file whose own examples
    /// are compared.
    private static let examplesMax = 5_000

    // MARK: Deciding

    /// One file's rules for the app.
    private struct Side {
        let rules: [RuleText]
        let matcher: LinkMatcher
        let variables: Variables
        /// Whether the file has an entry for the app.
        let isThere: Bool

        init(_ app: AppRules?, _ file: LinkRuleSet) {
            isThere = app != nil
            rules = app?.rules ?? []
            matcher = LinkMatcher(app.map { [$0] } ?? [], variables: file.variables)
            variables = Variables(file.variables)
        }

        /// Whether both decide every link in the same way by the same rules.
        func says(_ other: Side) -> Bool {
            isThere == other.isThere && variables.own == other.variables.own
                && rules.elementsEqual(other.rules) { $0.identity == $1.identity }
        }

        var sampled: LinkSampler.Side { .init(rules: rules, variables: variables) }

        func decide(_ url: LinkURL) -> LinkDecision {
            guard !matcher.apps.isEmpty else { return .none }
            var scratch = MatchScratch()
            matcher.decide(url, &scratch)
            return matcher.decision(forApp: 0, scratch)
        }

        func rule(_ decision: LinkDecision) -> RuleText? { decision.rule.map { rules[$0] } }
    }

    /// A link, and its decision in both files.
    private struct Cell {
        let link: String
        let old: LinkDecision
        let new: LinkDecision

        init?(_ link: String, _ before: Side, _ after: Side) {
            guard let url = try? LinkURL(link) else { return nil }
            self.link = link
            old = before.decide(url)
            new = after.decide(url)
        }

        var differs: Bool { (old.verdict == .open) != (new.verdict == .open) }
    }

    private struct Pair: Hashable {
        let old: LinkDecision
        let new: LinkDecision
    }

    private mutating func group(_ cells: [Cell], _ before: Side, _ after: Side, _ host: String) {
        var seen = Set<Pair>()
        for cell in cells where cell.differs {
            guard seen.insert(Pair(old: cell.old, new: cell.new)).inserted else { continue }
            let starts = cell.new.verdict == .open
            let rule = starts ? after.rule(cell.new) : before.rule(cell.old)
            let decided = cells.filter { starts ? $0.new == cell.new : $0.old == cell.old }
            changes.append(
                LinkChange(
                    starts: starts, rule: rule,
                    counterpart: starts ? before.rule(cell.old) : after.rule(cell.new),
                    isWhole: decided.allSatisfy {
                        $0.differs && $0.old == cell.old && $0.new == cell.new
                    },
                    example: legible(rule, cell, before, after, host)))
        }
        // In the order in which reviewers read a file: by the rule that opens.
        let order = { (change: LinkChange) in (change.starts ? 0 : 1, change.rule?.line ?? 0) }
        changes.sort { order($0) < order($1) }
    }

    /// The link that a person would write for the rule. If this link has other decisions, the one
    /// that was found, with the escapes of browsers if they change nothing.
    private func legible(
        _ rule: RuleText?, _ cell: Cell, _ before: Side, _ after: Side, _ host: String
    ) -> String {
        let variables = cell.new.verdict == .open ? after.variables : before.variables
        let links = [
            (rule ?? RuleText(path: "*")).example(host: host, variables),
            assignedRegions(in: cell.link), capitalEscapes(in: cell.link),
        ]
        return links.compactMap(\.self).first { link in
            let other = Cell(link, before, after)
            return other?.old == cell.old && other?.new == cell.new
        } ?? cell.link
    }

    private mutating func findUnreachable(_ cells: [Cell], _ before: Side, _ after: Side) {
        guard isComplete else { return }
        let reachedBefore = Set(cells.compactMap(\.old.rule))
        let reachedAfter = Set(cells.compactMap(\.new.rule))
        for (index, rule) in after.rules.enumerated() where !reachedAfter.contains(index) {
            let wasUnreachable = before.rules.enumerated().contains { index, twin in
                twin.identity == rule.identity && !reachedBefore.contains(index)
            }
            if !wasUnreachable { unreachable.append(Self.unreachable(rule, after)) }
        }
    }

    private static func unreachable(_ rule: RuleText, _ side: Side) -> UnreachableRule {
        var variables = side.variables
        let fault = CompiledRule(rule, &variables).patterns.compactMap(\.fault).first
        let alone = LinkSampler([.init(rules: [rule], variables: side.variables)], host: "h")
        return UnreachableRule(
            rule: rule,
            matchesNothing: alone.isComplete && !alone.samples.contains { $0.rules == [0] },
            fault: fault)
    }
}

/// The link with a region that every system knows, in place of those that ISO does not assign.
private func assignedRegions(in link: String) -> String {
    let codes = ISOCodes.otherRegions
    var bytes = Array(link.utf8)
    for start in bytes.indices.dropLast() {
        let code = bytes[start...(start + 1)]
        guard codes.contains(where: { code.elementsEqual($0) }) else { continue }
        bytes.replaceSubrange(start...(start + 1), with: "US".utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
}

private func capitalEscapes(in link: String) -> String {
    var bytes = Array(link.utf8)
    for index in bytes.indices where bytes[index] == UInt8(ascii: "%") {
        for digit in bytes.indices[index...].dropFirst().prefix(2) where bytes[digit].isLetter {
            bytes[digit] &= 0xDF
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}

extension RuleText {
    /// The content of the rule without its position, in bytes, because canonically equivalent texts
    /// are different here.
    package var identity: [[UInt8]] {
        func part(_ text: String?) -> [UInt8] { text.map { Array($0.utf8) + [0] } ?? [] }
        let flags = [exclude, caseSensitive, percentEncoded, isLegacy, inheritsExclude]
        let texts = [flags.map { $0 ? UInt8(1) : 0 }, part(path), part(fragment)]
        return switch query {
        case nil: texts
        case .whole(let pattern): texts + [part(pattern)]
        case .items(let items): texts + items.flatMap { [part($0.name), part($0.pattern)] } + [[]]
        }
    }

    /// Characters that need no escape in a URL, and are not a wildcard in a pattern.
    private static let unescaped = Array(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/!$'(),;:@".utf8)

    /// A link that a person would write for the rule; it may not match.
    /// - Parameter variables: those of the rule's file; without them, a rule that uses some has no
    ///   example.
    func example(host: String, _ variables: Variables? = nil) -> String? {
        guard let path = filled(path ?? "/*", variables) else { return nil }
        var link = "https://\(host)" + (path.utf8.first == UInt8(ascii: "/") ? "" : "/") + path
        switch query {
        case .whole(let pattern): link += filled(pattern, variables).map { "?\($0)" } ?? ""
        case .items(let items):
            let pairs = items.compactMap { item in
                filled(item.pattern, variables).map { "\(item.name)=\($0)" }
            }
            link += "?" + pairs.joined(separator: "&")
        case nil: break
        }
        if let fragment, let text = filled(fragment, variables) { link += "#\(text)" }
        return link
    }

    /// The path of such a link, without a slash at its end; nil for a pattern with variables, and
    /// for a path that would mean little to people.
    package var examplePath: String? {
        guard var path = filled(path ?? "/*", nil), path.utf8.count <= Self.examplePathBytesMax
        else { return nil }
        if path.utf8.first != UInt8(ascii: "/") { path = "/" + path }
        if path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        return path
    }

    private static let examplePathBytesMax = 500

    /// A text for a pattern: with a word for each star, and a value for each variable.
    private func filled(_ pattern: String, _ variables: Variables?) -> String? {
        if variables == nil, pattern.utf8.contains(UInt8(ascii: "$")) { return nil }
        var bytes = [UInt8]()
        var wild = (marks: 0, hasStar: false)
        func endWild() {
            bytes +=
                wild.hasStar
                ? Array("example".utf8) : [UInt8](repeating: UInt8(ascii: "x"), count: wild.marks)
            wild = (0, false)
        }
        var items = patternItems(Array(pattern.utf8), variables: variables != nil, folded: false)[
            ...]
        while let item = items.popFirst() {
            switch item {
            case .any: wild.marks += 1
            case .star: wild.hasStar = true
            case .byte(let byte):
                endWild()
                let isEscaped = !percentEncoded && !Self.unescaped.contains(byte)
                if isEscaped { bytes.append(percentEncoded: byte) } else { bytes.append(byte) }
            case .variable(let name):
                endWild()
                guard let value = variables?.example(of: name) else { return nil }
                items.insert(
                    contentsOf: patternItems(value, variables: false, folded: false),
                    at: items.startIndex)
            case .unterminated: return nil
            }
        }
        endWild()
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The rule in one line: its path, query and fragment as written.
    package var summary: String {
        var parts = [String]()
        if let path { parts.append(path) }
        switch query {
        case .whole(let pattern): parts.append("?\(pattern)")
        case .items(let items):
            parts.append("?" + items.map { "\($0.name)=\($0.pattern)" }.joined(separator: "&"))
        case nil: break
        }
        if let fragment { parts.append("#\(fragment)") }
        return parts.isEmpty ? "*" : parts.joined(separator: " ")
    }
}
