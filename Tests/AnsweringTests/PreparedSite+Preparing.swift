import Answering
import Foundation
import SiteConfiguration
import TLS
import Testing

extension PreparedSite {
    /// The site of the first environment of a configuration, which is written into a directory.
    static func prepare(
        _ text: String, in directory: URL, now: Int = 0, after previous: PreparedSite? = nil
    ) throws -> PreparedSite {
        let path = directory.appending(path: "waymark.yaml")
        try Data(text.utf8).write(to: path)
        let (read, findings) = Configuration.load(path: path.path)
        let environment = try #require(read?.environments.first, "\(findings)")
        return try prepare(environment, now: now, after: previous)
    }

    /// The first site of an environment; none of its files and pages is read or made yet.
    static func prepare(
        _ environment: Environment, limits: AnsweringLimits = .init(), now: Int,
        after previous: PreparedSite? = nil
    ) throws -> PreparedSite {
        var builder = SiteBuilder(
            environment.sites[0], limits: limits, now: now, after: previous,
            confidential: ConfidentialFiles(environment.confidentialFiles), digest: { sha256($0) })
        let site = builder.prepareSite(signedAssociation: nil, report: { _ in })
        return try #require(site, "\(builder.faults)")
    }
}
