package import Diagnostics

/// Findings about sites. A finding that is the same in several environments, apart from their names
/// and hosts, is kept once, with the names of the others.
package struct SharedFindings {
    private var firsts = [Key: (finding: Diagnostic, site: DescribedSite)]()
    private var others = [Diagnostic: [String]]()

    /// The parts of a finding that are the same in all environments.
    private struct Key: Hashable {
        let rule: RuleName
        let severity: Severity
        let words: [UInt8]
        /// Nil for the position of the site itself, which may be that of its environment.
        let position: SourcePosition?
        let siteName: String?
    }

    package init() {}

    /// Whether a finding is the first of its kind. To another one, the site's name is added.
    /// - Parameter hosts: those of the site, which the message may name.
    package mutating func isFirst(
        _ finding: Diagnostic, of site: DescribedSite, hosts: [String] = []
    ) -> Bool {
        let isOwn = finding.position == site.position
        let name = isOwn ? nil : site.name
        let names = [quoted(site.environment)] + [name.map(quoted)].compactMap(\.self)
        let key = Key(
            rule: finding.rule, severity: finding.severity,
            words: hiding((names + hosts).map { Array($0.utf8) }, in: Array(finding.message.utf8)),
            position: isOwn ? nil : finding.position, siteName: isOwn ? site.name : nil)
        guard let (first, owner) = firsts[key] else {
            firsts[key] = (finding, site)
            return true
        }
        // An equal message names no site, so that its position is the whole cause.
        guard first != finding else { return false }
        let title = owner.name == site.name ? quoted(site.environment) : site.title
        if others[first, default: []].last != title { others[first, default: []].append(title) }
        return false
    }

    /// A first finding with the names of the others.
    package func whole(_ finding: Diagnostic) -> Diagnostic {
        guard let others = others[finding] else { return finding }
        let left = others.count - namesMax
        let names = others.prefix(namesMax) + (left > 0 ? ["\(left) more"] : [])
        return Diagnostic(
            finding.severity, finding.rule, at: finding.position,
            "\(finding.message); the same in \(inWords(Array(names), "and"))",
            advice: finding.advice)
    }
}

/// The facts about a site before its keys are read.
package struct DescribedSite {
    let name: String?
    let environment: String
    let position: SourcePosition
    /// Whether keys can come from elsewhere.
    var inherits = true

    /// Its title in findings.
    package var title: String {
        name.map { "site \(quoted($0)) in \(quoted(environment))" }
            ?? "environment \(quoted(environment))"
    }
}

/// The text with a zero in place of each name.
private func hiding(_ names: [[UInt8]], in text: [UInt8]) -> [UInt8] {
    var (hidden, rest) = ([UInt8](), text[...])
    while let byte = rest.first {
        let name = names.first { !$0.isEmpty && rest.starts(with: $0) }
        hidden.append(name == nil ? byte : 0)
        rest = rest.dropFirst(name?.count ?? 1)
    }
    return hidden
}

/// The most environments or sites that a finding names.
private let namesMax = 5
