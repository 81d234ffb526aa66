import Associations
import LinkIndex
import SiteConfiguration
private import URISyntax

/// One site of an environment, prepared for link tests.
final class LinkTestRunner {
    let site: Site
    let router: Router
    let matcher: LinkMatcher
    /// The statements of assetlinks.json. An app without dynamic rules opens what its manifest
    /// lists, which is known only if it is among `manifests`.
    let androidMatcher: LinkMatcher
    /// The manifests of Android apps, by package.
    let manifests: [String: SiteManifest]
    /// The sources of Apple's rules, by their JSON pointers.
    let ruleSources: [String: RuleSource]
    let resolver: LinkResolver
    let index: LinkIndex?
    private let answersApps: Bool

    /// - Parameter answersApps: whether the origin has a store, and tells apps what links say.
    init(_ site: Site, files: [String], stored index: LinkIndex?, answersApps: Bool) {
        (self.site, self.index, self.answersApps) = (site, index, answersApps)
        router = Router(site, files: files)
        matcher =
            AssociationReading(
                site.associations.aasa ?? Array("{}".utf8),
                file: "apple-app-site-association"
            ).matcher
        androidMatcher =
            AssetLinksReading(
                site.associations.assetlinks ?? Array("[]".utf8), file: "assetlinks.json"
            ).matcher
        manifests = site.manifests
        ruleSources = site.appleRuleSources
        resolver = LinkResolver(site)
    }

    func run(_ expectation: Expectation) -> LinkTestOutcome {
        guard let url = try? LinkURL(expectation.url) else {
            return LinkTestOutcome(
                expectation: expectation, site: site.name, failures: [],
                skipped: "the URL is not a link")
        }
        var failures = [LinkTestOutcome.Failure]()
        var undecided: String?
        let agent = expectation.profile.flatMap(VisitorProfile.userAgent)
        if let opens = expectation.opens {
            let result = checkApps(opens, url, AppPlatform(expectation.profile, agent))
            if let failure = result.failure { failures.append(failure) }
            undecided = result.undecided
        }
        if let profile = expectation.profile, agent == nil {
            failures.append(
                .init(
                    key: "as", expected: profile, actual: "no client",
                    reason: VisitorProfile.advice(on: profile)))
        } else if let gets = expectation.gets {
            let result = checkAnswer(
                gets, url.requested, agent ?? "", at: expectation.time?.seconds)
            if let failure = result.failure { failures.append(failure) }
            undecided = undecided ?? result.undecided
        }
        return LinkTestOutcome(
            expectation: expectation, site: site.name, failures: failures, skipped: nil,
            undecided: failures.isEmpty ? undecided : nil)
    }

    // MARK: Apps

    /// Compares the apps that the link opens for the client: an Android client has the apps of
    /// assetlinks.json, an iPhone or iPad those of Apple's file. For other clients, an app is
    /// looked for in Apple's file, and in assetlinks.json if it is only there.
    private func checkApps(
        _ expected: [String], _ url: LinkURL, _ platform: AppPlatform
    ) -> (failure: LinkTestOutcome.Failure?, undecided: String?) {
        let (isAndroid, isApple) = (platform == .android, platform == .apple)
        let verdicts = isAndroid ? [] : matcher.verdicts(for: url)
        var opened = verdicts.filter { $0.verdict == .open }.flatMap { keys(of: $0.appID) }
        var undecided = [String]()
        if !isApple {
            for verdict in androidMatcher.verdicts(for: url) where verdict.verdict == .open {
                let keys = keys(ofPackage: verdict.appID, isAlone: !isAndroid)
                switch manifests[verdict.appID]?.verdict(for: url) {
                case .takes?: opened += keys
                case .leaves?: break
                case .open?, nil:
                    if verdict.rule?.index == nil { undecided += keys } else { opened += keys }
                }
            }
        }
        let (wanted, found) = (Set(expected), Set(opened))
        guard wanted.subtracting(undecided) == found.subtracting(undecided) else {
            let odd = verdicts.first { verdict in
                keys(of: verdict.appID).contains { wanted.contains($0) != found.contains($0) }
                    || (verdict.verdict == .open
                        && !expected.contains { keys(of: verdict.appID) == [$0] })
            }
            let failure = LinkTestOutcome.Failure(
                key: "opens", expected: list(expected), actual: list(opened),
                reason: odd.map(words))
            return (failure, nil)
        }
        guard !undecided.isEmpty else { return (nil, nil) }
        return (
            nil,
            "on Android, the manifest of \(undecided.joined(separator: ", ")) decides, which is not known; "
                + "without `dynamic`, assetlinks.json has no rules"
        )
    }

    /// The reason of a verdict, with the link whose rule it is.
    private func words(_ verdict: AppVerdict) -> String {
        func name(_ rule: RulePosition) -> String {
            guard let source = ruleSources[rule.pointer], let index = rule.index else {
                return "\(rule)"
            }
            return "rule \(index + 1) (\(source))"
        }
        switch (verdict.verdict, verdict.rule) {
        case (.open, let rule?) where rule.index != nil:
            return "opens \(verdict.appID) because \(name(rule)) matches"
        case (.exclude, let rule?):
            return "\(verdict.appID) stays in the browser: \(name(rule)) excludes it"
        case (.none, _):
            return "stays in the browser: no rule of \(verdict.appID) matches"
                + (verdict.nearest.map { "; the nearest is \(name($0.position)), and \($0)" } ?? "")
        default: return "\(verdict)"
        }
    }

    /// The keys of an Android app in the configuration, or its package if a ready file has more
    /// apps.
    /// - Parameter isAlone: whether an app that is also in Apple's file is left out.
    private func keys(ofPackage package: String, isAlone: Bool) -> [String] {
        let apps = site.apps.filter { $0.android?.package.description == package }
        if apps.isEmpty { return [package] }
        return apps.filter { !isAlone || $0.ios == nil }.map(\.key)
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
        _ expected: Expectation.Outcome, _ url: LinkURL, _ agent: String, at time: Int?
    ) -> (failure: LinkTestOutcome.Failure?, undecided: String?) {
        let actual: String
        switch answer(url, agent, at: time) {
        case .known(let answer):
            guard !expected.isMet(by: answer) else { return (nil, nil) }
            actual = answer.description
        case .undecided(let statuses, let decider):
            let isPossible = statuses.contains {
                expected.isMet(by: .init(status: $0, location: nil))
            }
            guard !statuses.isEmpty, !isPossible else { return (nil, decider) }
            actual = statuses.map(String.init).joined(separator: " or ")
        }
        let failure = LinkTestOutcome.Failure(
            key: "gets", expected: expected.description, actual: actual, reason: nil)
        return (failure, nil)
    }

    /// A response, as far as it is known without a running origin.
    private enum Prediction {
        case known(Expectation.Outcome)
        /// One of these statuses, or any response if there are none, and what decides it.
        case undecided(statuses: [Int], decider: String)
    }

    private func answer(_ url: LinkURL, _ agent: String, at time: Int?) -> Prediction {
        outcome(url, agent, at: time).map(Prediction.known)
            ?? prediction(of: try? router.decide(url))
    }

    /// The prediction of a response that only a running origin knows.
    private func prediction(of decision: Decision?) -> Prediction {
        switch decision {
        case .resource:
            .undecided(
                statuses: [200, 404],
                decider: "the content of the public files decides whether there is a sitemap")
        case .challenge:
            .undecided(
                statuses: [200, 404],
                decider: "the files of the ACME client decide, or an order that is under way")
        default:
            .undecided(
                statuses: [],
                decider: "the store of the origin decides; --admin asks a running origin")
        }
    }

    /// The origin's response; nil if only a running origin knows it.
    private func outcome(_ url: LinkURL, _ agent: String, at time: Int?) -> Expectation.Outcome? {
        guard url.target.utf8.count <= site.targetBytesMax else {
            return .init(status: 414, location: nil)
        }
        guard let route = try? router.decide(url) else { return .init(status: 400, location: nil) }
        if resolver.takesOver(route, of: router, url) {
            return outcome(resolver.decide(url, for: Visitor(userAgent: agent), at: time).answer)
        }
        switch route {
        case .resource(let number):
            // Whether there is a page to list depends on the content of the files.
            if case .sitemap = router.resources[number] { return nil }
            return .init(status: 200, location: nil)
        case .challenge: return nil
        case .redirectToHTTPS:
            let rest = url.description.utf8.dropFirst("http".utf8.count)
            return .init(status: 308, location: "https" + String(Substring(rest)))
        case .changePassword:
            return .init(status: 302, location: site.wellKnown.changePassword?.description)
        case .notFound, .unknownHost: return .init(status: 404, location: nil)
        case .unmatched where answersApps && url.path == "/_/opens":
            return .init(status: 405, location: nil)
        case .unmatched where answersApps && url.path == "/_/resolve":
            let isAsked = queryItems(url.query ?? "").contains { $0.name == "url" }
            return isAsked ? nil : .init(status: 400, location: nil)
        case .unmatched, .directory:
            var scratch = LinkScratch()
            scratch.index = index
            let decision = resolver.decide(url, for: Visitor(userAgent: agent), at: time, &scratch)
            if case .notLookedUp = decision.reason { return nil }
            if route == .directory, decision.reason == .noLink {
                return .init(status: 308, location: String(decoding: url.withSlash, as: UTF8.self))
            }
            return outcome(decision.answer)
        }
    }

    private func outcome(_ answer: WebAnswer) -> Expectation.Outcome {
        switch answer {
        case .page: .init(status: 200, location: nil)
        case .landing(let offer), .summary(let offer):
            .init(status: offer.status, location: nil)
        case .redirect(let url, let status):
            .init(status: status.rawValue, location: String(decoding: url, as: UTF8.self))
        case .notFound: .init(status: 404, location: nil)
        case .gone: .init(status: 410, location: nil)
        case .fallback: unmatched
        case .tooLong: .init(status: 414, location: nil)
        case .refused: .init(status: 400, location: nil)
        case .debug: .init(status: 200, location: nil)
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

/// The platform whose association file decides for a client of a link test.
enum AppPlatform {
    case apple, android
    /// No app opens there, so a test asks for what any platform opens.
    case other

    /// - Parameters:
    ///   - profile: the name of the client; nil for none.
    ///   - agent: its user agent; that of an iPad's Safari is a Mac's.
    init(_ profile: String?, _ agent: String?) {
        let visitor = Visitor(userAgent: agent ?? "")
        guard visitor.kind == .person else {
            self = .other
            return
        }
        switch visitor.platform {
        case .android: self = .android
        case .ios, .ipad: self = .apple
        case .desktop: self = profile == VisitorProfile.safariOnIPad ? .apple : .other
        }
    }
}
