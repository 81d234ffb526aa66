import Certificates
package import Diagnostics
import Files
package import SiteConfiguration
import TLS
import URISyntax

/// The directory in which automatic certificates, their keys and accounts are kept. Only its owner
/// can read it.
///
///     acme/lock                              held by the process that requests certificates
///     acme/AUTHORITY/account.pem             the account's key
///     acme/AUTHORITY/account.url             its URL, and the thumbprint of the key that it is for
///     acme/AUTHORITY/certificates/HOST.pem   the key and the chain, in one file
///     acme/AUTHORITY/orders/HOST.json        what is remembered of the host
///     acme/AUTHORITY/orders/HOST.key         the key of an order that is not finished
///     acme/renewals/HOST                     an order to renew
package struct CertificateDirectory: Sendable {
    let root: String

    /// - Parameter path: the directory of `--state`.
    package init(_ path: String) { root = "\(path)/acme" }

    /// Makes what is not there of the directories, and of the accounts' keys.
    func prepare(_ settings: [AutomaticCertificates]) throws(CertificateStateFault) {
        for automatic in settings {
            let place = place(of: automatic)
            for directory in [
                String(root.utf8.dropLast("/acme".utf8.count)) ?? root, root, "\(root)/renewals",
                place, "\(place)/certificates", "\(place)/orders",
            ] {
                do throws(FileError) {
                    try createDirectory(directory, mode: 0o700)
                } catch {
                    throw .file(directory, error, automatic.position)
                }
            }
            _ = try accountKey(of: automatic)
        }
    }

    /// What is wrong with the files that certificates are requested with.
    static func findings(of automatic: AutomaticCertificates) -> [Diagnostic] {
        let files = [
            ("authorities' file", automatic.authorities),
            ("key file of the external account", automatic.externalAccount?.key),
        ]
        return files.compactMap { what, file in
            guard let file else { return nil }
            do throws(FileError) {
                _ = try readFile(file.path, bytesMax: 1 << 20)
                return nil
            } catch {
                return Diagnostic(
                    .error, .unreadableFile, at: file.position,
                    "\(what) \(quoted(file.path)) cannot be read: \(error)",
                    advice: "without it, no certificate is requested")
            }
        }
    }

    /// What is to be said of a directory that is there.
    func warnings(
        of settings: [AutomaticCertificates], at position: SourcePosition
    ) -> [Diagnostic] {
        let exposed = settings.flatMap { automatic -> [Diagnostic] in
            let path = accountFile(of: automatic)
            guard let file = try? readFile(path, bytesMax: Self.keyBytesMax) else { return [] }
            return exposure(
                ofKeyFile: FileReference(path: path, position: automatic.position),
                "account key", mode: file.mode)
        }
        guard let name = volatileFileSystem(at: root) else { return exposed }
        return exposed + [
            Diagnostic(
                .warning, .certificateState, at: position,
                "\(quoted(root)) is on \(name), which is lost with the machine or the container",
                advice: "use a directory that stays; each start would request certificates anew, "
                    + "until the authority refuses")
        ]
    }

    func place(of automatic: AutomaticCertificates) -> String {
        "\(root)/\(automatic.authorityName)"
    }

    /// The file of a host's certificate.
    func file(_ automatic: AutomaticCertificates, _ host: HostName) -> String {
        "\(place(of: automatic))/certificates/\(host).pem"
    }

    var lock: String { "\(root)/lock" }
    var renewals: String { "\(root)/renewals" }

    private func accountFile(of automatic: AutomaticCertificates) -> String {
        "\(place(of: automatic))/account.pem"
    }

    /// Removes unfinished files of a process that was killed while it wrote; they can hold a key. Only
    /// the process with the lock writes there.
    func removeDrafts(of automatic: AutomaticCertificates) {
        for directory in ["certificates", "orders"].map({ "\(place(of: automatic))/\($0)" }) {
            for file in (try? findFiles(under: directory)) ?? []
            where file.relativePath.utf8.suffix(4).elementsEqual(".new".utf8) {
                removeFile("\(directory)/\(file.relativePath)")
            }
        }
    }

    /// Whether there is something that can be served.
    func hasCertificates(of settings: [AutomaticCertificates]) -> Bool {
        settings.contains { automatic in
            let files = try? findFiles(under: "\(place(of: automatic))/certificates")
            return files?.contains { $0.relativePath.utf8.suffix(4).elementsEqual(".pem".utf8) }
                ?? false
        }
    }

    /// The key of the account, which is made where there is none.
    func accountKey(
        of automatic: AutomaticCertificates
    ) throws(CertificateStateFault) -> SigningKey {
        let path = accountFile(of: automatic)
        do {
            if let text = try? readFile(path, bytesMax: Self.keyBytesMax).bytes {
                return try SigningKey(pem: text)
            }
            let key = try SigningKey()
            if try createFile(path, try key.pem(), mode: 0o600) { return key }
            return try SigningKey(pem: try readFile(path, bytesMax: Self.keyBytesMax).bytes)
        } catch let error as FileError {
            throw .file(path, error, automatic.position)
        } catch {
            throw .key(path, "\(error)", automatic.position)
        }
    }

    /// With which challenges of the account are answered; nil if there is no key yet.
    func thumbprint(of automatic: AutomaticCertificates) -> String? {
        (try? accountKey(of: automatic))?.thumbprint
    }

    static let keyBytesMax = 65_536
}

/// Why automatic certificates cannot be kept.
enum CertificateStateFault: Error {
    case file(String, FileError, SourcePosition)
    case key(String, String, SourcePosition)

    var diagnostic: Diagnostic {
        switch self {
        case .file(let path, let error, let position):
            Diagnostic(
                .error, .certificateState, at: position,
                "\(quoted(path)) cannot be used for automatic certificates: \(error)",
                advice: "give --state a directory that this user can write")
        case .key(let path, let reason, let position):
            Diagnostic(
                .error, .certificateState, at: position,
                "\(quoted(path)) is no account's key: \(reason)",
                advice: "restore it from a backup, or remove it: then a new account is made")
        }
    }
}

/// What is kept of one host.
struct HostFiles: Sendable {
    let certificate: String
    let record: String
    let key: String

    init(_ directory: CertificateDirectory, _ host: AutomaticHost) {
        let orders = "\(directory.place(of: host.automatic))/orders/\(host.name)"
        self.init(
            certificate: directory.file(host.automatic, host.name), record: "\(orders).json",
            key: "\(orders).key")
    }

    init(certificate: String, record: String, key: String) {
        (self.certificate, self.record, self.key) = (certificate, record, key)
    }

    func readRecord() -> HostRecord {
        (try? readFile(record, bytesMax: 65_536)).flatMap { HostRecord(json: $0.bytes) }
            ?? HostRecord()
    }

    func write(_ next: HostRecord) throws(FileError) {
        try replaceFile(record, next.json, mode: 0o600)
    }

    /// The key of an order that is not finished.
    func readKey() -> SigningKey? {
        (try? readFile(key, bytesMax: CertificateDirectory.keyBytesMax)).flatMap {
            try? SigningKey(pem: $0.bytes)
        }
    }

    func write(key pem: [UInt8]) throws(FileError) { try replaceFile(key, pem, mode: 0o600) }

    /// Puts a certificate in the place of the one before, with its key in the same step.
    func write(key pem: [UInt8], chain: [UInt8]) throws(FileError) {
        try replaceFile(certificate, pem + chain, mode: 0o600)
        let end = certificate.utf8.lastIndex(of: UInt8(ascii: "/")) ?? certificate.startIndex
        try synchronizeDirectory(String(certificate.utf8[..<end]) ?? ".")
        removeFile(key)
    }
}

/// An environment with the files of its automatic certificates, and what is wrong with what they are
/// requested with.
package struct PlacedCertificates: Sendable {
    package let environment: Environment
    package let findings: [Diagnostic]
    /// Whether they can be kept, or there are some that can be served.
    package let isPossible: Bool
}

extension Environment {
    /// Adds the files of automatic certificates to those that the configuration names.
    /// - Parameter directory: is prepared for them; nil where none is requested.
    package func placingCertificates(in directory: CertificateDirectory?) -> PlacedCertificates {
        // Sites mostly have the same authority.
        let settings = Dictionary(
            sites.compactMap(\.automatic).map { ($0.authorityName, $0) },
            uniquingKeysWith: { first, _ in first })
        guard !settings.isEmpty else {
            return PlacedCertificates(environment: self, findings: [], isPossible: true)
        }
        var findings = settings.values.flatMap(CertificateDirectory.findings(of:))
        var thumbprints = [String: String]()
        var isPossible = true
        if let directory {
            do throws(CertificateStateFault) {
                try directory.prepare(Array(settings.values))
                thumbprints = settings.compactMapValues(directory.thumbprint(of:))
                findings += directory.warnings(of: Array(settings.values), at: position)
            } catch {
                findings.append(error.diagnostic)
                // What is there is served, although nothing can be requested.
                isPossible = directory.hasCertificates(of: Array(settings.values))
            }
        }
        let files = directory ?? CertificateDirectory("")
        return PlacedCertificates(
            environment: keepingCertificates(
                in: files.file, thumbprint: { thumbprints[$0.authorityName] }),
            findings: findings.inOrder, isPossible: isPossible)
    }
}
