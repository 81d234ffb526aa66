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
    package let changes: [LinkChange]
    /// Rules of the new file that decide no link, but did before or are new.
    package let unreachable: [UnreachableRule]
    /// Whether every difference was found. Lists with many stars can have too many, and so can many
    /// apps.
    package let isComplete: Bool

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
    /// - Parameters:
    ///   - host: the host of the example links.
    ///   - stepsMax: the work for all apps together. Apps that are unchanged cost nothing.
    package static func all(
        old: LinkRuleSet, new: LinkRuleSet, host: String, stepsMax: Int = Self.stepsMax
    ) -> [RuleComparison] {
        let former = FormerIdentifiers(old.apps.map(\.appID), new.apps.map(\.appID))
        let (before, after) = (old.appsByID, new.appsByID)
        var comparer = RuleSetComparer(old, new, host: host, stepsMax: stepsMax)
        var seen = Set<[UInt8]>()
        return (old.apps + new.apps).map(\.appID).filter { id in
            seen.insert(Array(id.utf8)).inserted && !former.isFormer(id)
        }.map { id in
            let (formerID, id) = (former[id], Array(id.utf8))
            let oldApp = before[formerID.map { Array($0.utf8) } ?? id]
            return RuleComparison(
                String(decoding: id, as: UTF8.self), formerID, oldApp, after[id],
                comparer.compare(oldApp, after[id]))
        }
    }

    /// This takes some seconds.
    package static let stepsMax = 60_000_000

    private init(
        _ id: String, _ formerID: String?, _ old: AppRules?, _ new: AppRules?,
        _ lists: RuleListComparison
    ) {
        (appID, self.formerID, self.old, self.new) = (id, formerID, old, new)
        (changes, unreachable, isComplete) = (lists.changes, lists.unreachable, lists.isComplete)
    }
}

extension LinkRuleSet {
    /// The first entry of each app, by the bytes of its identifier.
    fileprivate var appsByID: [[UInt8]: AppRules] {
        Dictionary(apps.map { (Array($0.appID.utf8), $0) }) { first, _ in first }
    }
}

/// The link with a region that every system knows, in place of those that ISO does not assign.
func assignedRegions(in link: String) -> String {
    let codes = ISOCodes.otherRegions
    var bytes = Array(link.utf8)
    for start in bytes.indices.dropLast() {
        let code = bytes[start...(start + 1)]
        guard codes.contains(where: { code.elementsEqual($0) }) else { continue }
        bytes.replaceSubrange(start...(start + 1), with: "US".utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
}

func capitalEscapes(in link: String) -> String {
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
