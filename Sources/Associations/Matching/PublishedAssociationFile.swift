internal import Diagnostics

/// An `apple-app-site-association` file as somebody publishes it, ready to be asked about links:
/// it is read as Apple's systems read it, faults included.
public struct PublishedAssociationFile: Sendable {
    private let matcher: LinkMatcher
    /// What is wrong with the file, each in a line with its place; empty for most files.
    public let findings: [String]

    /// - Parameters:
    ///   - bytes: the file's content; a signed file is read without a look at its signature.
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

    /// What becomes of the link on a device that has the app. A text that is no `http` or `https`
    /// URL opens no app; whether the file is the one of the link's host is not asked.
    /// - Parameter app: the application identifier, App ID prefix and bundle identifier.
    public func verdict(for url: String, app: String) -> LinkVerdict {
        let link: LinkURL
        do throws(LinkURLError) { link = try LinkURL(url) } catch {
            return LinkVerdict("stays in the browser: \(error)")
        }
        let verdicts = matcher.verdicts(for: link)
        guard let verdict = verdicts.first(where: { $0.appID.isScalarwise(app) }) else {
            return LinkVerdict("stays in the browser: the file does not name the app \(app)")
        }
        return LinkVerdict(verdict)
    }

    /// The apps that the link opens, in the order of the file.
    public func apps(opening url: String) -> [String] {
        guard let link = try? LinkURL(url) else { return [] }
        return matcher.opens(link).map { matcher.apps[$0].appID }
    }
}

/// Why a file could not be read: it is no JSON, or too large.
public struct PublishedFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, each in a line with its place.
    public let findings: [String]
    public var description: String { findings.joined(separator: "\n") }
}
