import Foundation
import TestSupport
import Testing

@Suite("A public file that is replaced while the origin serves")
struct ReplacedFileTests {
    private let path = "Public/large.bin"

    private func start(_ site: CertificateSite) throws -> RunningOrigin {
        try site.write(path, Array("first".utf8))
        return try RunningOrigin(site.configuration, site.options + ["--loops", "1"])
    }

    @Test func `the descriptor that was opened for it is closed`() throws {
        let site = try CertificateSite("    limits: {memory-file-bytes: 0}")
        let origin = try start(site)
        for content in ["second", "third"] {
            _ = origin.content(site, "large.bin")
            #expect(origin.openFiles(site.path(path)).count == 1)
            try site.write(path, Array(content.utf8))
            #expect(
                waits { origin.content(site, "large.bin") == content }, "\(origin.log)")
            // The connection that asked last for the old content may still hold it.
            let open = [site.path(path)]
            #expect(
                waits { origin.openFiles(site.path(path)) == open },
                "\(origin.openFiles(site.path(path)))")
        }
    }
}

extension RunningOrigin {
    /// The content of a public file.
    fileprivate func content(_ site: CertificateSite, _ name: String) -> String {
        let host = CertificateSite.first
        return shellOutput(
            "curl -s --cacert \(site.path("ca.pem")) --resolve \(host):\(https):127.0.0.1 "
                + "https://\(host):\(https)/\(name)")
    }

    /// What the process has open at a path, also if it was removed since.
    fileprivate func openFiles(_ path: String) -> [String] {
        shellOutput("readlink /proc/\(processIdentifier)/fd/* | grep '\(path)'")
            .split(separator: "\n").map(String.init)
    }
}
