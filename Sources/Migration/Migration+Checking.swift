import Associations
import Resolution
package import SiteConfiguration

extension Migration {
    /// Redirects for which the site does not answer as their line says, with a sample. Each is asked
    /// for with a word for every star.
    package func wrongRedirects(_ site: Site) -> [String] {
        let resolver = LinkResolver(site)
        let visitor = Visitor(userAgent: "")
        let host = site.hosts.first.map { "\($0)" } ?? "localhost"
        var scratch = LinkScratch()
        return links.compactMap { link in
            guard let source = link.source, let answer = link.answer,
                let rule = link.rules.first(where: { !$0.rule.exclude })?.rule,
                let example = rule.exampleLink(host: host), let url = try? LinkURL(example)
            else { return nil }
            let decision = resolver.decide(url, for: visitor, at: nil, &scratch)
            let decider = decision.link.map { resolver.links[$0] }
            if decider?.key == link.key, decision.answer.isKind(of: answer, link.status) {
                return nil
            }
            let other = decider.map { "link \($0.key)" } ?? "no link"
            return "\(source.file):\(source.line): \(example) is answered by \(other)"
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
