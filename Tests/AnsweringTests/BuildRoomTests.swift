import Answering
import Foundation
import SiteConfiguration
import TLS
import TestSupport
import Testing

/// A site with three entries in its public directory.
@Suite("The memory that a site is built in")
struct BuildRoomTests {
    private final class Asked {
        let most: Int
        var entries = 0

        init(atMost most: Int) { self.most = most }

        func take(_ more: Int, _ pathBytes: Int) -> Bool {
            entries += more
            return entries <= most
        }
    }

    private let environment: Environment
    private let now = Int(Date().timeIntervalSince1970) + 3600

    init() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let inner = directory.appending(path: "Public/b")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        for name in ["../a.txt", "c.txt"] {
            try Data("a".utf8).write(to: inner.appending(path: name))
        }
        let text = """
            version: 1
            apps: {app: {ios: {id: W4X7K2M9QH.com.example.app}}}
            links: {ad: {match: /ad/*, web: "https://x.example/"}}
            environments:
              dev:
                hosts: [localhost]
                tls: {certificate: certs/dev.pem, key: certs/dev.key}
                publish: {app: [ad]}

            """
        let path = directory.appending(path: "waymark.yaml")
        try Data(text.utf8).write(to: path)
        let (read, findings) = Configuration.load(path: path.path)
        environment = try #require(read?.environments.first, "\(findings)")
    }

    private func builder(_ asked: Asked, after previous: PreparedSite? = nil) -> SiteBuilder {
        SiteBuilder(
            environment.sites[0], limits: AnsweringLimits(), now: now, after: previous,
            confidential: ConfidentialFiles(environment.confidentialFiles),
            room: BuildRoom(files: asked.take), digest: { sha256($0) })
    }

    @Test func `public files are looked for once, also to see that nothing has changed`() {
        let first = Asked(atMost: 3)
        var builder = builder(first)
        let site = builder.prepareSite(signedAssociation: nil, report: { _ in })
        #expect(site != nil, "\(builder.faults)")
        let again = Asked(atMost: 3)
        builder = self.builder(again, after: site)
        let same = builder.prepareSite(signedAssociation: nil, report: { _ in })
        #expect(same === site)
        #expect((first.entries, again.entries) == (3, 3))
    }

    @Test(arguments: [false, true])
    func `public files for which there is no memory are a fault`(_ isServed: Bool) {
        var all = builder(Asked(atMost: 3))
        let site = all.prepareSite(signedAssociation: nil, report: { _ in })
        #expect(site != nil)
        var builder = builder(Asked(atMost: 2), after: isServed ? site : nil)
        let refused = builder.prepareSite(signedAssociation: nil, report: { _ in })
        #expect(refused == nil)
        #expect("\(builder.faults)".contains("there is no memory for the public files"))
    }
}
