import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A state directory that cannot be used takes nothing else away", .serialized)
struct StateDirectoryTests {
    /// The first two hosts have files, and the third is to get its certificate by itself.
    private func site() throws -> CertificateSite {
        let site = try CertificateSite()
        let text = try String(contentsOf: site.configuration, encoding: .utf8)
        let automatic = "{automatic: {terms: agreed, directory: 'https://127.0.0.1:1/'}}"
        try site.write(
            "waymark.yaml",
            Array(
                text.replacing(
                    "{certificate: third.example.pem, key: third.example.key}", with: automatic
                ).utf8))
        shellOutput(
            "mkdir \(site.path("kept")) && touch \(site.path("kept/state"))"
                + (geteuid() == 0 ? " && chown -R nobody \(site.path("kept"))" : ""))
        return site
    }

    private let fact = "cannot be used for automatic certificates: it is not a directory"

    @Test func `the other hosts are served, it is said, and it is tried again`() throws {
        let site = try site()
        let state = site.path("kept/state")
        let origin = try RunningOrigin(site.configuration, site.options + ["--state", state])
        #expect(
            origin.log.contains("error: \"\(state)\" \(fact) [certificate-state]"), "\(origin.log)")
        #expect(
            waits {
                origin.log.contains(
                    "1 host without a certificate: third.example [certificate-state]; this process "
                        + "does not request it: \"\(state)\" \(fact)")
            }, "\(origin.log)")
        for host in [CertificateSite.first, CertificateSite.second] {
            #expect(origin.presents(host) == .certificate(site.serial(host)))
        }
        #expect(
            waits { origin.adminPage("/readyz?verbose").contains("\"\(state)\" \(fact)") },
            "\(origin.adminPage("/readyz?verbose"))")
        let figure = "waymark_tls_certificate_faults "
        #expect(origin.adminPage("/metrics").contains("\n\(figure)1\n"))
        func list() throws -> Program.Outcome {
            try Program.run([
                "certificates", "list", "--config", site.configuration.path, "--env", "test",
                "--state", state,
            ])
        }
        let listed = try list()
        #expect(listed.status == 1 && listed.messages.contains(fact), "\(listed)")
        #expect(listed.output.contains("third.example  -     -        none yet"), "\(listed)")
        unlink(state)
        #expect(
            waits { origin.log.contains("third.example [certificate-state]; it is requested now") },
            "\(origin.log)")
        #expect(
            waits { origin.log.contains("third.example was not issued: directory: 127.0.0.1") },
            "\(origin.log)")
        #expect(!origin.adminPage("/readyz?verbose").contains(fact))
        #expect(try !list().messages.contains(fact))
        #expect(origin.adminPage("/metrics").contains("\n\(figure)0\n"))
    }

    @Test func `a directory that breaks while certificates are requested is a fault`() throws {
        let site = try site()
        let text = try String(contentsOf: site.configuration, encoding: .utf8)
        let state = site.path("kept/var")
        let origin = try RunningOrigin(site.configuration, site.options + ["--state", state])
        #expect(
            waits { origin.log.contains("third.example was not issued: directory: 127.0.0.1") },
            "\(origin.log)")
        #expect(origin.adminPage("/metrics").contains("\nwaymark_tls_certificate_faults 0\n"))
        shellOutput("mv \(state) \(state).old && touch \(state)")
        origin.signal(SIGHUP)
        #expect(waits { origin.log.contains("\(state)\" \(fact)") }, "\(origin.log)")
        #expect(
            waits {
                origin.adminPage("/metrics").contains("\nwaymark_tls_certificate_faults 1\n")
            })
        let files = "{certificate: third.example.pem, key: third.example.key}"
        let automatic = "{automatic: {terms: agreed, directory: 'https://127.0.0.1:1/'}}"
        try #require(text.contains(automatic))
        try site.write("waymark.yaml", Array(text.replacing(automatic, with: files).utf8))
        origin.signal(SIGHUP)
        #expect(
            waits {
                origin.adminPage("/metrics").contains("\nwaymark_tls_certificate_faults 0\n")
            }, "where nothing is requested, nothing is in the way")
    }

    /// Gives the third host a certificate in a state directory.
    /// - Returns: the directory of certificates.
    private func keep(_ site: CertificateSite, _ state: String) -> String {
        let certificates = "\(state)/acme/127.0.0.1-1-/certificates"
        shellOutput(
            "mkdir -p \(certificates) && cat \(site.path("third.example.key")) "
                + "\(site.path("third.example.pem")) > \(certificates)/third.example.pem && "
                + "chmod -R go= \(state)"
                + (geteuid() == 0 ? " && chown -R nobody \(state)" : ""))
        return certificates
    }

    @Test func `a directory that breaks while no certificate is due is a fault until it is back`()
        throws
    {
        let site = try site()
        let state = site.path("kept/var")
        _ = keep(site, state)
        let origin = try RunningOrigin(site.configuration, site.options + ["--state", state])
        #expect(origin.presents("third.example") == .certificate(site.serial("third.example")))
        func counts(_ faults: Int) -> Bool {
            origin.adminPage("/metrics").contains("\nwaymark_tls_certificate_faults \(faults)\n")
        }
        #expect(counts(0))
        shellOutput("mv \(state) \(state).old && touch \(state)")
        origin.signal(SIGHUP)
        #expect(waits { origin.log.contains("\(state)\" \(fact)") }, "\(origin.log)")
        #expect(waits { counts(1) })
        shellOutput("rm \(state) && mv \(state).old \(state)")
        origin.signal(SIGHUP)
        #expect(waits { counts(0) })
    }

    @Test func `with errors in the configuration, the list has the files that are there`() throws {
        let site = try site()
        let certificates = keep(site, site.path("kept/var"))
        // A draft that a process has left behind.
        shellOutput("cp \(certificates)/third.example.pem \(certificates)/third.example.pem.new")
        func list(_ configuration: String) throws -> Program.Outcome {
            try Program.run([
                "certificates", "list", "--config", configuration, "--env", "test", "--state",
                site.path("kept/var"),
            ])
        }
        let text = try String(contentsOf: site.configuration, encoding: .utf8)
        try site.write("waymark.yaml", Array((text + "typo: 1\n").utf8))
        let broken = try list(site.configuration.path)
        #expect(broken.status == 78 && broken.messages.contains("no key \"typo\""), "\(broken)")
        #expect(broken.messages.contains("these files are there"), "\(broken)")
        let row = try #require(broken.output.split(separator: "\n").last, "\(broken)")
        #expect(row.hasPrefix("third.example  2") && row.hasSuffix("-        valid"), "\(row)")
        try site.write("waymark.yaml", Array(text.utf8))
        #expect(try !list(site.configuration.path).messages.contains("these files are there"))
    }

    @Test func `where nothing can be served, the exit status says whether to start again`() throws {
        let site = try site()
        let text = try String(contentsOf: site.configuration, encoding: .utf8)
        let files =
            "      - {certificate: first.example.pem, key: first.example.key}\n"
            + "      - {certificate: second.example.pem, key: second.example.key}\n"
        try #require(text.contains(files))
        try site.write("waymark.yaml", Array(text.replacing(files, with: "").utf8))
        func start(_ state: String) throws -> Program.Outcome {
            try Program.run([
                "serve", "--config", site.configuration.path, "--env", "test", "--admin", "off",
                "--https", "127.0.0.1:0", "--http", "off", "--state", site.path(state),
            ])
        }
        let file = try start("kept/state")
        #expect(file.status == 78 && file.messages.contains(fact), "\(file)")
        #expect(file.messages.contains("no host of \"test\" can be served"), "\(file)")
        // A directory may be mounted late.
        let missing = try start("none/state")
        #expect(missing.status == 75, "\(missing)")
        #expect(missing.messages.contains("the directory above it does not exist"), "\(missing)")
    }

    @Test func `after the directory was moved away, only the process with the new one requests`()
        throws
    {
        let site = try site()
        let (state, another) = (site.path("kept/var"), "another process requests the certificates")
        let requested = "third.example was not issued: directory: 127.0.0.1"
        let first = try RunningOrigin(site.configuration, site.options + ["--state", state])
        #expect(waits { first.log.contains(requested) }, "\(first.log)")
        shellOutput("mv \(state) \(state).old")
        let second = try RunningOrigin(site.configuration, site.options + ["--state", state])
        #expect(waits { second.log.contains(requested) }, "\(second.log)")
        first.signal(SIGHUP)
        #expect(waits { first.log.contains(another) }, "\(first.log)")
        #expect(!second.log.contains(another))
    }

    @Test func `a list where nothing is automatic says so`() throws {
        let site = try CertificateSite()
        let listed = try Program.run([
            "certificates", "list", "--config", site.configuration.path, "--env", "test",
        ])
        #expect(listed.status == 0 && listed.output.isEmpty)
        #expect(listed.messages.contains("no host of \"test\" gets its certificate by itself"))
    }

}
