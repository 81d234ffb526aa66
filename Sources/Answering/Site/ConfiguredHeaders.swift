import Associations
package import SiteConfiguration
import URISyntax

/// The response header fields that a site's configuration sets for public files and pages.
struct ConfiguredHeaders: Sendable {
    private let rules: [HeaderRule]
    private let matcher: RuleMatcher
    private let origin: String

    init(_ site: Site) {
        rules = site.headers
        matcher = RuleMatcher(rules.map { $0.patterns.map { RuleText(path: $0) } })
        origin = "https://\(site.hosts.first?.description ?? "localhost")"
    }

    /// The fields for a path, percent-encoded; those of the first rule come first.
    func fields(for path: String) -> [ConfiguredField] {
        guard !rules.isEmpty, let url = try? LinkURL(origin + path) else { return [] }
        var fields = [ConfiguredField]()
        for field in matcher.opening(url).flatMap({ rules[$0].fields })
        where !fields.contains(where: { $0.isNamed(field.name) }) {
            fields.append(field)
        }
        return fields
    }
}

extension Site {
    /// The patterns of `headers` that match no public file and could match no generated page, with
    /// the number of their rule.
    /// - Parameter files: under the public directory, by their paths in it.
    package func unreachedHeaders(_ files: [String]) -> [(rule: Int, pattern: String)] {
        // A generated page answers every other path.
        switch unmatched {
        case .landing, .store: return []
        case .notFound, .page, .redirect: break
        }
        let patterns = headers.indices.flatMap { rule in
            headers[rule].patterns.map { (rule: rule, pattern: $0) }
        }
        guard !patterns.isEmpty else { return [] }
        let matcher = RuleMatcher(patterns.map { [RuleText(path: $0.pattern)] })
        var reached = Set<Int>()
        for file in files {
            guard let url = try? LinkURL("https://localhost" + URLPath.of(file: file)) else {
                continue
            }
            reached.formUnion(matcher.opening(url))
        }
        // A link has a page, at least for previews, at paths that its patterns match.
        let links = (webLinks + publications.flatMap(\.links)).flatMap(\.components)
            .filter { !$0.exclude }.map { literalStart($0.path ?? "*") }
        return patterns.enumerated().filter { number, item in
            let start = literalStart(item.pattern)
            return !reached.contains(number)
                && !links.contains { $0.starts(with: start) || start.starts(with: $0) }
        }.map(\.element)
    }
}

/// The text of a pattern before everything that is not itself, in lower case.
private func literalStart(_ pattern: String) -> [UInt8] {
    pattern.utf8.prefix { !"*?$%".utf8.contains($0) }.map { $0 | 0x20 }
}

extension [ConfiguredField] {
    /// Field lines in which these fields replace those of the same name.
    /// - Parameter isShared: whether everybody gets the response. How long a cache keeps another
    ///   one cannot be configured, because it is for one visitor only.
    func replacing(_ lines: [String], isShared: Bool) -> [String] {
        var lines = lines
        for field in self where isShared || !field.isNamed("Cache-Control") {
            // What asks search engines to list nothing must not be lost; the strictest line counts.
            if !field.isNamed("X-Robots-Tag") {
                lines.removeAll { line in
                    line.prefix { $0 != ":" }.lowercased() == field.name.lowercased()
                }
            }
            lines.append(field.line)
        }
        return lines
    }
}
