import Foundation
import Glibc
import TestSupport
import TLS

/// Three hosts, each with a certificate of its own, in a directory that is removed with its owner;
/// who serves it may read all of it. Clients trust `ca.pem`.
final class CertificateSite {
    static let (first, second, third) = ("first.example", "second.example", "third.example")

    let directory: URL
    let configuration: URL
    private let authority: DevelopmentAuthority
    private let now = Int(Date().timeIntervalSince1970)

    init(_ more: String = "") throws {
        directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        configuration = directory.appending(path: "waymark.yaml")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        authority = try DevelopmentAuthority(now: now)
        try FileManager.default.createDirectory(
            at: directory.appending(path: "Public"), withIntermediateDirectories: true)
        try Data(
            """
            version: 1
            apps:
              app: {ios: {id: W4X7K2M9QH.com.example.app}}
            links:
              home: {match: /}
            environments:
              test:
                hosts: [first.example, second.example, third.example]
                tls:
                  - {certificate: first.example.pem, key: first.example.key}
                  - {certificate: second.example.pem, key: second.example.key}
                  - {certificate: third.example.pem, key: third.example.key}
                publish: {app: [home]}
            \(more)
            """.utf8
        ).write(to: configuration)
        try write("ca.pem", authority.certificatePEM())
        for host in [Self.first, Self.second, Self.third] { try certify(host) }
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// Options with which the process is nobody, where it would be root, who may read everything.
    var options: [String] { geteuid() == 0 ? ["--user", "nobody"] : [] }

    func path(_ name: String) -> String { directory.appending(path: name).path }

    /// Replaces a file at once, as ACME clients do.
    func write(_ name: String, _ bytes: [UInt8]) throws {
        let new = directory.appending(path: ".new")
        try Data(bytes).write(to: new)
        chmod(new.path, 0o600)
        if geteuid() == 0 { chown(new.path, nobody, nobody) }
        rename(new.path, path(name))
    }

    /// Gives a host a certificate and a key.
    /// - Parameters:
    ///   - name: whom it is for; the host itself unless given.
    ///   - daysAgo: when it began to be valid.
    func certify(_ host: String, for name: String? = nil, daysAgo: Int = 0, days: Int = 90) throws {
        let issued = try authority.issue(
            for: [name ?? host], now: now - daysAgo * 86400, days: days)
        try write("\(host).key", issued.key)
        try write("\(host).pem", issued.certificate)
    }

    /// The serial number of the certificate in a host's file.
    func serial(_ host: String) -> String {
        serialNumber(shellOutput("openssl x509 -noout -serial -in \(path("\(host).pem"))"))
    }

    private let nobody: uid_t = 65534
}

/// What a TLS client of a host learns.
enum Presented: Equatable {
    /// A certificate of this serial number.
    case certificate(String)
    /// The alert `unrecognized_name`.
    case refused
    case other(String)
}

extension RunningOrigin {
    /// - Parameter host: nil asks for none.
    func presents(_ host: String?) -> Presented {
        let name = host.map { "-servername \($0)" } ?? "-noservername"
        // Not `echo`, which interprets backslashes in the dump of a ticket.
        let print = "printf '%s\\n' \"$answer\""
        let text = shellOutput(
            "answer=$(openssl s_client -connect 127.0.0.1:\(https) \(name) </dev/null 2>&1); "
                + "\(print); \(print) | openssl x509 -noout -serial")
        if text.contains("unrecognized name") { return .refused }
        let serial = serialNumber(text)
        return serial.isEmpty ? .other(text) : .certificate(serial)
    }

    /// The status of an association file over a new connection, after a verified handshake.
    func status(_ site: CertificateSite, _ host: String) -> String {
        shellOutput(Self.request(site, host, https))
    }

    func adminPage(_ path: String) -> String {
        shellOutput("curl -s -w '%{http_code}' 'http://127.0.0.1:\(admin)\(path)'")
    }

    static func request(_ site: CertificateSite, _ host: String, _ port: Int) -> String {
        "curl -s -o /dev/null -w '%{http_code}' --cacert \(site.path("ca.pem")) --resolve "
            + "\(host):\(port):127.0.0.1 "
            + "https://\(host):\(port)/.well-known/apple-app-site-association"
    }
}

/// Clients that ask for an association file of some hosts, over a new connection each time, until
/// they are told to end.
final class CertificateLoad {
    private let process = Process()
    private let stop: URL
    private let answers: URL

    init(_ site: CertificateSite, _ origin: RunningOrigin, _ hosts: [String]) throws {
        stop = site.directory.appending(path: "stop")
        answers = site.directory.appending(path: "answers")
        let requests = hosts.map { host in
            "\(RunningOrigin.request(site, host, origin.https)); echo \" \(host)\"; "
        }
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = [
            "-c",
            "for i in {1..2000}; do [ -e \(stop.path) ] && exit; \(requests.joined()) "
                + "sleep 0.05; done > \(answers.path)",
        ]
        try process.run()
        _ = waits { self.lines.count >= hosts.count }
    }

    private var lines: [Substring] {
        ((try? String(contentsOf: answers, encoding: .utf8)) ?? "").split(separator: "\n")
    }

    /// Ends them, and returns what they got, each distinct answer once.
    func end() throws -> Set<Substring> {
        try Data().write(to: stop)
        process.waitUntilExit()
        return Set(lines)
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }
}

private func serialNumber(_ text: String) -> String {
    let line = text.split(separator: "\n").first { $0.hasPrefix("serial=") }
    return line.map { String($0.dropFirst("serial=".count)) } ?? ""
}
