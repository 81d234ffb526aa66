internal import Diagnostics

/// An `apple-app-site-association` file as some site publishes it, ready to be asked about links:
/// it is read as Apple's systems read it, faults included.
public struct PublishedAssociationFile: Sendable {
    private let matcher: LinkMatcher
    /// What is wrong with the file, one text for each finding, with its line and column; empty for
    /// most files.
    public let findings: [String]

    /// Reads the file, in time linear in its length.
    /// - Parameters:
    ///   - bytes: the file's content; the signature of a signed file is not verified.
    ///   - name: what findings call the file.
    /// - Throws: `PublishedFileError` when no system could read the file.
    public init(
        _ bytes: some Sequence<UInt8>, name: String = "apple-app-site-association"
    ) throws(PublishedFileError) {
        let reading = AssociationReading(Array(bytes), file: name)
        findings = reading.diagnostics.map(\.description)
        guard reading.isRead else { throw PublishedFileError(findings: findings) }
        matcher = reading.matcher
    }

    /// What becomes of the link on a device that has the app. A text that is not an `http` or
    /// `https` URL opens no app, and the reason says so. Whether the link's host serves this file
    /// is not checked.
    /// - Parameter app: the application identifier, as the file spells it: App ID prefix, full
    ///   stop, bundle identifier.
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

/// Why no system could read a file: it is not JSON, or larger than `AssociationFile.bytesMax`.
public struct PublishedFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, one text for each finding, with its line and column.
    public let findings: [String]
    /// All findings, one below the other.
    public var description: String { findings.joined(separator: "\n") }
}

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
