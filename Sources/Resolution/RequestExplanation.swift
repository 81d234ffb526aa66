package import Associations
package import LinkIndex
package import SiteConfiguration
package import Diagnostics
private import URISyntax

/// The steps of one request through an environment, in order, up to the one that answers. They come
/// from the same decisions that the origin uses.
package struct RequestExplanation: Sendable {
    package private(set) var steps = [ExplainedStep]()
    /// The key of the link that matches the request; nil if none does.
    package private(set) var link: String?
    /// The links with a time that matter to the decision.
    package private(set) var timed = [Link]()
    /// The decision of the links; nil if an earlier step answers.
    package private(set) var decision: WebDecision?
    /// The status of an earlier step that answers, and where it leads; nil if the links decide, or for the content of a file.
    private var early: (status: Int, location: String?)?
    /// The link that an app asks about, where that is what the request is.
    package private(set) var askedByApp: LinkURL?
    /// The stored links; nil if none are looked up.
    private let index: LinkIndex?
    private let answersApps: Bool

    /// Explains with the decisions of the environment, which were compiled before.
    /// - Parameters:
    ///   - now: seconds since 1970; nil is a time within the period of every link.
    ///   - answersApps: whether the origin has a store, and tells apps what links say.
    package init(
        _ url: LinkURL, _ visitor: Visitor, _ site: Site, _ router: Router,
        _ resolver: LinkResolver, at now: Int?, stored index: LinkIndex? = nil,
        answersApps: Bool = false
    ) {
        (self.index, self.answersApps) = (index, answersApps)
        let requested = url.requested
        if let words = url.hostWords { add("address", false, words) }
        if requested.target != url.target {
            add("address", false, "browsers request \(requested.target)")
        }
        let bytesMax = site.targetBytesMax
        guard requested.targetBytes <= bytesMax else {
            let words = "path and query have \(requested.targetBytes) bytes, may have \(bytesMax)"
            add("address", true, words, status: 414)
            return
        }
        walk(requested, visitor, site, router, resolver, now)
    }

    private mutating func walk(
        _ url: LinkURL, _ visitor: Visitor, _ site: Site, _ router: Router,
        _ resolver: LinkResolver, _ now: Int?
    ) {
        let route: Decision
        do throws(PathFault) { route = try router.decide(url) } catch {
            return add("path", true, "refused: \(error.words)", status: 400)
        }
        guard route != .unknownHost else {
            return add("host", true, "\(site.environment) does not serve \(quoted(url.host))")
        }
        add("host", false, "\(site.name ?? site.environment) serves it")
        if case .resource(let number) = route, router.resources[number].isAssociation {
            return add("association file", true, "it is one, and comes first")
        }
        add("association file", false, "it is not one of these paths")
        switch route {
        case .challenge:
            let reason =
                site.acmeWebroot == nil
                ? "the answer of the account that requests certificates, or 404 before there is one"
                : "the file of this name in the webroot, or 404 if it does not exist"
            return add("certificate challenge", true, reason)
        case .notFound:
            return add(
                "reserved path", true, "the environment publishes nothing there", status: 404)
        case .redirectToHTTPS:
            let port = site.httpsPort.flatMap { $0 == 443 ? nil : ":\($0)" } ?? ""
            return add(
                "plain HTTP", true, "other requests are redirected to https", status: 308,
                to: "https://\(url.host)\(port)\(url.target)")
        case .changePassword:
            let page = site.wellKnown.changePassword?.description ?? ""
            return add("change password", true, "a redirect to \(page)", status: 302, to: page)
        default: break
        }
        let isLong = resolver.takesOver(route, of: router, url)
        if case .resource(let number) = route, !isLong {
            return add("public file", true, router.resources[number].words)
        }
        add(
            "public file", false,
            isLong ? "a long link comes before it" : "no public file has this path")
        if answersApps, route == .unmatched, url.path == "/_/resolve" || url.path == "/_/opens" {
            let items = queryItems(url.query ?? "")
            askedByApp = items.first { $0.name == "url" }.flatMap { try? LinkURL($0.value) }
            return add(
                "apps", true,
                "\(url.path) answers what apps ask of links"
                    + (askedByApp != nil && index == nil
                        ? ", from the store of a running origin, which --admin asks" : ""))
        }
        var scratch = LinkScratch()
        scratch.index = index
        let decision = resolver.decide(url, for: visitor, at: now, &scratch)
        if route == .directory, decision.reason == .noLink {
            return add(
                "directory", true,
                "no link claims it, and \(url.path)/ is a page: a redirect adds the slash",
                status: 308, to: String(decoding: url.withSlash, as: UTF8.self))
        }
        self.decision = decision
        if url.isWellKnown, decision.link == nil {
            return add("reserved path", true, "no link has a pattern for this well-known name")
        }
        link = decision.link.map { resolver.links[$0].key }
        let early = resolver.early(url, at: now, decision)
        let decider = decision.link.map { [resolver.links[$0]] } ?? []
        timed = early + decider.filter { $0.times != nil }
        for step in decision.steps(url, visitor, site, resolver, early: early) {
            steps.append(step)
        }
    }

    /// The steps and the answer, for programs.
    package var json: [(key: String, value: JSONText)] {
        let steps = steps.map { step in
            JSONText.object([
                ("step", .string(step.name)), ("taken", .boolean(step.isTaken)),
                ("reason", .string(step.reason)),
            ])
        }
        let answer = early.map { early in
            let location = early.location.map { (key: "location", value: JSONText.string($0)) }
            return JSONText.object(
                [("status", .number(early.status))] + [location].compactMap(\.self))
        }
        return [
            ("answer", answer ?? decision.map(\.json) ?? .null), ("steps", .array(steps)),
        ]
    }

    /// - Parameter status: of the answer, where the step is taken and has one.
    private mutating func add(
        _ name: String, _ isTaken: Bool, _ reason: String, status: Int? = nil,
        to location: String? = nil
    ) {
        steps.append(ExplainedStep(name: name, isTaken: isTaken, reason: reason))
        early = status.map { ($0, location) }
    }
}
