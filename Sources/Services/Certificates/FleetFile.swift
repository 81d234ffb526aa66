import Certificates
import TLS

/// The meaning of a file of automatic certificates that nodes share.
enum FleetFile: Hashable, Sendable {
    /// The key of the accounts with an authority and those that are asked in its place.
    case account(authority: String)
    case accountURL(authority: String)
    case limits(authority: String)
    case certificate(host: String)
    case record(host: String)
    case orderKey(host: String)
    /// The key authorization of a challenge that each node answers in handshakes. It is in no directory.
    case challenge(host: String)

    /// The files for these hosts, by their names in the database: those are their paths in the directory. Other
    /// names that are there are of nodes with another configuration.
    static func all(
        _ hosts: AutomaticHosts, in directory: CertificateDirectory
    ) -> [String: FleetFile] {
        var found = [String: FleetFile]()
        func add(_ path: String, _ file: FleetFile) {
            guard path.utf8.starts(with: "\(directory.root)/".utf8) else { return }
            found[
                String(decoding: path.utf8.dropFirst(directory.root.utf8.count + 1), as: UTF8.self)] =
                file
        }
        for (name, automatic) in hosts.settings {
            add(directory.accountFile(of: automatic), .account(authority: name))
            add(directory.accountURLFile(of: automatic), .accountURL(authority: name))
            add(directory.limitsFile(of: automatic), .limits(authority: name))
        }
        for (name, host) in hosts.byName {
            let files = HostFiles(directory, host)
            add(files.certificate, .certificate(host: name))
            add(files.record, .record(host: name))
            add(files.key, .orderKey(host: name))
            found[challengeName(of: name)] = .challenge(host: name)
        }
        return found
    }

    static func challengeName(of host: String) -> String { "challenges/\(host)" }

    /// Whether it says what becomes of a host's other files.
    var isRecord: Bool {
        if case .record = self { true } else { false }
    }

    /// Whether a content can be used. One that cannot, such as a damaged file, is neither copied nor written.
    func accepts(_ content: [UInt8]) -> Bool {
        switch self {
        case .account, .orderKey: (try? SigningKey(pem: content)) != nil
        case .certificate(let host):
            (try? ServerCertificate(chain: content, key: content))?.canServe(host) ?? false
        case .record: HostRecord(json: content) != nil
        case .limits: OrderAllowance.accepts(json: content)
        case .accountURL, .challenge: true
        }
    }
}
