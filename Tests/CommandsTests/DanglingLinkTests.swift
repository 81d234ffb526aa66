import Foundation
import TestSupport
import Testing

@Suite("A symbolic link to nothing is named, with its cure")
struct DanglingLinkTests {
    private let fact = "it is a symbolic link to nothing"
    private let cure = "create its target, or let it lead to another file"

    /// Replaces a file of a site by a link.
    private func link(_ name: String, to target: String, in site: CertificateSite) {
        shellOutput("rm -rf \(site.path(name)) && ln -s \(target) \(site.path(name))")
    }

    private func lint(_ site: CertificateSite) throws -> Program.Outcome {
        try Program.run(["lint", "--env", "test", site.configuration.path])
    }

    @Test func `as a certificate or a key`() throws {
        for name in ["second.example.pem", "second.example.key"] {
            let site = try CertificateSite()
            link(name, to: "gone", in: site)
            let outcome = try lint(site)
            #expect(outcome.status == 66, "\(outcome)")
            #expect(outcome.output.contains("\(name)\" cannot be read: \(fact)"), "\(outcome)")
            #expect(outcome.output.contains("    \(cure)\n"), "\(outcome)")
            // A link to a file is one.
            shellOutput(
                "cp \(site.path(name.replacing("second", with: "first"))) \(site.path("gone"))")
            #expect(try !lint(site).output.contains(fact))
        }
    }

    @Test func `as the public directory, which need not be there`() throws {
        let site = try CertificateSite()
        link("Public", to: "gone", in: site)
        let outcome = try lint(site)
        #expect(outcome.status != 0 && outcome.output.contains(fact), "\(outcome)")
        #expect(outcome.output.contains("create its target, or set `public` to"), "\(outcome)")
        shellOutput("rm \(site.path("Public"))")
        let without = try lint(site)
        #expect(without.status == 0 && !without.output.contains("Public"), "\(without)")
    }

    @Test func `as a configuration`() throws {
        let site = try CertificateSite()
        link("waymark.yaml", to: "gone", in: site)
        let outcome = try lint(site)
        #expect(outcome.status == 66 && outcome.messages.contains(fact), "\(outcome)")
        let test = try Program.run(["test", "--config", site.configuration.path])
        #expect(test.status == 66 && test.messages.contains(cure), "\(test)")
    }
}
