import Associations
import Diagnostics
import SiteConfiguration

// A configured Content-Security-Policy is sent with generated pages in place of their own one.

extension Site {
    /// Policies of `headers` under which generated pages have neither style nor script.
    var landingPolicies: [Diagnostic] {
        let policies = headers.flatMap { rule in
            rule.fields.filter { $0.isNamed("Content-Security-Policy") }.map { (rule, $0) }
        }
        guard !policies.isEmpty else { return [] }
        let matcher = RuleMatcher(policies.map { $0.0.patterns.map { RuleText(path: $0) } })
        var known = Set<Int>()
        return landingExamples.compactMap { example in
            guard let url = try? LinkURL(example), let first = matcher.opening(url).first,
                known.insert(first).inserted
            else { return nil }
            let field = policies[first].1
            let blocked = [("style", "style-src"), ("script", "script-src")].filter {
                !field.value.allowsInline($0.1)
            }
            guard !blocked.isEmpty else { return nil }
            let directives = blocked.map { "`\($0.1) 'unsafe-inline'`" }
            return Diagnostic(
                .warning, .landingPolicy, at: field.position,
                "this policy blocks the \(blocked.map(\.0).joined(separator: " and the ")) of "
                    + "generated pages, such as \(example)",
                advice: "allow \(directives.joined(separator: " and ")), or give `match` other "
                    + "paths; without a policy here, the pages have one that fits")
        }
    }

    /// A URL of each link with a generated page, and one that no link claims if it has one, too.
    private var landingExamples: [String] {
        let host = hosts.first.map { "\($0)" } ?? "localhost"
        let links = webLinks.filter(\.hasLanding).compactMap { link in
            link.components.first { !$0.exclude }.flatMap {
                RuleText($0).exampleLink(host: host)
            }
        }
        return links + (unmatched.isLanding ? ["https://\(host)/x"] : [])
    }
}

extension String {
    /// Whether a Content-Security-Policy with this text allows what a page contains itself (CSP 3,
    /// §6.7.3). Whether a hash in it is the right one is not known here.
    fileprivate func allowsInline(_ directive: String) -> Bool {
        var directives = [String: [String]]()
        for part in lowercased().utf8.split(separator: UInt8(ascii: ";")) {
            let words = part.split { $0 == 0x20 || $0 == 0x09 }.map {
                String(decoding: $0, as: UTF8.self)
            }
            guard let name = words.first, directives[name] == nil else { continue }
            directives[name] = Array(words.dropFirst())
        }
        let names = ["\(directive)-elem", directive, "default-src"]
        guard let sources = names.lazy.compactMap({ directives[$0] }).first else { return true }
        let hasHash = sources.contains { $0.utf8.starts(with: "'sha".utf8) }
        let hasNonce = sources.contains { $0.utf8.starts(with: "'nonce-".utf8) }
        return hasHash || (sources.contains("'unsafe-inline'") && !hasNonce)
    }
}
