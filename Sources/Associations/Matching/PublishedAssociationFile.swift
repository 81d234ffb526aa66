internal import Diagnostics

/// An `apple-app-site-association` file of any site, for questions about links. It is read like
/// Apple's systems read it, faults included.
public struct PublishedAssociationFile: Sendable {
    private let matcher: LinkMatcher
    /// The faults of the file, one text for each finding, with its line and column; empty for most
    /// files.
    public let findings: [String]

    /// Reads the file, in time linear in its length.
    /// - Parameters:
    ///   - bytes: the file's content; the signature of a signed file is not verified.
    ///   - name: the file's name in findings.
    /// - Throws: `PublishedFileError` if no system could read the file.
    public init(
        _ bytes: some Sequence<UInt8>, name: String = "apple-app-site-association"
    ) throws(PublishedFileError) {
        let reading = AssociationReading(Array(bytes), file: name)
        findings = reading.diagnostics.map(\.description)
        guard reading.isRead else { throw PublishedFileError(findings: findings) }
        matcher = reading.matcher
    }

    /// The effect of the link on a device that has the app. A text that is not an `http` or `https`
    /// URL opens no app, and the reason says so. Whether the link's host serves this file is not
    /// checked.
    /// - Parameter app: the application identifier, as in the file: App ID prefix, full stop,
    ///   bundle identifier.
    public func verdict(for url: String, app: String) -> LinkVerdict {
        matcher.verdict(for: url, app: app)
    }

    /// The identifiers of the apps that the link opens, in the order of the file; empty for a text
    /// that is not an `http` or `https` URL.
    public func apps(opening url: String) -> [String] {
        guard let link = try? LinkURL(url) else { return [] }
        return matcher.opens(link).map { matcher.apps[$0].appID }
    }
}

/// The reason why no system could read a file: it is not JSON, or larger than
/// `AssociationFile.bytesMax`.
public struct PublishedFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The faults, one text for each finding, with its line and column.
    public let findings: [String]
    /// All findings, each on its own line.
    public var description: String { findings.joined(separator: "\n") }
}

/// The effect of a link on a device that has the app, according to the association file (Apple,
/// "Supporting associated domains").
public struct LinkVerdict: Hashable, Sendable, CustomStringConvertible {
    /// The result of the rules. Only with `opens`, the link leaves the browser.
    public enum Outcome: Hashable, Sendable {
        /// A rule matches, and opens the app.
        case opens
        /// A rule matches, and keeps the link in the browser.
        case excluded
        /// No rule matches.
        case none
    }

    public let outcome: Outcome
    /// The JSON pointer (RFC 6901) of the rule that decided; nil if no rule matched. For a file
    /// that was built in code, it refers to the output of `serialized()`.
    public let rule: String?
    /// A sentence for people: which rule decided, or which one came nearest and why it fails.
    public let reason: String
    /// The points on which Apple's systems may decide differently, in words; empty if all agree.
    public let caveats: [String]

    /// Whether the link opens the app.
    public var opensApp: Bool { outcome == .opens }
    /// The same as `reason`.
    public var description: String { reason }
}

extension AssociationFile {
    /// The effect of the link on a device that has the app. A text that is not an `http` or `https`
    /// URL opens no app, and the reason says so. Whether the link's host serves this file is not
    /// checked. Each call compiles the file's rules; for questions about many links, make a
    /// `PublishedAssociationFile` from `serialized()`.
    public func verdict(for url: String, app: AppIdentifier) -> LinkVerdict {
        LinkMatcher(appRules, variables: applinks?.substitutionVariables ?? [])
            .verdict(for: url, app: app.description)
    }
}

extension LinkMatcher {
    /// The effect of the link for the app, or why the text is no link or the file lacks the app.
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
        self.init(outcome: .none, rule: nil, reason: "stays in the browser: \(reason)", caveats: [])
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
