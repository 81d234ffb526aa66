/// What becomes of a link on a device that has the app, as far as the association file decides
/// (Apple, "Supporting associated domains").
public struct LinkVerdict: Hashable, Sendable, CustomStringConvertible {
    /// What the rules come to; only `opens` leaves the browser.
    public enum Outcome: Hashable, Sendable {
        /// A rule matches, and opens the app.
        case opens
        /// A rule matches, and keeps the link in the browser.
        case excluded
        /// No rule matches.
        case none
    }

    public let outcome: Outcome
    /// The JSON pointer (RFC 6901) of the rule that decided, in the file as it was read or, for
    /// one built in code, as `serialized()` writes it; nil when no rule did.
    public let rule: String?
    /// Why, in a sentence for people: which rule decided, or which came nearest and where it fails.
    public let reason: String
    /// Points on which Apple's systems may decide differently, in words; empty when all agree.
    public let caveats: [String]

    /// Whether the link opens the app.
    public var opensApp: Bool { outcome == .opens }
    /// The same as `reason`.
    public var description: String { reason }
}

extension AssociationFile {
    /// What becomes of the link on a device that has the app. A text that is not an `http` or
    /// `https` URL opens no app, and the reason says so. Whether the link's host serves this file
    /// is not checked. Each call compiles the file's rules anew: to ask about many links, make a
    /// `PublishedAssociationFile` of `serialized()`.
    public func verdict(for url: String, app: AppIdentifier) -> LinkVerdict {
        LinkMatcher(appRules, variables: applinks?.substitutionVariables ?? [])
            .verdict(for: url, app: app.description)
    }
}

extension LinkMatcher {
    /// What becomes of the link for the app, or why the text is not a link or the app not in the
    /// file.
    func verdict(for url: String, app: String) -> LinkVerdict {
        let link: LinkURL
        do throws(LinkURLError) { link = try LinkURL(url) } catch {
            return LinkVerdict(noneBecause: "\(error)")
        }
        guard let verdict = verdicts(for: link).first(where: { $0.appID.isScalarwise(app) }) else {
            return LinkVerdict(noneBecause: "the file does not list the app \(app)")
        }
        return LinkVerdict(verdict)
    }
}

extension LinkVerdict {
    fileprivate init(noneBecause reason: String) {
        self.init(
            outcome: .none, rule: nil, reason: "stays in the browser: \(reason)", caveats: [])
    }

    fileprivate init(_ verdict: AppVerdict) {
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
