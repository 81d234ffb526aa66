/// The links that rules open and a manifest does not take, and the reverse, for one host. A slash at the end of
/// a path makes no difference to rules, so a link counts as taken in either form; those that are not taken as their
/// rule writes them are listed by themselves.
package struct ManifestComparison: Sendable {
    /// The rules that open links which the manifest does not take, in order, each with an example.
    package private(set) var untaken = [(rule: Int, link: String)]()
    /// The rules for one path that the manifest takes only in its other form, with or without a slash at the end, in
    /// order, each with the link as it is written.
    package private(set) var takenOtherwise = [(rule: Int, link: String)]()
    /// Links that the manifest takes, for whose path no rule opens a link. At most one for each part of the
    /// manifest.
    package private(set) var unpublished = [(taker: ManifestLinks.Taker, link: String)]()
    /// Whether all are found.
    package private(set) var isComplete = true

    /// - Parameters:
    ///   - rules: those of a file without variables of its own.
    ///   - stepsLeft: for automata; those that were taken are subtracted.
    package init(_ rules: [RuleText], _ links: ManifestLinks, host: String, _ stepsLeft: inout Int)
    {
        let all = ComparedList(AppRules(appID: "", rules: rules), Variables([]), [])
        let narrowed = rules.contains { !$0.isPathAlone }
        let ofPaths =
            narrowed
            ? ComparedList(
                AppRules(appID: "", rules: rules.compactMap(\.forPathAlone)), Variables([]), [])
            : all
        var search = Search(all: all, ofPaths: ofPaths, links: links)
        for (number, rule) in rules.enumerated() where !rule.exclude {
            guard let link = rule.example(host: host, all.variables) else { continue }
            guard search.work < stepsLeft else { break }
            search.examine(link)
            if rule.isForOnePath, search.takesOnlyOtherForm(link, ofRule: number) {
                takenOtherwise.append((number, link))
            }
        }
        let patterns = links.patterns
        let examples = (links.paths.patterns + links.patterns(for: .path)).compactMap(\.examplePath)
        for path in examples where !hasEmptySegment(path) && search.work < stepsLeft {
            search.examine("https://\(host)\(path)")
        }
        stepsLeft -= search.work
        let scalars = patterns.scalars.count
        let length = patterns.reduce(0) { $0 + $1.text.utf8.count }
        for side in narrowed ? [all, ofPaths] : [all] {
            guard scalars <= Self.scalarsMax else {
                isComplete = false
                break
            }
            stepsLeft -= 2_000 + 300 * (rules.count + patterns.count)
            stepsLeft -= length + scalars
            guard stepsLeft > 0 else {
                isComplete = false
                break
            }
            let sampler = LinkSampler(
                [side.sampled], beside: links, host: host, stepsMax: stepsLeft)
            stepsLeft -= sampler.steps
            if !sampler.isComplete { isComplete = false }
            let before = search.work
            for sample in sampler.samples
            where search.work - before >= stepsLeft || !search.confirms(sample, side) {
                isComplete = false
            }
            stepsLeft -= search.work - before
        }
        untaken = search.untaken.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        unpublished = search.unpublished
    }

    /// The characters beyond ASCII, and those behind them, that patterns may distinguish: each state of an automaton has a
    /// number for each.
    package static let scalarsMax = 2_000

    /// The differences that were found so far. Each counts only if the matchers confirm it.
    private struct Search {
        let all: ComparedList
        let ofPaths: ComparedList
        private var links: ManifestLinkIndex
        /// The elements of patterns that links were held against.
        var work: Int { links.work }
        var untaken = [Int: String]()
        var unpublished = [(taker: ManifestLinks.Taker, link: String)]()
        private var known = Set<ManifestLinks.Taker>()

        init(all: ComparedList, ofPaths: ComparedList, links: ManifestLinks) {
            (self.all, self.ofPaths) = (all, ofPaths)
            self.links = ManifestLinkIndex(links)
        }

        mutating func examine(_ link: String) {
            guard let url = try? LinkURL(link), let decoded = AndroidLink(url) else { return }
            let decision = all.decide(url)
            if decision.verdict == .open, let rule = decision.rule, untaken[rule] == nil,
                !links.takesEitherForm(decoded)
            {
                untaken[rule] = link
            }
            guard let taker = links.taker(of: decoded), ofPaths.decide(url).verdict != .open else {
                return
            }
            if known.insert(taker).inserted { unpublished.append((taker, link)) }
        }

        /// Whether a rule opens a link that the manifest takes only with another end of its path.
        mutating func takesOnlyOtherForm(_ link: String, ofRule rule: Int) -> Bool {
            guard let url = try? LinkURL(link), let decoded = AndroidLink(url),
                links.taker(of: decoded) == nil, links.takesEitherForm(decoded)
            else { return false }
            let decision = all.decide(url)
            return decision.verdict == .open && decision.rule == rule
        }

        /// Takes a sample into account.
        /// - Returns: whether the matchers decide it as the automata do.
        mutating func confirms(_ sample: LinkSampler.Sample, _ side: ComparedList) -> Bool {
            guard let url = try? LinkURL(sample.link), let link = AndroidLink(url),
                side.decide(url).rule == sample.rules[0],
                links.takesEitherForm(link) == (sample.rules[1] != nil)
            else { return false }
            examine(sample.link)
            // The manifest may take the path in its other form only.
            var other = url.bytes
            let end = url.pathRange.upperBound
            if link.path.last != UInt16(UInt8(ascii: "/")) {
                other.insert(UInt8(ascii: "/"), at: end)
            } else if link.path.count > 1 {
                other.remove(at: end - 1)
            }
            examine(String(decoding: other, as: UTF8.self))
            return true
        }
    }
}

/// Whether a path has two slashes in a row, which are left out.
private func hasEmptySegment(_ path: String) -> Bool {
    let slash = UInt8(ascii: "/")
    return zip(path.utf8, path.utf8.dropFirst()).contains { $0 == slash && $1 == slash }
}

extension RuleText {
    /// Whether its path has no pattern.
    fileprivate var isForOnePath: Bool {
        path.map { !$0.utf8.contains(where: "*?$".utf8.contains) } ?? false
    }

    /// The rule for paths of which some link matches it; nil if it excludes only a part of a path's links.
    fileprivate var forPathAlone: RuleText? {
        guard !isPathAlone else { return self }
        guard !exclude else { return nil }
        var rule = self
        (rule.query, rule.fragment) = (nil, nil)
        return rule
    }
}
