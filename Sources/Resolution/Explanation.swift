package import Associations
package import SiteConfiguration
private import Diagnostics
private import URISyntax

/// A step that a request takes on its way to an answer, or passes over, and why.
package struct ExplainedStep: Hashable, Sendable {
    package let name: String
    package let isTaken: Bool
    package let reason: String
}

/// The steps of one request through an environment, in their order, up to the one that answers.
/// They are read off the decisions that the origin itself acts on.
package struct RequestExplanation: Sendable {
    package private(set) var steps = [ExplainedStep]()
    /// The key of the link that claims the request; nil where none does.
    package private(set) var link: String?

    /// - Parameter files: the files of the environment's public directory, by their paths in it.
    package init(
        _ url: LinkURL, _ visitor: Visitor, _ environment: Environment, files: [String]
    ) {
        walk(url, visitor, environment, Router(environment, files: files))
    }

    private mutating func walk(
        _ url: LinkURL, _ visitor: Visitor, _ environment: Environment, _ router: Router
    ) {
        let host = Array(url.host.utf8)
        let written = Array((url.path.isEmpty ? "/" : url.path).utf8)
        var path = [UInt8](repeating: 0, count: written.count)
        guard let count = PathDecoding.decode(written, 0..<written.count, into: &path) else {
            return add("path", true, "the path cannot be decoded, or leads out of the site")
        }
        let decision = router.decide(
            host: host, 0..<host.count, path: path, 0..<count, isSecure: url.isSecure)
        guard decision != .unknownHost else {
            return add("host", true, "\(environment.name) does not answer for \(quoted(url.host))")
        }
        add("host", false, "\(environment.name) answers for it")
        if case .resource(let number) = decision, router.resources[number].isAssociation {
            return add("association file", true, "it is one, and comes before everything else")
        }
        add("association file", false, "the path is none of theirs")
        switch decision {
        case .challenge: return add("certificate challenge", true, "the webroot has the file")
        case .notFound: return add("reserved path", true, "nothing is published there")
        case .redirectToHTTPS: return add("plain HTTP", true, "all else is sent to https")
        default: break
        }
        if case .resource(let number) = decision {
            return add("public file", true, router.resources[number].words)
        }
        add("public file", false, "there is none of this path")
        explainLink(url, visitor, LinkResolver(environment))
        if link == nil { add("unmatched", true, Self.words(environment.unmatched)) }
    }

    private mutating func explainLink(
        _ url: LinkURL, _ visitor: Visitor, _ resolver: LinkResolver
    ) {
        if let found = resolver.resolve(url, for: visitor) {
            link = found.link.key
            add("link \(found.link.key)", true, Self.words(found.answer, visitor))
        } else if let claimed = resolver.claim(of: url) {
            add(
                "link \(claimed.key)", false,
                "it has no action for \(visitor.platform.rawValue) that can be taken")
        } else {
            add("links", false, "none with an action matches")
        }
    }

    private mutating func add(_ name: String, _ isTaken: Bool, _ reason: String) {
        steps.append(ExplainedStep(name: name, isTaken: isTaken, reason: reason))
    }

    private static func words(_ answer: LinkAnswer, _ visitor: Visitor) -> String {
        switch answer {
        case .page(let path): "its page for \(visitor.platform.rawValue) is \(path)"
        case .redirect(let url): "its action for \(visitor.platform.rawValue) leads to \(url)"
        case .summary: "a program is told what the link is about, and sent nowhere"
        case .notFound: "its action for \(visitor.platform.rawValue) is not-found"
        }
    }

    private static func words(_ unmatched: UnmatchedAction) -> String {
        switch unmatched {
        case .page(let path, let status, _): "the page \(path), with status \(status)"
        case .redirect(let url): "everything else leads to \(url.text)"
        case .notFound, .landing, .store: "nothing is there"
        }
    }
}

extension Resource {
    fileprivate var words: String {
        switch self {
        case .appleAppSiteAssociation, .assetLinks: "an association file"
        case .robots: "robots.txt, as the environment says"
        case .sitemap: "the sitemap of links and pages"
        case .manifest: "the site's manifest"
        case .publicFile(let path): "\(path) of the public directory"
        }
    }
}

extension Visitor {
    /// What is known about this client that no server can change.
    package var caveats: [String] {
        var caveats = [String]()
        if let inAppBrowser {
            caveats.append(
                "\(inAppBrowser)'s own browser keeps universal links to itself: no app opens "
                    + "from it"
            )
        }
        if mayBeIPad {
            caveats.append("Safari on an iPad sends the text of Safari on a Mac, and gets the same")
        }
        if kind == .person, platform == .ios || platform == .ipad || mayBeIPad {
            caveats.append(
                "a typed address opens no app, nor does a tap on a page of the same host, nor a "
                    + "link that the user has sent to the browser before")
            caveats.append("a redirect into a universal link usually opens no app")
        }
        if kind == .person, platform == .android {
            caveats.append("links open the app where Android has verified the host for it")
        }
        return caveats
    }

    /// Who it is, in a few words.
    package var words: String {
        switch kind {
        case .person:
            "a person, \(platform.rawValue)" + (inAppBrowser.map { ", in \($0)" } ?? "")
        case .preview(let name): "\(name)'s preview"
        case .searchEngine(let name): "the search engine \(name)"
        case .verifier(let name): name
        }
    }
}
