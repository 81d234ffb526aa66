import Diagnostics

// What browsers get for a link, and the campaign parameters of redirects.

extension SiteReader {
    mutating func readActions(_ value: Value, stars: Stars) -> WebActions {
        var positions = [SourcePosition]()
        func read(_ value: Value?) -> WebAction? {
            guard let value, let action = readAction(value, stars: stars) else { return nil }
            positions.append(value.position)
            return action
        }
        var byPlatform = [WebPlatform: WebAction]()
        if value.isMapping {
            for platform in WebPlatform.allCases {
                byPlatform[platform] = read(value[platform.rawValue])
            }
        }
        let otherwise = read(value.isMapping ? value["default"] : value)
        return WebActions(byPlatform: byPlatform, otherwise: otherwise, positions: positions)
    }

    /// `from`, `until` and `after` of a link.
    mutating func readTimes(_ link: Value.Entry, stars: Stars) -> LinkTimes? {
        let (from, until) = (link.value["from"], link.value["until"])
        let period = LinkPeriod(from: from?.time, until: until?.time)
        // A request has no lines, and its link may have no name yet.
        let subject = link.key.isEmpty ? "the link" : "link \(quoted(link.key))"
        if let from, let until, let start = period.from, let end = period.until, end <= start {
            findings.error(
                .wrongValue, at: until.position,
                "\(subject) never begins: `until` \(quoted(until.text ?? "")) is not "
                    + "later than `from` \(quoted(from.text ?? ""))"
                    + (from.position.file.isEmpty ? "" : " in line \(from.position.line)"),
                advice: "write a later `until`, or exchange the two")
        }
        let after = link.value["after"]
        // That of a collection is for its links.
        if let after, until == nil, link.value["stored"] == nil {
            findings.error(
                .unusedKey, at: after.position,
                "\(subject) has `after` but no `until`, so it does not end",
                advice: "add `until`, or remove `after`")
        }
        guard let position = (until ?? from)?.position else { return nil }
        let ended = after.map { readActions($0, stars: stars) } ?? WebActions()
        return LinkTimes(
            period, after: period.until.map { _ in ended.orElse(.gone) }, position: position)
    }

    private mutating func readAction(_ value: Value, stars: Stars) -> WebAction? {
        switch value.text {
        case nil: nil
        case "page": .page(indexPage)
        case "landing": .landing
        case "store": .store
        case "not-found": .notFound
        case "gone": .gone
        case .some(let text) where text.utf8.first == UInt8(ascii: "/"): .page(text)
        default:
            readTemplate(value, stars: stars).map { .redirect($0, value.redirectStatus ?? .found) }
        }
    }

    mutating func readTemplate(_ value: Value, stars: Stars) -> URLTemplate? {
        guard let template = value.template else { return nil }
        if OtherPlaceholder.mayBe(in: template) {
            warn(
                of: OtherPlaceholder(in: template.text, pattern: stars.pattern),
                at: value.position)
        }
        if template.starsNeeded > stars.count {
            findings.error(
                .placeholder, at: value.position,
                "{\(template.starsNeeded)} needs as many stars in each pattern of `match`, "
                    + "one has \(stars.count)",
                advice: stars.translated.map { "write the pattern as \(quoted($0))" }
                    ?? (stars.count == 0
                        ? "remove the placeholder"
                        : "write {1}\(stars.count > 1 ? " to {\(stars.count)}" : "")")
                    + ", or add a * to the pattern")
        }
        return template
    }

    private mutating func warn(of placeholder: OtherPlaceholder?, at position: SourcePosition) {
        guard let placeholder else { return }
        findings.warning(
            .placeholder, at: position, "\(quoted(placeholder.text)) in a URL is ordinary text",
            advice: placeholder.advice)
    }

    mutating func readUnmatched(_ value: Value?) -> UnmatchedAction {
        guard let value else { return .notFound }
        guard let text = value.text else {
            let status = value["status"]?.number
            guard value["page"]?.text != "landing" else { return .landing(status: status ?? 404) }
            return value["page"].map { unmatchedPage($0, status: status ?? 200) } ?? .notFound
        }
        switch text {
        case "not-found": return .notFound
        case "landing": return .landing(status: 404)
        case "store": return .store
        case "page": return unmatchedPage(value, status: 200)
        case _ where text.utf8.first == UInt8(ascii: "/"):
            return unmatchedPage(value, status: 200)
        default:
            guard let template = value.template else { return .notFound }
            warn(
                of: OtherPlaceholder(in: template.text, hasPattern: false), at: value.position)
            return .redirect(template, value.redirectStatus ?? .found)
        }
    }

    private func unmatchedPage(_ value: Value, status: Int) -> UnmatchedAction {
        let path = value.text.flatMap { $0 == "page" ? nil : $0 } ?? indexPage
        return .page(path, status: status, position: value.position)
    }

    func readCampaign(_ value: Value?) -> Campaign {
        var campaign = Campaign()
        campaign.utm = value?.flag("utm")
        campaign.appleProvider = value?["apple"]?["provider"]?.text
        campaign.appleCampaign = value?["apple"]?["campaign"]?.text
        campaign.appleProductPage = value?["apple"]?["product-page"]?.text
        campaign.googleLink = value?["google"]?.flag("link")
        return campaign
    }

    mutating func readTransportSecurity(_ value: Value?) -> TransportSecurity? {
        guard let value, let seconds = value.number ?? value["max-age"]?.number else { return nil }
        var security = TransportSecurity(maxAgeSeconds: seconds)
        security.includesSubdomains = value.flag("include-subdomains") ?? false
        security.isPreloaded = value.flag("preload") ?? false
        if security.isPreloaded, !security.canBePreloaded, let position = value["preload"]?.position
        {
            findings.error(
                .wrongValue, at: position,
                "browsers preload no host whose max-age is under "
                    + "\(TransportSecurity.preloadedSecondsMin) seconds, or without its subdomains",
                advice: "raise max-age and set include-subdomains, or remove preload")
        }
        return security
    }
}

/// The stars in every pattern of a link, whose texts placeholders mean.
struct Stars {
    var count = 0
    /// The pattern with the fewest.
    var pattern: String?
    /// That pattern as Waymark writes it, if it is in another program's syntax and has too few.
    var translated: String? {
        pattern.flatMap(translatedPattern).flatMap { Self.number(in: $0) > count ? $0 : nil }
    }

    /// - Parameter paths: of all patterns.
    init(_ paths: [String?]) {
        for path in paths {
            let number = Self.number(in: path ?? "")
            if pattern == nil || number < count { (count, pattern) = (number, path ?? "") }
        }
    }

    private static func number(in path: String) -> Int {
        path.utf8.count { $0 == UInt8(ascii: "*") }
    }
}

extension TransportSecurity {
    /// One year, which the preload lists of browsers require.
    static let preloadedSecondsMin = 31_536_000

    fileprivate var canBePreloaded: Bool {
        includesSubdomains && maxAgeSeconds >= Self.preloadedSecondsMin
    }
}

/// The page for the word `page`.
private let indexPage = "/index.html"
