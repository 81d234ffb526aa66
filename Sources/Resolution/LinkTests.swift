private import Associations
package import Diagnostics
package import SiteConfiguration

/// The result of one link test.
package struct LinkTestOutcome: Sendable {
    package let expectation: Expectation
    /// The name of the site that was tested; nil if there is only one.
    package let site: String?
    /// The differences; empty if the test passes.
    package let failures: [Failure]
    /// Why a part of the test was not run; nil if all of it was.
    package let skipped: String?

    /// An expectation that is not met.
    package struct Failure: Hashable, Sendable {
        /// `opens` or `gets`; `as` if there is no client with this name.
        package let key: String
        package let expected: String
        package let actual: String
        /// The reason for the actual result.
        package let reason: String?

        /// Expected and actual side by side.
        package var sentence: String {
            switch key {
            case "opens": "expected to open \(expected), opens \(actual)"
            case "gets": "expected to get \(expected), gets \(actual)"
            default: "there is no client \(quoted(expected))"
            }
        }
    }
}

extension Configuration {
    /// Runs the link tests of the configuration, with the matcher and the router that the origin
    /// uses.
    /// - Parameter files: the files of a site's public directory, by their paths in it; nil
    ///   if they cannot be read, so that responses are not known.
    package func runLinkTests(files: (Site) -> [String]?) -> [LinkTestOutcome] {
        var runners = [[String]: LinkTestRunner?]()
        return expectations.compactMap { expectation in
            guard let environment = environment(named: expectation.environment),
                let site = expectation.site(in: environment)
            else { return nil }
            let key = [environment.name, site.name ?? ""]
            let runner =
                runners[key]
                ?? files(site).map { LinkTestRunner(site, files: $0) }
            runners.updateValue(runner, forKey: key)
            return runner?.run(expectation)
                ?? LinkTestOutcome(
                    expectation: expectation, site: site.name, failures: [],
                    skipped: "the public directory cannot be read")
        }
    }
}

extension LinkTestOutcome {
    /// The message for a test that fails, with the expected and the actual result.
    package var diagnostics: [Diagnostic] {
        failures.map { failure in
            Diagnostic(
                .error, .expectationFailed, at: expectation.position,
                "\(expectation.url) in \(expectation.environment): \(failure.sentence)",
                advice: failure.reason)
        }
    }
}

/// One site of an environment, prepared for link tests.
private struct LinkTestRunner {
    let site: Site
    let router: Router
    let matcher: LinkMatcher
    /// The apps that are only on Android, by their keys: `publish` decides whether a link is
    /// theirs, and their manifests repeat it.
    let androidMatcher: LinkMatcher
    let resolver: LinkResolver

    init(_ site: Site, files: [String]) {
        self.site = site
        router = Router(site, files: files)
        matcher =
            AssociationReading(
                site.associations.aasa ?? Array("{}".utf8),
                file: "apple-app-site-association"
            ).matcher
        androidMatcher = LinkMatcher(site.publications.filter { $0.app.ios == nil })
        resolver = LinkResolver(site)
    }

    func run(_ expectation: Expectation) -> LinkTestOutcome {
        guard let url = try? LinkURL(expectation.url) else {
            return LinkTestOutcome(
                expectation: expectation, site: site.name, failures: [],
                skipped: "the URL is not a link")
        }
        var failures = [LinkTestOutcome.Failure]()
        if let opens = expectation.opens, let failure = checkApps(opens, url) {
            failures.append(failure)
        }
        let agent = expectation.profile.flatMap(VisitorProfile.userAgent)
        if let profile = expectation.profile, agent == nil {
            failures.append(
                .init(
                    key: "as", expected: profile, actual: "no client",
                    reason: VisitorProfile.advice(on: profile)))
        } else if let gets = expectation.gets,
            let failure = checkAnswer(gets, url.requested, agent ?? "")
        {
            failures.append(failure)
        }
        return LinkTestOutcome(
            expectation: expectation, site: site.name, failures: failures, skipped: nil)
    }

    // MARK: Apps

    private func checkApps(_ expected: [String], _ url: LinkURL) -> LinkTestOutcome.Failure? {
        let verdicts = matcher.verdicts(for: url)
        let opened =
            verdicts.filter { $0.verdict == .open }.flatMap { keys(of: $0.appID) }
            + androidMatcher.opens(url).map { androidMatcher.apps[$0].appID }
        guard Set(expected) != Set(opened) else { return nil }
        let odd = verdicts.first { verdict in
            keys(of: verdict.appID).contains { expected.contains($0) != opened.contains($0) }
                || (verdict.verdict == .open
                    && !expected.contains { keys(of: verdict.appID) == [$0] })
        }
        return .init(
            key: "opens", expected: list(expected), actual: list(opened),
            reason: odd.map { $0.verdict == .exclude ? "\($0.appID) \($0)" : "\($0)" })
    }

    /// The key of the app in the configuration, or its identifier if a ready file has more apps.
    private func keys(of id: String) -> [String] {
        let keys = site.apps.filter { $0.ios?.id.description == id }.map(\.key)
        return keys.isEmpty ? [id] : keys
    }

    private func list(_ apps: [String]) -> String {
        apps.isEmpty ? "no app" : apps.joined(separator: ", ")
    }

    // MARK: Answers

    private func checkAnswer(
        _ expected: Expectation.Outcome, _ url: LinkURL, _ agent: String
    ) -> LinkTestOutcome.Failure? {
        guard let actual = answer(url, agent), !expected.isMet(by: actual) else { return nil }
        return .init(
            key: "gets", expected: expected.description, actual: actual.description, reason: nil)
    }

    /// The origin's response; nil if only a running origin knows it.
    private func answer(_ url: LinkURL, _ agent: String) -> Expectation.Outcome? {
        guard url.target.utf8.count <= site.targetBytesMax else {
            return .init(status: 414, location: nil)
        }
        guard let decision = try? router.decide(url) else {
            return .init(status: 400, location: nil)
        }
        switch decision {
        case .resource(let number):
            // Whether there is a page to list depends on the content of the files.
            if case .sitemap = router.resources[number] { return nil }
            return .init(status: 200, location: nil)
        case .challenge: return nil
        case .redirectToHTTPS:
            let rest = url.description.utf8.dropFirst("http".utf8.count)
            return .init(status: 308, location: "https" + String(Substring(rest)))
        case .notFound, .unknownHost: return .init(status: 404, location: nil)
        case .unmatched:
            return outcome(resolver.decide(url, for: Visitor(userAgent: agent)).answer)
        }
    }

    private func outcome(_ answer: WebAnswer) -> Expectation.Outcome {
        switch answer {
        case .page: .init(status: 200, location: nil)
        case .landing(let offer), .summary(let offer):
            .init(status: offer.status, location: nil)
        case .redirect(let url):
            .init(status: 302, location: String(decoding: url, as: UTF8.self))
        case .notFound: .init(status: 404, location: nil)
        case .fallback: unmatched
        }
    }

    /// The response that does not depend on the visitor.
    private var unmatched: Expectation.Outcome {
        if case .page(_, let status, _) = site.unmatched {
            return .init(status: status, location: nil)
        }
        return .init(status: 404, location: nil)
    }
}

extension Expectation {
    /// The site of the link's host, or the first if there is none.
    fileprivate func site(in environment: Environment) -> Site? {
        let host = (try? LinkURL(url))?.requestedHost
        return host.flatMap(environment.site) ?? environment.sites.first
    }
}

extension Expectation.Outcome: CustomStringConvertible {
    /// An expected status without a URL is met by any URL.
    fileprivate func isMet(by actual: Self) -> Bool {
        status == actual.status && (location == nil || location == actual.location)
    }

    /// As in the configuration: the status, and the URL of a redirect.
    package var description: String { "\(status)" + (location.map { " \($0)" } ?? "") }
}
