import Associations
import Resolution
package import SiteConfiguration

extension Migration {
    /// Redirects for which the configuration does not answer as their line says, with a sample. Each
    /// is asked for with a word for every star. Of those whose links are all taken by an earlier
    /// line, which was translated exactly, the other server does not get to their line either.
    /// - Parameter hasPage: whether there is a public file with a URL path, which comes first.
    package func wrongRedirects(
        _ configuration: Configuration, hasPage: (String) -> Bool
    ) -> (wrong: [String], hidden: [String]) {
        let served = configuration.environments.first?.sites ?? []
        let resolvers = served.map(LinkResolver.init)
        let indices = Dictionary(
            served.enumerated().map { ($0.element.name ?? "", $0.offset) }, uniquingKeysWith: { $1 }
        )
        let visitor = Visitor(userAgent: "")
        var scratch = LinkScratch()
        var (wrong, hidden) = (OnePerLine(), OnePerLine())
        lazy var coverage = LinkCoverage(links)
        let exact = Set(links.filter { $0.source != nil && $0.isExact }.map(\.key))
        for link in links {
            guard let source = link.source, let answer = link.answer, let number = link.site,
                let index = sites.count == 1 ? 0 : indices[sites[number].name],
                let rule = link.rules.first(where: { !$0.rule.exclude })?.rule,
                let example = rule.exampleLink(
                    host: served[index].hosts.first.map { "\($0)" } ?? localHost),
                let url = try? LinkURL(example)
            else { continue }
            let place = "\(source.file):\(source.line): \(example) is answered by"
            let path = url.path.isEmpty ? "/" : url.path
            if hasPage(path), answer != .page(path) {
                wrong.add(source, "\(place) the public file \(path)")
                continue
            }
            let decision = resolvers[index].decide(url, for: visitor, at: nil, &scratch)
            let decider = decision.link.map { resolvers[index].links[$0] }
            if decider?.key == link.key {
                guard !decision.answer.isKind(of: answer, link.status) else { continue }
                wrong.add(source, "\(place) another answer of link \(link.key)")
            } else if let decider, exact.contains(decider.key) {
                // One sample says nothing of the other paths.
                guard coverage.isAll(of: link.key, takenBy: decider.key) else { continue }
                hidden.add(source, "\(place) link \(decider.key), which is before it")
            } else {
                wrong.add(source, "\(place) \(decider.map { "link \($0.key)" } ?? "no link")")
            }
        }
        return (wrong.messages, hidden.messages)
    }

    /// Messages of which each line of the files has one: a line can become several links.
    private struct OnePerLine {
        private(set) var messages = [String]()
        private var sources = Set<SourceLine>()

        mutating func add(_ source: SourceLine, _ message: String) {
            if sources.insert(source).inserted { messages.append(message) }
        }
    }
}

extension WebAnswer {
    fileprivate func isKind(of answer: RedirectRule.Answer, _ status: RedirectStatus) -> Bool {
        switch (self, answer) {
        case (.redirect(_, let own), .url), (.redirect(_, let own), .own): own == status
        case (.page, .page), (.notFound, .notFound), (.gone, .gone): true
        default: false
        }
    }
}
