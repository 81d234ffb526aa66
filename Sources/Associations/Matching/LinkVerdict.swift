/// What becomes of a link on a device that has the app, as far as the association file decides
/// (Apple, "Supporting associated domains").
public struct LinkVerdict: Hashable, Sendable, CustomStringConvertible {
    /// The link opens the app; a rule excludes it; or no rule matches it.
    public enum Outcome: Hashable, Sendable {
        case opens, excluded, none
    }

    public let outcome: Outcome
    /// The JSON pointer of the rule that decided, in the file as Waymark writes it; nil when
    /// none did.
    public let rule: String?
    /// Why, in words for the reader.
    public let reason: String
    /// On what points systems may decide differently; empty when all agree.
    public let caveats: [String]

    public var opensApp: Bool { outcome == .opens }
    public var description: String { reason }
}

extension AssociationFile {
    /// What becomes of the link for that app. A text that is no `http` or `https` URL opens no
    /// app, and the reason says so; whether the file is the one of the link's host is not asked.
    public func verdict(for url: String, app: AppIdentifier) -> LinkVerdict {
        let link: LinkURL
        do throws(LinkURLError) { link = try LinkURL(url) } catch {
            return LinkVerdict(error.description)
        }
        guard let rules = appRules.first(where: { $0.appID == app.description }) else {
            return LinkVerdict("stays in the browser: the file does not name the app \(app)")
        }
        let variables = applinks?.substitutionVariables ?? []
        let verdicts = LinkMatcher([rules], variables: variables).verdicts(for: link)
        return verdicts.first.map(LinkVerdict.init) ?? LinkVerdict("the file has no rules")
    }
}

extension LinkVerdict {
    init(_ reason: String) {
        self.init(outcome: .none, rule: nil, reason: reason, caveats: [])
    }

    init(_ verdict: AppVerdict) {
        outcome =
            switch verdict.verdict {
            case .open: .opens
            case .exclude: .excluded
            case .none: .none
            }
        rule = verdict.rule?.pointer
        reason = verdict.description
        caveats = verdict.caveats.map(\.description)
    }
}
