internal import Markup

/// The page that says what a link does on each kind of device: a drawing of its ways, and behind each way the steps
/// that lead there. Or the page that says why a link leads nowhere. It has no script.
package struct DebugPage: Sendable {
    /// A kind of client, by the name that `explain` has for it. Ways that are the same are drawn once, for several of them.
    package enum Client: String, Hashable, Sendable {
        case iphone = "iphone-safari"
        /// Safari on an iPad, whose user agent is that of a Mac.
        case safariOnIPad = "ipad-safari"
        case ipad = "ipad-mobile"
        case android = "android-chrome"
        case desktop = "desktop-chrome"
        case preview = "messages-preview"
    }

    /// The end of a way without the app.
    package enum End: Hashable, Sendable {
        /// The URL to which the visitor is redirected.
        case redirect(String)
        /// The link's own page, which is generated.
        case landing
        /// A file of the site, by its path.
        case file(String)
        /// Title, description and picture, for programs.
        case card
        case nothing
    }

    /// A step of a way, in the words of `explain`.
    package struct Step: Hashable, Sendable {
        package let name: String
        package let reason: String
        /// Whether it is the one that answers.
        package let isTaken: Bool

        package init(name: String, reason: String, isTaken: Bool) {
            (self.name, self.reason, self.isTaken) = (name, reason, isTaken)
        }
    }

    package struct Way: Hashable, Sendable {
        package var clients: [Client]
        /// The names of the apps that open the link there.
        package let apps: [String]
        package let end: End
        /// The steps of each client.
        package var steps: [[Step]]

        package init(_ client: Client, apps: [String], end: End, steps: [Step]) {
            (clients, self.apps, self.end, self.steps) = ([client], apps, end, [steps])
        }
    }

    package enum Content: Sendable {
        case ways([Way])
        /// The link leads nowhere: the reason.
        case refused(String)
    }

    private let url: String
    private let content: Content
    /// The parameters of the link that are not kept, and the reasons.
    private let losses: [(name: String, reason: String)]
    private let language: String

    /// - Parameter language: one of `languages`.
    package init(
        _ url: String, _ content: Content, losses: [(name: String, reason: String)] = [],
        language: String
    ) {
        (self.url, self.content, self.losses, self.language) = (url, content, losses, language)
    }

    /// The languages that it can have; the first one is that of visitors who read none of them.
    package static var languages: [String] { ["en", "de"] }

    /// The page in the theme's colours and type.
    package func rendered(_ theme: Theme) -> RenderedPage {
        let texts = DebugTexts(language)
        var page = MarkupWriter(capacity: 16_384)
        page.raw("<!doctype html>\n<html")
        page.attribute("lang", texts.language)
        page.raw(
            "><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n"
        )
        page.raw("<meta name=\"color-scheme\" content=\"light dark\">\n")
        let title = if case .refused = content { texts.refused } else { texts.title }
        page.element("title", title)
        page.append(theme.style.markup)
        page.raw("<style>")
        page.raw(Self.style)
        page.raw("</style>\n</head><body class=\"debug\"><main><div class=\"content\">\n")
        page.element("h1", title)
        page.raw("<p class=\"address\"><bdi>")
        page.text(url)
        page.raw("</bdi></p>\n")
        switch content {
        case .refused(let reason): page.english("p", reason, texts)
        case .ways(let ways): page.append(drawing(of: ways, texts))
        }
        page.append(list(texts))
        page.raw("</div></main></body></html>\n")
        var policy = SecurityPolicy()
        policy.styles = [theme.style.source, theme.source(of: Self.style.text)]
        return RenderedPage(html: page.bytes, contentSecurityPolicy: policy.value)
    }

    private func drawing(of ways: [Way], _ texts: DebugTexts) -> MarkupWriter {
        var page = MarkupWriter(capacity: 8_192)
        page.raw("<ol class=\"ways\">\n")
        for way in ways {
            page.raw("<li><div class=\"way\">")
            page.element("h2", texts.names(of: way.clients))
            if !way.apps.isEmpty {
                page.raw("<p>")
                page.element("strong", texts.withApp)
                page.text(" \(texts.opens) ")
                page.element("bdi", way.apps.joined(separator: ", "))
                page.raw("</p>")
            }
            page.raw("<p>")
            if !way.apps.isEmpty {
                page.element("strong", texts.withoutApp)
                page.text(" ")
            }
            switch way.end {
            case .redirect(let url):
                page.text("\(texts.goesTo) ")
                page.element("bdi", url)
            case .file(let path):
                page.text("\(texts.seesFile) ")
                page.element("bdi", path)
            case .landing: page.text(texts.seesPage)
            case .card: page.text(texts.seesCard)
            case .nothing: page.text(texts.findsNothing)
            }
            page.raw("</p></div>\n<details><summary>")
            page.text(texts.why)
            page.raw("</summary>\n")
            let isOne = way.steps.allSatisfy { $0 == way.steps.first }
            for (client, steps) in zip(way.clients, way.steps.prefix(isOne ? 1 : .max)) {
                if !isOne { page.element("h3", texts.name(of: client)) }
                page.append(list(of: steps, texts))
            }
            page.raw("</details></li>\n")
        }
        page.raw("</ol>\n")
        return page
    }

    private func list(of steps: [Step], _ texts: DebugTexts) -> MarkupWriter {
        var page = MarkupWriter(capacity: 2_048)
        page.raw("<ol class=\"steps\"")
        if texts.language != "en" { page.attribute("lang", "en") }
        page.raw(">\n")
        for step in steps {
            page.raw(step.isTaken ? "<li class=\"taken\">" : "<li>")
            page.element("b", step.name)
            page.text(" \(step.reason)")
            page.raw("</li>\n")
        }
        page.raw("</ol>\n")
        return page
    }

    private func list(_ texts: DebugTexts) -> MarkupWriter {
        var page = MarkupWriter()
        guard !losses.isEmpty else { return page }
        page.element("h2", texts.notKept)
        page.raw("<ul>\n")
        for loss in losses { page.english("li", "\(loss.name): \(loss.reason)", texts) }
        page.raw("</ul>\n")
        return page
    }

    private static let style: MarkupLiteral = """
        .debug main{max-width:60rem;margin:0 auto}
        .debug .content{flex:none;gap:1.25rem}
        .debug .address{font-size:1rem}
        .ways,.steps{margin:0;padding:0;list-style:none}
        .ways{display:grid;gap:1.75rem}
        .way{display:grid;grid-template-columns:10rem 1fr 1fr;gap:1.75rem}
        .way>*{position:relative;min-width:0;overflow-wrap:anywhere}
        .way>h2{align-self:start;padding:.875rem 0 .875rem 1rem;border-inline-start:4px solid var(--accent)}
        .way>p{padding:.875rem 1.125rem;border-radius:calc(var(--radius)*.6);background:var(--background);
        box-shadow:inset 0 0 0 1px var(--line)}
        .way>h2+p:last-child{grid-column:2/-1}
        .way>p+p{margin-inline-start:-1rem}
        .way strong{display:block;font-size:.875rem;color:var(--muted)}
        .way>h2+p::before{content:"\\2192";position:absolute;inset:0 100% 0 auto;width:1.75rem;display:grid;
        place-items:center;color:var(--muted)}
        summary{width:fit-content;min-height:1.5rem;padding:.5rem 0;cursor:pointer;text-decoration:underline;
        text-underline-offset:.25em;color:var(--muted)}
        summary:focus-visible{outline:3px solid var(--text);outline-offset:3px}
        .steps{display:grid;gap:.5rem;padding-inline-start:1rem;border-inline-start:2px solid var(--line);
        font-size:.9375rem;color:var(--muted);overflow-wrap:anywhere}
        .debug h3{margin:.75rem 0 .25rem;font-size:.9375rem}
        .debug li{overflow-wrap:anywhere}
        .steps .taken{color:var(--text)}
        .taken::before{content:"\\2192\\A0"}
        @media (max-width:39.99rem){.way{grid-template-columns:1fr;gap:1.5rem}
        .way>h2+p:last-child{grid-column:auto}
        .way>p+p{margin:-1rem 0 0}
        .way>h2+p::before{content:"\\2193";inset:auto 0 100%;width:auto;height:1.5rem}}
        """
}

extension MarkupWriter {
    /// A text that is English on a page of whatever language.
    fileprivate mutating func english(_ name: MarkupLiteral, _ value: String, _ texts: DebugTexts) {
        raw("<")
        raw(name)
        if texts.language != "en" { attribute("lang", "en") }
        raw(">")
        text(value)
        raw("</")
        raw(name)
        raw(">\n")
    }
}
