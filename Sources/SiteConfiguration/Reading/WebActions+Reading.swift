import Diagnostics

// What browsers get for a link, and for paths without one.

extension WebActions {
    init(_ value: Value, stars: Stars, into findings: inout Findings) {
        var positions = [SourcePosition]()
        func read(_ value: Value?) -> WebAction? {
            guard let value, let action = WebAction(value, stars: stars, into: &findings)
            else { return nil }
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
        self.init(byPlatform: byPlatform, otherwise: otherwise, positions: positions)
    }
}

extension LinkTimes {
    /// Reads `from`, `until` and `after` of a link; nil if it has none.
    init?(_ link: Value.Entry, stars: Stars, into findings: inout Findings) {
        let (from, until) = (link.value["from"], link.value["until"])
        let period = LinkPeriod(from: from?.time, until: until?.time)
        // A request has no lines, and its link may have no name yet.
        let subject = link.key.isEmpty ? "the link" : "link \(quoted(link.key))"
        if let from, let until, let start = period.from, let end = period.until, end <= start {
            let hasFraction = [from, until].contains { $0.text?.utf8.contains(0x2E) == true }
            findings.error(
                .wrongValue, at: until.position,
                "\(subject) never begins: `until` \(quoted(until.text ?? "")) is not "
                    + "later than `from` \(quoted(from.text ?? ""))"
                    + (end == start && hasFraction ? " in whole seconds" : "")
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
        let ended = after.map { WebActions($0, stars: stars, into: &findings) } ?? WebActions()
        self.init(period, after: period.until.map { _ in ended.orElse(.gone) }, position: position)
    }
}

extension WebAction {
    fileprivate init?(_ value: Value, stars: Stars, into findings: inout Findings) {
        switch value.text {
        case nil: return nil
        case "page": self = .page(indexPage)
        case "landing": self = .landing
        case "store": self = .store
        case "not-found": self = .notFound
        case "gone": self = .gone
        case .some(let text) where text.utf8.first == UInt8(ascii: "/"): self = .page(text)
        default:
            guard let template = stars.template(value, into: &findings) else { return nil }
            self = .redirect(template, value.redirectStatus ?? .found)
        }
    }
}

extension UnmatchedAction {
    /// Reads `unmatched`.
    static func read(_ value: Value?, into findings: inout Findings) -> UnmatchedAction {
        guard let value else { return .notFound }
        guard let text = value.text else {
            let status = value["status"]?.number
            guard value["page"]?.text != "landing" else { return .landing(status: status ?? 404) }
            return value["page"].map { file($0, status: status ?? 200) } ?? .notFound
        }
        switch text {
        case "not-found": return .notFound
        case "landing": return .landing(status: 404)
        case "store": return .store
        case "page": return file(value, status: 200)
        case _ where text.utf8.first == UInt8(ascii: "/"):
            return file(value, status: 200)
        default:
            guard let template = value.template else { return .notFound }
            findings.warn(
                of: OtherPlaceholder(in: template.text, hasPattern: false), at: value.position)
            return .redirect(template, value.redirectStatus ?? .found)
        }
    }

    private static func file(_ value: Value, status: Int) -> UnmatchedAction {
        let path = value.text.flatMap { $0 == "page" ? nil : $0 } ?? indexPage
        return .page(path, status: status, position: value.position)
    }
}

extension Campaign {
    init(_ value: Value?) {
        self.init()
        utm = value?.flag("utm")
        appleProvider = value?["apple"]?["provider"]?.text
        appleCampaign = value?["apple"]?["campaign"]?.text
        appleProductPage = value?["apple"]?["product-page"]?.text
        googleLink = value?["google"]?.flag("link")
    }
}

extension TransportSecurity {
    init?(_ value: Value?, into findings: inout Findings) {
        guard let value, let seconds = value.number ?? value["max-age"]?.number else { return nil }
        self.init(maxAgeSeconds: seconds)
        includesSubdomains = value.flag("include-subdomains") ?? false
        isPreloaded = value.flag("preload") ?? false
        if isPreloaded, !canBePreloaded, let position = value["preload"]?.position {
            findings.error(
                .wrongValue, at: position,
                "browsers preload no host whose max-age is under "
                    + "\(TransportSecurity.preloadedSecondsMin) seconds, or without its subdomains",
                advice: "raise max-age and set include-subdomains, or remove preload")
        }
    }

    /// One year, which the preload lists of browsers require.
    static let preloadedSecondsMin = 31_536_000

    fileprivate var canBePreloaded: Bool {
        includesSubdomains && maxAgeSeconds >= Self.preloadedSecondsMin
    }
}

/// The page for the word `page`.
private let indexPage = "/index.html"
