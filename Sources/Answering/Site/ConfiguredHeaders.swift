import Associations
import SiteConfiguration
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
