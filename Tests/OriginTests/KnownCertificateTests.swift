import Snapshots
import TestSupport
import Diagnostics
import SiteConfiguration
import Sockets
import Testing

@testable import Origin

@Suite("Certificates that the next snapshot finds again")
struct KnownCertificateTests {
    private let directory: TemporaryDirectory
    private let environment: Environment
    private let now = Clock.unixSeconds

    init() throws {
        directory = try TemporaryDirectory()
        environment = try TestOrigin.environment(TestSite(), directory)
    }

    private func build(after previous: Snapshot? = nil, at now: Int) throws -> Snapshot {
        try Snapshot.build(
            environment, limits: .patient, ticketKeys: try TestOrigin.ticketKeys.get(),
            after: previous, now: now)
    }

    @Test func `files that have not changed since are not read`() throws {
        let first = try build(at: now + 60)
        let files = environment.sites[0].certificates[0]
        let known = first.certificates.known.unchanged(files)
        #expect(known?.certificate === first.certificates.standard?.certificate)
        // A reload of that takes it over, with what lets the next one do the same.
        let second = try build(after: first, at: now + 61)
        #expect(second.certificates.standard?.certificate === known?.certificate)
        #expect(second.certificates.known.unchanged(files) != nil)
    }

    @Test func `a file of other bytes and one that was written anew are read`() throws {
        let first = try build(at: now + 60)
        let key = environment.sites[0].certificates[0].key.path
        _ = shell("cp \(key) \(key).new && mv \(key).new \(key)")
        #expect(first.certificates.known.unchanged(environment.sites[0].certificates[0]) == nil)
        // Of the same content nothing is parsed again.
        let second = try build(after: first, at: now + 60)
        #expect(
            second.certificates.standard?.certificate === first.certificates.standard?.certificate)
        try directory.write("leaf.key", [])
        let third = try build(after: second, at: now + 60)
        #expect(third.certificateFaults.map(\.rule) == [.unusableCertificate])
    }

    /// The clock of a file system advances in steps: a second change may leave the stamp as it is.
    @Test func `a file that changed within the last second is read again`() throws {
        let first = try build(at: now)
        #expect(first.certificates.known.unchanged(environment.sites[0].certificates[0]) == nil)
    }
}
