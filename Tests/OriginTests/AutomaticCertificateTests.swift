import Answering
import Services
import Snapshots
import TestSupport
import Diagnostics
import Files
import Foundation
import Glibc
import SiteConfiguration
import Sockets
import TLS
import Testing
import URISyntax

@testable import Origin

/// How certificates that are requested by themselves are served; Tests/Tools/check-acme requests them.
@Suite("Automatic certificates")
struct AutomaticCertificateTests {
    private let directory: TemporaryDirectory
    private let authority: DevelopmentAuthority
    private let now = Clock.unixSeconds

    init() throws {
        directory = try TemporaryDirectory()
        authority = try DevelopmentAuthority(now: now)
    }

    /// An environment with these hosts and this `tls`.
    private func environment(
        _ hosts: String = "[a.example, b.example]", tls: String
    ) throws -> Environment {
        let (configuration, diagnostics) = Configuration.read(
            Array(text(hosts, tls: tls).utf8), file: "waymark.yaml", directory: directory.path)
        let environment = try #require(
            configuration?.environment(named: "prod"), "\(diagnostics)")
        let placed = environment.placingCertificates(in: CertificateDirectory(directory.path))
        #expect(placed.obstacle == nil)
        return placed.environment
    }

    private func text(_ hosts: String, tls: String) -> String {
        """
        version: 1
        apps: {app: {name: app, ios: {id: ABCDE12345.com.example.app}}}
        links: {all: {match: /p/*, web: landing}}
        environments:
          prod:
            hosts: \(hosts)
            tls: \(tls)
            publish: {app: [all]}
        """
    }

    private func build(_ environment: Environment, after previous: Snapshot? = nil) throws
        -> Snapshot
    {
        try Snapshot.build(
            environment, limits: .patient, ticketKeys: try TestOrigin.ticketKeys.get(),
            after: previous, now: now)
    }

    /// Writes the file that would have been issued.
    private func issue(_ environment: Environment, _ host: String) throws {
        let files = try #require(
            environment.sites[0].certificates.first { $0.automaticHost == host })
        let (chain, key) = try authority.issue(for: [host], now: now)
        try HostFiles(path: files.certificate.path).write(key: key, chain: chain)
    }

    private static let automatic = "{automatic: {terms: agreed}}"

    @Test func `a host has a placeholder until its certificate is there`() throws {
        let environment = try environment(tls: Self.automatic)
        let first = try build(environment)
        #expect(first.tls != nil && !first.canShakeHands(now: now))
        #expect(first.certificates.hosts.map(\.isPlaceholder) == [true, true])
        // Nobody has to do anything.
        #expect(first.certificateFaults == [] && first.certificateConsequences == [])
        #expect(first.automaticHosts.map(\.name.description) == ["a.example", "b.example"])
        #expect(
            first.placeholderReminder?.message
                == "2 hosts still without a certificate, answered with a placeholder that no client "
                + "trusts: a.example, b.example")
        try issue(environment, "b.example")
        let second = try build(environment, after: first)
        #expect(second.certificates.hosts.map(\.isPlaceholder) == [true, false])
        #expect(second.canShakeHands(now: now))
        #expect(second.placeholderReminder?.message.hasPrefix("1 host still") == true)
        try issue(environment, "a.example")
        #expect(try build(environment, after: second).placeholderReminder == nil)
        let placeholder = try #require(first.certificates.placeholder)
        #expect(second.certificates.placeholder === placeholder)
        #expect(!placeholder.covers("a.example") && !placeholder.covers("waymark placeholder"))
        // Who names no host gets a certificate that clients may trust.
        #expect(second.certificates.standard?.certificate.covers("b.example") == true)
    }

    @Test func `a renewed one takes the place of the one before, which is never taken away`() throws
    {
        let environment = try environment("a.example", tls: Self.automatic)
        try issue(environment, "a.example")
        let first = try build(environment)
        let before = try #require(first.certificates.hosts[0].certificate?.certificate)
        try issue(environment, "a.example")
        let second = try build(environment, after: first)
        let after = try #require(second.certificates.hosts[0].certificate?.certificate)
        #expect(before !== after)
        // The file is lost, and then damaged.
        let path = environment.sites[0].certificates[0].certificate.path
        _ = shell("rm \(path)")
        let third = try build(environment, after: second)
        #expect(third.certificates.hosts[0].certificate?.certificate === after)
        #expect(third.certificateConsequences == [])
        try directory.write(relative(path), Array("x".utf8))
        let fourth = try build(environment, after: third)
        #expect(fourth.certificates.hosts[0].certificate?.certificate === after)
        #expect(fourth.certificateFaults.map(\.rule) == [.unusableCertificate])
        // Nobody has made it with certbot.
        #expect(
            fourth.certificateFaults[0].advice
                == "another certificate of a.example is requested by itself; waymark certificates "
                + "list shows when")
    }

    @Test func `one whose chain is the leaf alone is a warning when it is loaded`() throws {
        let environment = try environment("a.example", tls: Self.automatic)
        try issue(environment, "a.example")
        let first = try build(environment)
        #expect(first.warnings.map(\.rule) == [.certificateLacksIssuer])
        #expect(first.warnings[0].message.hasSuffix("unless that is a root that they trust"))
        #expect(first.certificateFaults == [] && first.canShakeHands(now: now))
        // A reload finds it, too.
        let second = try build(environment, after: first)
        #expect(second.warnings.map(\.rule) == [.certificateLacksIssuer])
        let path = environment.sites[0].certificates[0].certificate.path
        let whole = try readFile(path, bytesMax: 1 << 20).bytes + authority.certificatePEM()
        try directory.write(relative(path), whole)
        #expect(try build(environment, after: second).warnings == [])
    }

    @Test func `one that is for another host is damaged, and not served`() throws {
        let environment = try environment(tls: Self.automatic)
        try issue(environment, "b.example")
        let files = environment.sites[0].certificates
        _ = shell("cp \(files[1].certificate.path) \(files[0].certificate.path)")
        let snapshot = try build(environment)
        #expect(snapshot.certificates.hosts.map(\.isPlaceholder) == [true, false])
        #expect(snapshot.certificateFaults.map(\.rule) == [.unusableCertificate])
        let kept = CertificateDirectory(directory.path)
        let found = snapshot.automaticHosts.map { HostFiles(kept, $0).readCertificate() != nil }
        #expect(found == [false, true])
    }

    @Test func `one that has ended is served until there is another`() throws {
        let environment = try environment("a.example", tls: Self.automatic)
        try issue(environment, "a.example")
        let later = now + 400 * 86_400
        let snapshot = try Snapshot.build(
            environment, limits: .patient, ticketKeys: try TestOrigin.ticketKeys.get(),
            now: later)
        #expect(snapshot.certificateFaults == [])
        #expect(!snapshot.certificates.hosts[0].isPlaceholder)
        #expect(!snapshot.canShakeHands(now: later))
    }

    @Test func `one that is served is known, although its file cannot be reached any more`() throws
    {
        let environment = try environment("a.example", tls: Self.automatic)
        try issue(environment, "a.example")
        let first = try build(environment)
        let host = try #require(first.automaticHosts.first)
        let files = HostFiles(CertificateDirectory(directory.path), host)
        #expect(!files.areOutOfReach)
        let acme = CertificateDirectory(directory.path).root
        _ = shell("mv \(acme) \(acme).old && touch \(acme)")
        let second = try build(environment, after: first)
        #expect(files.areOutOfReach && files.readCertificate() == nil)
        #expect(second.issuedCertificates["a.example"] == nil)
        #expect(second.servedCertificates["a.example"]?.covers("a.example") == true)
        // A placeholder is none.
        #expect(try build(environment).servedCertificates.isEmpty)
    }

    @Test func `hosts of a file are not requested, unless they are named`() throws {
        let (chain, key) = try authority.issue(for: ["a.example"], now: now)
        try directory.write("own.pem", chain)
        try directory.write("own.key", key)
        let own = "{certificate: own.pem, key: own.key}"
        let mixed = try environment(tls: "[\(own), \(Self.automatic)]")
        let first = try build(mixed)
        #expect(first.automaticHosts.map(\.name.description) == ["b.example"])
        // The commands, which have no snapshot, know the same.
        #expect(mixed.automaticHosts == first.automaticHosts)
        let statuses = CertificateDirectory(directory.path).statuses(of: mixed)
        #expect(statuses.map(\.host.description) == ["b.example"])
        #expect(first.certificates.hosts.map(\.isPlaceholder) == [false, true])
        // Named for it, the host keeps what the file gives until there is something better.
        let named = try environment(
            tls: "[\(own), {automatic: {terms: agreed, hosts: a.example}}]")
        let second = try build(named, after: first)
        #expect(second.automaticHosts.map(\.name.description) == ["a.example"])
        let before = try #require(second.certificates.hosts[0].certificate?.certificate)
        #expect(before.covers("a.example"))
        try issue(named, "a.example")
        let third = try build(named, after: second)
        #expect(third.certificates.hosts[0].certificate?.certificate !== before)
        #expect(third.certificates.hosts[0].certificate?.files.automaticHost == "a.example")
    }

    @Test func `a host that changes over keeps its file's until the first is issued`() throws {
        let (chain, key) = try authority.issue(for: ["a.example"], now: now)
        try directory.write("own.pem", chain)
        try directory.write("own.key", key)
        let first = try build(
            try environment("a.example", tls: "{certificate: own.pem, key: own.key}"))
        let second = try build(
            try environment("a.example", tls: Self.automatic), after: first)
        #expect(
            second.certificates.hosts[0].certificate?.certificate
                === first.certificates.hosts[0].certificate?.certificate)
        #expect(!second.certificates.hosts[0].isPlaceholder)
        #expect(second.certificateConsequences == [])
    }

    @Test func `what they are requested with is checked, also where nothing is requested`() throws {
        let (configuration, _) = Configuration.read(
            Array(
                text(
                    "a.example",
                    tls: """
                        {automatic: {terms: agreed, authorities: roots.pem,
                        external-account: {id: a, key: b}}}
                        """
                ).utf8), file: "waymark.yaml", directory: directory.path)
        let environment = try #require(configuration?.environment(named: "prod"))
        let placed = environment.placingCertificates(in: nil)
        #expect(placed.findings.map(\.rule) == [.unreadableFile, .unreadableFile])
        #expect(placed.obstacle == nil)
        // Without a directory no key is made, and no challenge answered.
        #expect(placed.environment.sites[0].accountThumbprint == nil)
        #expect(try build(placed.environment).certificateFaults == [])
        try directory.write("roots.pem", [])
        try directory.write("b", [])
        #expect(environment.placingCertificates(in: nil).findings == [])
    }

    @Test func `a file in the place of the directory is named, and is no reason to serve nothing`()
        throws
    {
        let (configuration, _) = Configuration.read(
            Array(text("a.example", tls: Self.automatic).utf8), file: "waymark.yaml",
            directory: directory.path)
        let environment = try #require(configuration?.environment(named: "prod"))
        try directory.write("var", [])
        let common = "\(directory.path)/var"
        for kept in [
            CertificateDirectory(common), CertificateDirectory("\(common)/prod"),
            CertificateDirectory("\(common)/prod", before: common),
        ] {
            let placed = environment.placingCertificates(in: kept)
            #expect(placed.findings.map(\.rule) == [.certificateState])
            #expect(
                placed.findings[0].message == "\"\(common)\" cannot be used for automatic "
                    + "certificates: it is not a directory")
            #expect(placed.findings[0].advice?.hasPrefix("move this file away") == true)
            #expect(placed.obstacle?.isPassing == false)
            let fault = kept.writingFault(at: environment.position)
            #expect(fault?.diagnostic.message == placed.findings[0].message)
            #expect(try build(placed.environment).requestsCertificates)
        }
        _ = shell("rm \(common)")
        let placed = environment.placingCertificates(
            in: CertificateDirectory("\(common)/prod", before: common))
        #expect(placed.findings.filter { $0.severity == .error } == [])
        #expect(placed.obstacle == nil && placed.environment.sites[0].accountThumbprint != nil)
        let missing = environment.placingCertificates(
            in: CertificateDirectory("\(directory.path)/none/other"))
        #expect(missing.findings[0].message.hasSuffix("the directory above it does not exist"))
    }

    @Test(.enabled("a small disk takes root's rights") { SmallDisk.isPossible })
    func `a full disk is what it is called, with and without an account`() throws {
        let (configuration, _) = Configuration.read(
            Array(text("a.example", tls: Self.automatic).utf8), file: "waymark.yaml",
            directory: directory.path)
        let environment = try #require(configuration?.environment(named: "prod"))
        func isFull(_ placed: PlacedCertificates) -> Bool {
            placed.obstacle?.isPassing == true
                && placed.findings.contains {
                    $0.severity == .error
                        && $0.message.hasSuffix("certificates: No space left on device")
                        && $0.advice?.hasPrefix("make room there") == true
                }
        }
        let found = try SmallDisk.use(bytes: 1 << 16) { path in
            let kept = CertificateDirectory("\(path)/var")
            let file = open("\(path)/fill", O_WRONLY | O_CREAT, 0o600)
            let bytes = [UInt8](repeating: 0, count: 4096)
            while write(file, bytes, bytes.count) == bytes.count {}
            let without = environment.placingCertificates(in: kept)
            unlink("\(path)/fill")
            close(file)
            let empty = environment.placingCertificates(in: kept)
            let again = open("\(path)/fill", O_WRONLY | O_CREAT, 0o600)
            while write(again, bytes, bytes.count) == bytes.count {}
            close(again)
            let with = environment.placingCertificates(in: kept)
            return (without, empty, with)
        }
        #expect(isFull(found.0), "\(found.0.findings)")
        #expect(found.1.obstacle == nil, "\(found.1.findings)")
        #expect(isFull(found.2), "\(found.2.findings)")
        // Challenges are answered all the same.
        #expect(found.2.environment.sites[0].accountThumbprint != nil)
    }

    @Test func `what is there is served, although nothing can be requested`() throws {
        let environment = try environment("a.example", tls: Self.automatic)
        try issue(environment, "a.example")
        let place = CertificateDirectory(directory.path).place(
            of: try #require(environment.sites[0].automatic))
        try directory.write(relative("\(place)/account.pem"), Array("damaged".utf8))
        let placed = environment.placingCertificates(in: CertificateDirectory(directory.path))
        #expect(placed.findings.map(\.rule) == [.certificateState])
        #expect(placed.findings[0].severity == .error)
        #expect(placed.obstacle?.isPassing == false)
        #expect(try build(placed.environment).canShakeHands(now: now))
    }

    @Test func `what was left half written is removed, and nothing else`() throws {
        let environment = try environment("a.example", tls: Self.automatic)
        let kept = CertificateDirectory(directory.path)
        let automatic = try #require(environment.sites[0].automatic)
        let place = relative(kept.place(of: automatic))
        let (left, others) = (
            ["certificates/a.example.pem.12.new", "orders/a.example.key.7.new"],
            ["certificates/a.new.pem", "orders/a.example.json", "account.pem.9.new"]
        )
        for name in left + others { try directory.write("\(place)/\(name)", []) }
        kept.removeDrafts(of: automatic)
        func isThere(_ name: String) -> Bool {
            FileStamp(of: "\(directory.path)/\(place)/\(name)") != nil
        }
        #expect(left.filter(isThere) == [] && others.filter(isThere) == others)
    }

    @Test func `an account's key that everybody can read is a warning`() throws {
        let environment = try environment("a.example", tls: Self.automatic)
        let kept = CertificateDirectory(directory.path)
        let place = kept.place(of: try #require(environment.sites[0].automatic))
        for (mode, rules) in [("600", []), ("640", []), ("644", [RuleName.keyReadableByAll])] {
            _ = shell("chmod \(mode) \(place)/account.pem")
            let findings = environment.placingCertificates(in: kept).findings
            #expect(findings.map(\.rule).filter { $0 == .keyReadableByAll } == rules, "\(mode)")
        }
    }

    @Test func `an account's URL is that of its key, or is asked for again`() throws {
        let environment = try environment("a.example", tls: Self.automatic)
        let kept = CertificateDirectory(directory.path)
        let automatic = try #require(environment.sites[0].automatic)
        let file = relative("\(kept.place(of: automatic))/account.url")
        let key = try kept.accountKey(of: automatic)
        let thumbprint = try #require(kept.thumbprint(of: automatic))
        let url = "https://ca.example/account/1"
        let texts: [(String, String?)] = [
            ("\(url)\n\(thumbprint)\n", url), ("\(url)\n", nil), ("", nil),
            ("\(url)\n\(thumbprint.reversed())\n", nil), ("\(thumbprint)\n\(url)\n", nil),
        ]
        for (text, expected) in texts {
            try directory.write(file, Array(text.utf8))
            let found = CertificateAuthority.url(inFile: "\(directory.path)/\(file)", of: key)
            #expect(found == expected, "\(text)")
        }
    }

    private func relative(_ path: String) -> String {
        String(path.dropFirst(directory.path.count + 1))
    }

    @Test func `hosts that no authority issues for are not requested`() throws {
        let environment = try environment(
            "[a.example, localhost, 192.0.2.1]", tls: Self.automatic)
        #expect(try build(environment).automaticHosts.map(\.name.description) == ["a.example"])
    }

    @Test func `nothing of what is kept can be public`() throws {
        let environment = try environment(tls: Self.automatic)
        let hidden = Set(environment.confidentialFiles.map(\.reference.path))
        for files in environment.sites[0].certificates {
            #expect(hidden.contains(files.key.path))
        }
        let state = directory.path + "/acme"
        let files = try FileManager.default.subpathsOfDirectory(atPath: state)
            .filter { (try? readFile("\(state)/\($0)", bytesMax: 1 << 20)) != nil }
        #expect(files.contains { $0.hasSuffix("account.pem") })
        #expect(shell("mkdir \(directory.path)/Public").status == 0)
        let name = "\(directory.path)/Public/x.txt"
        for file in files {
            #expect(shell("ln \(state)/\(file) \(name)").status == 0)
            let error = #expect(throws: BuildError.self) { try build(environment) }
            #expect(error?.diagnostics.map(\.rule) == [.secretInPublic])
            #expect(shell("rm \(name); echo x > \(name)").status == 0)
            _ = try build(environment)
            #expect(shell("rm \(name)").status == 0)
        }
    }

    @Test func `a challenge is answered with the account's thumbprint`() throws {
        let environment = try environment("a.example", tls: Self.automatic)
        let snapshot = try build(environment)
        let thumbprint = try #require(environment.sites[0].accountThumbprint)
        func answer(_ token: String) -> String {
            String(
                decoding: snapshot.predict(
                    Array(
                        """
                        GET /.well-known/acme-challenge/\(token) HTTP/1.1\r
                        Host: a.example\r\n\r\n
                        """.utf8), isSecure: false), as: UTF8.self)
        }
        let right = answer("abc-_1")
        #expect(right.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(right.hasSuffix("\r\n\r\nabc-_1.\(thumbprint)"))
        #expect(right.contains("Content-Type: text/plain\r\n"))
        #expect(right.contains("X-Content-Type-Options: nosniff\r\n"))
        for wrong in ["abc.1", "", "%3Cb%3E", "a/b", String(repeating: "a", count: 129)] {
            #expect(!answer(wrong).contains(thumbprint), "\(wrong)")
        }
    }
}

extension HostFiles {
    init(path: String) { self.init(host: "", certificate: path, record: "", key: "") }
}
