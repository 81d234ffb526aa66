import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Of several certificates each takes away its own hosts and nobody else's", .serialized)
struct CertificateMatrixTests {
    /// What becomes of a host's certificate and key.
    enum State: String, CaseIterable, CustomTestStringConvertible {
        case valid, renewed
        case expired, notYet, wrongKey, unreadable, missing, damaged, wrongName

        var testDescription: String { rawValue }

        /// What is said of it; nil for one that can be used.
        var rule: String? {
            switch self {
            case .valid, .renewed: nil
            case .expired: "expired-certificate"
            case .notYet: "certificate-not-yet-valid"
            case .wrongKey, .damaged: "unusable-certificate"
            case .unreadable, .missing: "unreadable-file"
            case .wrongName: "certificate-lacks-host"
            }
        }

        func make(_ site: CertificateSite, _ host: String) throws {
            switch self {
            case .valid: break
            case .renewed: try site.certify(host)
            case .expired: try site.certify(host, daysAgo: 90, days: 89)
            case .notYet: try site.certify(host, daysAgo: -2)
            case .wrongKey:
                shellOutput("openssl ecparam -name prime256v1 -genkey -noout > \(site.path("k"))")
                let key = try Data(contentsOf: site.directory.appending(path: "k"))
                try site.write("\(host).key", Array(key))
            case .unreadable:
                // Root's alone; where the test is not root, nobody's.
                if geteuid() == 0 { chown(site.path("\(host).key"), 0, 0) }
                chmod(site.path("\(host).key"), geteuid() == 0 ? 0o600 : 0)
            case .missing: unlink(site.path("\(host).pem"))
            case .damaged: try site.write("\(host).pem", Array("-----BEGIN CERTIFICATE-----".utf8))
            case .wrongName: try site.certify(host, for: "elsewhere.example")
            }
        }
    }

    enum Occasion: String, CaseIterable, CustomTestStringConvertible {
        case start, hangUp, fileChange

        var testDescription: String { rawValue }
    }

    private let first = CertificateSite.first
    private let second = CertificateSite.second
    private let third = CertificateSite.third

    @Test(
        "each host's state, and what the others get",
        arguments: State.allCases, Occasion.allCases)
    func matrix(_ state: State, _ occasion: Occasion) throws {
        let site = try CertificateSite()
        let before = site.serial(first)
        if occasion == .start { try state.make(site, first) }
        let origin = try RunningOrigin(site.configuration, site.options)
        let load = try CertificateLoad(site, origin, [second, third])
        if occasion != .start {
            try state.make(site, first)
            if occasion == .hangUp { origin.signal(SIGHUP) }
            if state != .valid || occasion == .hangUp {
                #expect(waits { origin.log.contains("waymark: reloaded test") }, "\(origin.log)")
            }
        }
        try check(state, occasion, before, site, origin)
        if state.rule != nil, occasion == .fileChange {
            // Mended, it is taken over by itself.
            unlink(site.path("\(first).key"))
            try site.certify(first)
            let wanted = Presented.certificate(site.serial(first))
            #expect(waits { origin.presents(first) == wanted }, "\(origin.log)")
        }
        #expect(try load.end() == ["200 \(second)", "200 \(third)"])
        #expect(!origin.log.contains("reload-refused"))
    }

    private func check(
        _ state: State, _ occasion: Occasion, _ before: String, _ site: CertificateSite,
        _ origin: RunningOrigin
    ) throws {
        let log = origin.log
        #expect(
            state.rule.map { log.contains("[\($0)]") } ?? !log.contains(": error: "), "\(log)")
        let health = origin.adminPage("/readyz?verbose")
        #expect(health.hasSuffix("passed\n200"), "\(health)")
        let sample = "waymark_tls_host_usable{host=\"\(first)\"}"
        let metrics = origin.adminPage("/metrics").split(separator: "\n")
        if state.rule != nil, occasion == .start {
            #expect(origin.presents(first) == .refused)
            // Who names no host gets the first certificate that can be used.
            #expect(origin.presents(nil) == .certificate(site.serial(second)))
            #expect(log.contains("\"\(first)\" has no usable certificate"), "\(log)")
            #expect(health.contains("\(first): no usable certificate"), "\(health)")
            #expect(metrics.contains("\(sample) 0"))
        } else {
            let isKept = state.rule != nil || state == .valid
            let wanted = Presented.certificate(isKept ? before : site.serial(first))
            #expect(origin.presents(first) == wanted)
            #expect(origin.presents(nil) == wanted)
            #expect(origin.status(site, first) == "200")
            #expect(
                log.contains("\"\(first)\" keeps the previous certificate") == (state.rule != nil))
            #expect(metrics.contains("\(sample) 1"))
        }
        let faults = metrics.first { $0.hasPrefix("waymark_tls_certificate_faults ") }
        #expect(faults?.hasSuffix(state.rule == nil ? " 0" : " 1") == true, "\(faults ?? "")")
    }

    // MARK: Beside a configuration with an error

    @Test(
        "a certificate is renewed, or kept, also while the configuration is refused",
        arguments: [
            "typo: 1\n",
            "expect:\n  - {url: 'https://first.example/none', env: test, opens: [app]}\n",
        ])
    func refusedConfiguration(_ mistake: String) throws {
        let site = try CertificateSite()
        let origin = try RunningOrigin(site.configuration, site.options)
        let text = try String(contentsOf: site.configuration, encoding: .utf8)
        let others = [second, third].map(site.serial)
        try site.write("waymark.yaml", Array((text + mistake).utf8))
        #expect(waits { origin.log.contains("[reload-refused]") }, "\(origin.log)")
        try site.certify(first)
        let renewed = Presented.certificate(site.serial(first))
        #expect(waits { origin.presents(first) == renewed }, "\(origin.log)")
        #expect(
            waits {
                origin.log.contains(
                    "waymark: other certificates are served for first.example; all else")
            }, "\(origin.log)")
        #expect([second, third].map(origin.presents) == others.map { .certificate($0) })
        // One that cannot be used is said, and the one before stays.
        try State.wrongName.make(site, first)
        #expect(waits { origin.log.contains("[certificate-kept]") }, "\(origin.log)")
        #expect(origin.presents(first) == renewed)
        #expect(!origin.log.contains("waymark: reloaded"))
        try site.certify(first)
        try site.write("waymark.yaml", Array(text.utf8))
        #expect(waits { origin.log.contains("waymark: reloaded test") }, "\(origin.log)")
        let last = Presented.certificate(site.serial(first))
        #expect(waits { origin.presents(first) == last }, "\(origin.log)")
    }

    // MARK: Where none can be used

    private func spoilAll(_ site: CertificateSite) throws {
        for host in [first, second, third] { try State.expired.make(site, host) }
    }

    @Test func `a start without a certificate answers plain HTTP, and https once there is one`()
        throws
    {
        let site = try CertificateSite("    acme-webroot: acme")
        try spoilAll(site)
        try FileManager.default.createDirectory(
            at: site.directory.appending(path: "acme/.well-known/acme-challenge"),
            withIntermediateDirectories: true)
        try site.write("acme/.well-known/acme-challenge/token", Array("proof".utf8))
        let origin = try RunningOrigin(site.configuration, site.options)
        #expect(
            origin.log.contains(
                "\"\(first)\", \"\(second)\", \"\(third)\" have no usable certificate; TLS "
                    + "handshakes for them are refused [host-without-certificate]"),
            "\(origin.log)")
        for host in [first, nil] { #expect(origin.presents(host) == .refused) }
        #expect(origin.adminPage("/readyz").hasSuffix("failed\n503"))
        let metrics = origin.adminPage("/metrics")
        #expect(metrics.contains("waymark_ready 0\n"))
        #expect(
            metrics.contains("waymark_tls_handshake_errors_total{reason=\"no_certificate\"} 2\n"))
        for path in [
            "/.well-known/apple-app-site-association", "/.well-known/acme-challenge/token",
        ] {
            let answer = shellOutput(
                "curl -s -w '%{http_code}' -H 'Host: \(first)' "
                    + "http://127.0.0.1:\(origin.http)\(path)")
            #expect(answer.hasSuffix("200"), "\(answer)")
        }
        try site.certify(second)
        #expect(waits { origin.status(site, second) == "200" }, "\(origin.log)")
        #expect(origin.presents(first) == .refused)
        #expect(origin.adminPage("/readyz").hasSuffix("ok\n200"))
    }

    @Test func `without plain HTTP, and without a certificate, a start ends`() throws {
        let site = try CertificateSite()
        try spoilAll(site)
        func start(_ options: String...) throws -> Program.Outcome {
            try Program.run(
                [
                    "serve", "--config", site.configuration.path, "--env", "test", "--admin", "off",
                    "--https", "127.0.0.1:0",
                ] + options)
        }
        let none = try start("--http", "off")
        #expect(none.status == 78)
        #expect(none.messages.contains("[nothing-to-answer]"), "\(none.messages)")
        for host in [first, second, third] { try State.missing.make(site, host) }
        #expect(try start("--http", "off").status == 66)
        // One is enough.
        try site.certify(third)
        let origin = try RunningOrigin(site.configuration, site.options + ["--http", "off"])
        #expect(origin.status(site, third) == "200")
    }

    @Test func `an origin without https does not look at certificates`() throws {
        let site = try CertificateSite()
        try spoilAll(site)
        let origin = try RunningOrigin(site.configuration, site.options + ["--https", "off"])
        #expect(!origin.log.contains("certificate"), "\(origin.log)")
        #expect(origin.adminPage("/readyz").hasSuffix("ok\n200"))
    }

    @Test func `lint finds what a start says, and ends with the status of the first fault`() throws
    {
        let site = try CertificateSite()
        try State.expired.make(site, first)
        try State.missing.make(site, second)
        let outcome = try Program.run("lint", "--env", "test", site.configuration.path)
        #expect(outcome.status == 78)
        for rule in ["expired-certificate", "unreadable-file"] {
            #expect(outcome.output.contains(": error: ") && outcome.output.contains("[\(rule)]"))
        }
    }

    @Test(.enabled(if: geteuid() == 0))
    func `a key that only root reads is missed at the start, before its first renewal`() throws {
        let site = try CertificateSite()
        try State.unreadable.make(site, first)
        let origin = try RunningOrigin(site.configuration, site.options)
        #expect(origin.log.contains("first.example.key\" cannot be read: no permission"))
        #expect(origin.presents(first) == .refused)
        #expect(origin.status(site, second) == "200")
        // All of a configuration is read with the rights that a reload has.
        chmod(site.configuration.path, 0o600)
        chown(site.configuration.path, 0, 0)
        let refused = try Program.run(
            "serve", "--config", site.configuration.path, "--env", "test", "--user", "nobody",
            "--https", "127.0.0.1:0", "--http", "127.0.0.1:0", "--admin", "off")
        #expect(refused.status == 77, "\(refused.messages)")
        let root = try RunningOrigin(site.configuration)
        #expect(root.status(site, first) == "200")
    }
}
