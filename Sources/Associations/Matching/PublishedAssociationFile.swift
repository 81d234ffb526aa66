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
