import Answering
import ArgumentParser
import Associations
import Diagnostics
import HTTPClient
import Origin
import Resolution
import Reviewing
import SiteConfiguration
import Snapshots
import Sockets
import URISyntax

/// Explains any number of links of one environment.
struct Explainer {
    let environment: Environment
    let origin: PredictedOrigin
    /// Nil if no origin is asked for stored links.
    let lookup: StoredLookup?
    /// Of the request; nil is now.
    let time: Timestamp?
    /// The rules of each site's association files, by the site's number.
    let rules: [(apple: LinkRules?, android: LinkRules?)]

    init(
        _ environment: Environment, _ origin: PredictedOrigin, _ lookup: StoredLookup?,
        at time: Timestamp?
    ) throws {
        (self.time, self.lookup) = (time, lookup)
        self.environment = environment
        self.origin = origin
        rules = try origin.snapshot.sites.sites.map { prepared in
            (prepared.source.appleRules, try prepared.source.androidRules)
        }
    }

    /// The reason why a link is not explained: its host answers the API, which has a store and
    /// tokens that no prediction knows. Nil for other links.
    func fault(ofLink text: String) -> String? {
        guard let host = (try? LinkURL(text))?.requestedHost,
            environment.apiHosts.contains(where: { "\($0.name)" == host })
        else { return nil }
        return
            "host \(quoted(host)) is one of `api-hosts`: it answers the API, and no links; ask the "
            + "origin, as docs/api.md describes"
    }

    func report(_ text: String, client: String?, _ agent: String) throws -> LinkReport {
        let url = try LinkURL(text)
        let visitor = Visitor(userAgent: agent)
        let number = origin.snapshot.sites.number(of: url.requestedHost)
        // Without a site, only the environment's first step is shown, which every site has.
        let prepared = origin.snapshot.sites.sites[number ?? 0]
        let owner = prepared.source.name == nil ? "the environment" : "the site"
        let (apps, note) =
            number.map { answers(for: url, visitor, rules[$0], of: owner) }
            ?? ([], environment.lacks(host: url.requestedHost))
        func explanation() -> RequestExplanation {
            RequestExplanation(
                url, visitor, prepared.source, prepared.router, prepared.linkResolver,
                at: time?.seconds ?? Clock.unixSeconds, stored: lookup?.index,
                answersApps: environment.store != nil)
        }
        var steps = explanation()
        if let lookup, let asked = steps.askedByApp {
            try lookup.find(asked)
            origin.use(lookup.index)
        }
        if let lookup, steps.decision?.reason == .unknownSlug {
            try lookup.find(url.requested)
            origin.use(lookup.index)
            steps = explanation()
        }
        let response = origin.get(url, userAgent: agent, at: time)
        var caveats = number == nil ? [] : caveats(url, visitor, steps, prepared.source)
        if lookup == nil, steps.askedByApp != nil, response.status == 503 {
            caveats.append(
                "the response is that of an origin which cannot read its links yet; --admin asks a "
                    + "running origin")
        }
        return LinkReport(
            url: text, client: client ?? (agent.isEmpty ? "a client without a name" : agent),
            userAgent: agent, environment: environment.name, host: url.requestedHost,
            time: time, visitor: visitor, hasSite: number != nil, apps: apps, appsNote: note,
            steps: steps, response: response, caveats: caveats)
    }

    /// The results of the association file for this client, and a note if there are none or if they
    /// depend on something.
    private func answers(
        for url: LinkURL, _ visitor: Visitor,
        _ files: (apple: LinkRules?, android: LinkRules?), of owner: String
    ) -> ([AppAnswer], String?) {
        if visitor.kind == .person, visitor.platform == .android {
            return androidAnswers(for: url, visitor, files.android, of: owner)
        }
        guard let rules = files.apple else { return ([], "\(owner) publishes no iOS app") }
        let answers = { rules.verdicts(for: url) }
        switch visitor.appleRules {
        case .decide: return (answers(), nil)
        case .decideOnIPad:
            return (
                answers(),
                "Safari on an iPad identifies itself as Safari on a Mac; on an iPad:"
            )
        case .overruled(let browser): return (answers().map { $0.kept(byBrowserOf: browser) }, nil)
        case .irrelevant(let reason): return ([], reason)
        }
    }

    /// The results of assetlinks.json. Android must have verified the host for the app, and the
    /// app's manifest must list the host.
    private func androidAnswers(
        for url: LinkURL, _ visitor: Visitor, _ androidRules: LinkRules?, of owner: String
    ) -> ([AppAnswer], String?) {
        guard let androidRules else { return ([], "\(owner) publishes no Android app") }
        let answers = androidRules.verdicts(for: url)
        if let browser = visitor.inAppBrowser {
            return (answers.map { $0.kept(byBrowserOf: browser) }, nil)
        }
        guard androidRules.answers(for: url) else { return (answers, nil) }
        let hasRules = answers.contains { !$0.isManifest }
        return (
            answers,
            "on a device that has verified host \(url.requestedHost) for the app"
                + (hasRules
                    ? "; only Android 15 and later have dynamic rules, which narrow the app's "
                        + "manifest:" : ":")
        )
    }

    private func caveats(
        _ url: LinkURL, _ visitor: Visitor, _ steps: RequestExplanation, _ site: Site
    ) -> [String] {
        var caveats = visitor.caveats(steps.decision, site)
        if steps.timed.contains(where: site.publishes) {
            caveats.append(
                "`from` and `until` are for browsers: an app that has the link opens it at any "
                    + "time, because association files do not change with time")
        }
        if visitor.kind == .person, visitor.platform == .android,
            site.associations.assetlinks != nil, let port = url.portCaveat(.android)
        {
            caveats.append(port)
        }
        return caveats
    }
}
