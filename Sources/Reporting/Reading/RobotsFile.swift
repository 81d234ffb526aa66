import URISyntax
import Markup

/// A robots.txt (RFC 9309).
package struct RobotsFile: Sendable {
    let groups: [Group]

    struct Group: Sendable {
        /// Product tokens in lower case, or `*`.
        var agents: [String]
        var rules: [Rule]
    }

    struct Rule: Sendable {
        let isAllowed: Bool
        let pattern: RobotsPattern
        let line: Int
    }

    /// Reads any bytes; lines that are not rules are passed over.
    package init(_ bytes: [UInt8]) {
        var groups = [Group]()
        var isCollectingAgents = false
        for (number, line) in Self.lines(bytes.prefix(Self.bytesMax)).enumerated() {
            guard let (key, value) = Self.record(line) else { continue }
            switch key {
            case "user-agent":
                if !isCollectingAgents { groups.append(Group(agents: [], rules: [])) }
                isCollectingAgents = true
                groups[groups.count - 1].agents += Self.agent(value).map { [$0] } ?? []
            case "allow", "disallow":
                isCollectingAgents = false
                guard !groups.isEmpty, !value.isEmpty else { continue }
                groups[groups.count - 1].rules.append(
                    Rule(
                        isAllowed: key == "allow", pattern: RobotsPattern(value), line: number + 1))
            default: break
            }
        }
        self.groups = groups
    }

    /// Crawlers must read this much, and need read no more (§2.5).
    package static let bytesMax = 500 * 1_024

    private static func lines(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
        return start.split(omittingEmptySubsequences: false) { $0 == 0x0A }.flatMap { line in
            // CR alone also ends a line; the CR of a CRLF does not end another one.
            (line.last == 0x0D ? line.dropLast() : line)
                .split(omittingEmptySubsequences: false) { $0 == 0x0D }
        }
    }

    private static func record(_ line: ArraySlice<UInt8>) -> (key: String, value: [UInt8])? {
        let content = line.prefix { $0 != UInt8(ascii: "#") }
        guard let colon = content.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let key = trimmed(String(decoding: content[..<colon], as: UTF8.self)).lowercased()
        let value = content[(colon + 1)...]
        guard let first = value.firstIndex(where: { !$0.isHTMLSpace }),
            let last = value.lastIndex(where: { !$0.isHTMLSpace })
        else { return (key, []) }
        return (key, Array(value[first...last]))
    }

    /// A product token ends where its version begins.
    private static func agent(_ value: [UInt8]) -> String? {
        if value.first == UInt8(ascii: "*") { return "*" }
        let token = value.prefix { $0.isLetter || $0 == 0x2D || $0 == 0x5F }
        return token.isEmpty ? nil : String(decoding: token, as: UTF8.self).lowercased()
    }
}

/// A crawler, and the groups that it obeys.
package enum Crawler: String, Sendable {
    case applebot = "Applebot"
    case googlebot = "Googlebot"
    /// One that is named nowhere.
    case other = "*"

    /// The first of these that has a group decides. Applebot's second choice is Apple's own rule.
    fileprivate var agents: [String] {
        switch self {
        case .applebot: ["applebot", "googlebot", "*"]
        case .googlebot: ["googlebot", "*"]
        case .other: ["*"]
        }
    }
}

/// Whether a crawler may fetch a path, and the rule that decides.
package struct RobotsVerdict: Hashable, Sendable {
    package let isAllowed: Bool
    /// The group that was obeyed: a product token in lower case, or `*`; nil if there is none.
    package let agent: String?
    /// The line of the rule; nil if none matches, which allows the path.
    package let line: Int?
}

extension RobotsFile {
    /// The longest rule that matches decides, of two as long the one that allows (§2.2.2).
    /// - Parameter target: path and query, as a request would name them.
    package func verdict(_ crawler: Crawler, _ target: String) -> RobotsVerdict {
        let agent = crawler.agents.first { agent in groups.contains { $0.agents.contains(agent) } }
        guard let agent, target != "/robots.txt" else {
            return RobotsVerdict(isAllowed: true, agent: agent, line: nil)
        }
        let text = RobotsPattern.normalized(Array(target.utf8), isPattern: false)
        var best: Rule?
        for rule in groups.filter({ $0.agents.contains(agent) }).flatMap(\.rules) {
            let length = best?.pattern.length ?? -1
            let isBetter =
                rule.pattern.length > length
                || (rule.pattern.length == length && rule.isAllowed && best?.isAllowed == false)
            if isBetter, rule.pattern.matches(text) { best = rule }
        }
        return RobotsVerdict(isAllowed: best?.isAllowed ?? true, agent: agent, line: best?.line)
    }
}
