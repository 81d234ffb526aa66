import Certificates
import Diagnostics
import Files
package import SiteConfiguration
import Snapshots
package import TLS

/// The directory in which automatic certificates, their keys and accounts are kept. Only its owner
/// can read it.
///
///     acme/lock                              held by the process that requests certificates
///     acme/AUTHORITY/account.pem             the account's key
///     acme/AUTHORITY/account.url             its URL, and the thumbprint of the key that it is for
///     acme/AUTHORITY/limits.json             what hosts wait for together
///     acme/AUTHORITY/certificates/HOST.pem   the key and the chain, in one file
///     acme/AUTHORITY/orders/HOST.json        what is remembered of the host
///     acme/AUTHORITY/orders/HOST.key         the key of an order that is not finished
///     acme/AUTHORITY/otherwise/OTHER/…       the account's URL and the limits of another authority that is
///                                            asked in its place, or of a test authority
///     acme/renewals/HOST                     an order to renew
///     acme/fleet.json                        of a node of a fleet: whose turn it is
package struct CertificateDirectory: Sendable {
    package let root: String
    /// The place where an earlier version kept them, for all environments; nil where there is none.
    private let before: String?

    /// - Parameters:
    ///   - path: the directory of `--state`.
    ///   - before: the directory that all environments had together.
    package init(_ path: String, before: String? = nil) {
        root = "\(path)/acme"
        self.before = before.map { "\($0)/acme" }
    }

    /// The directory in which the running process keeps them: the one before, until a process has
    /// taken over what is there.
    package var current: CertificateDirectory {
        guard let before, FileStamp(of: root) == nil, FileStamp(of: before) != nil else {
            return self
        }
        return CertificateDirectory(String(before.utf8.dropLast("/acme".utf8.count)) ?? before)
    }

    /// Makes what is not there of the directories, and of the account's key.
    package func prepare(_ automatic: AutomaticCertificates) throws(CertificateStateFault) {
        try makeDirectories(of: automatic)
        _ = try accountKey(of: automatic)
    }

    func makeDirectories(of automatic: AutomaticCertificates) throws(CertificateStateFault) {
        for directory in parents + directories(of: automatic) {
            let isNew = FileStamp(of: directory) == nil
            do throws(FileError) {
                try createDirectory(directory, mode: 0o700)
            } catch {
                let cause = writingObstacle(in: directory) ?? (directory, error)
                throw .file(cause.path, cause.error, automatic.position)
            }
            if isNew { try? synchronizeDirectory(parentDirectory(of: directory)) }
        }
    }

    var parents: [String] {
        let state = parentDirectory(of: root)
        return (before == nil ? [] : [parentDirectory(of: state)]) + [state]
    }

    func directories(of automatic: AutomaticCertificates) -> [String] {
        let place = "\(root)/\(automatic.firstName)"
        let all = [root, renewals, place, "\(place)/certificates", "\(place)/orders"]
        guard automatic.first != nil else { return all }
        return all + ["\(place)/otherwise", self.place(of: automatic)]
    }

    /// Copies what an earlier version has kept for these hosts, in the directory that all environments
    /// had together, where it stays. The account's key comes last, so that a copy that was cut short
    /// is made again.
    /// - Returns: whether something was there.
    func adopt(_ hosts: [AutomaticHost]) throws(CertificateStateFault) -> Bool {
        guard let before else { return false }
        var found = false
        for (place, hosts) in Dictionary(grouping: hosts, by: { place(of: $0.automatic) }) {
            let automatic = hosts[0].automatic
            let old = "\(before)/\(automatic.authorityName)"
            guard FileStamp(of: "\(old)/account.pem") != nil,
                FileStamp(of: "\(place)/account.pem") == nil
            else { continue }
            let names = hosts.map(\.name.fileName)
            let files =
                names.map { "certificates/\($0).pem" }
                + names.flatMap { ["orders/\($0).json", "orders/\($0).key"] }
                + ["account.url", "account.pem"]
            try makeDirectories(of: automatic)
            for file in files {
                guard let content = try? readFile("\(old)/\(file)", bytesMax: Self.copyBytesMax)
                else { continue }
                try keep("\(place)/\(file)", content.bytes, for: automatic)
            }
            found = true
        }
        return found
    }

    static let copyBytesMax = 1 << 20

    /// The certificates that are there, by the names of their files, and when each ends, in seconds
    /// since 1970: what is known without a configuration.
    package func findCertificates() -> [(name: String, notAfter: Int)] {
        findTree(under: root).files.compactMap { file in
            let parts = file.relativePath.utf8.split(separator: UInt8(ascii: "/"))
            guard parts.count == 3, parts[1].elementsEqual("certificates".utf8),
                parts[2].suffix(4).elementsEqual(".pem".utf8),
                let name = String(parts[2].dropLast(4)),
                let content = try? readFile("\(root)/\(file.relativePath)", bytesMax: 1 << 20),
                let found = try? ServerCertificate(chain: content.bytes, key: content.bytes)
            else { return nil }
            return (name, found.validity.notAfter)
        }.sorted { $0.name < $1.name }
    }

    /// Replaces a file in one step, and waits until it and its name are on the disk.
    func keep(
        _ path: String, _ bytes: [UInt8], for automatic: AutomaticCertificates
    ) throws(CertificateStateFault) {
        do throws(FileError) {
            try keepFile(path, bytes)
        } catch {
            throw .file(path, error, automatic.position)
        }
    }

    /// Faults of the files that certificates are requested with.
    static func findings(of automatic: AutomaticCertificates) -> [Diagnostic] {
        let files = automatic.list.flatMap { authority in
            [
                ("authorities' file", authority.authorities),
                ("key file of the external account", authority.externalAccount?.key),
            ]
        }
        return files.compactMap { what, file in
            guard let file else { return nil }
            do throws(FileError) {
                _ = try readFile(file.path, bytesMax: 1 << 20)
                return nil
            } catch {
                return Diagnostic(
                    .error, .unreadableFile, at: file.position,
                    "\(what) \(quotedPath(file.path)) cannot be read: "
                        + error.words(at: file.path),
                    advice: (error.linkCure(at: file.path) ?? "correct the path, or create the file")
                        + "; without it, no certificate is requested")
            }
        }
    }

    /// Faults of the program that sets records in DNS.
    static func programFindings(of automatic: AutomaticCertificates) -> [Diagnostic] {
        guard let file = automatic.program, let (fact, cure) = fault(ofProgram: file.path) else {
            return []
        }
        return [
            Diagnostic(
                .error, .unreadableFile, at: file.position,
                "the program \(quotedPath(file.path)) cannot be run: \(fact)",
                advice: "\(cure); without it, no host is proven by records in DNS")
        ]
    }

    private static func fault(ofProgram path: String) -> (fact: String, cure: String)? {
        do throws(FileError) {
            try checkExecutable(path)
        } catch {
            return switch error {
            case .noPermission:
                (
                    "this user has no permission to execute it",
                    "run chmod +x, and try it as this user: \(path) set "
                        + "_acme-challenge.example.com test"
                )
            case .missing: (error.words(at: path), "install it, or correct the path")
            default: ("\(error)", "name a program")
            }
        }
        return switch ScriptFault(at: path) {
        case .noInterpreter?:
            ("it is text without an interpreter", "begin it with a line such as #!/bin/sh")
        case .carriageReturn?:
            ("its first line ends with a carriage return", "save it with line feeds alone")
        case .interpreter(let name, let error)?:
            (
                "its interpreter \(quoted(name)): \(error.words(at: name))",
                "install that, or correct the first line"
            )
        case nil: nil
        }
    }

    /// Warnings about a directory that is there.
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
        let found = exposed + openDirectories(of: settings, at: position)
        guard let name = volatileFileSystem(at: root) else { return found }
        return found + [
            Diagnostic(
                .warning, .certificateState, at: position,
                "\(quoted(root)) is on \(name), which is lost with the machine or the container",
                advice: "use a directory that stays; each start would request certificates anew, "
                    + "until the authority refuses")
        ]
    }

    /// Warnings about directories in which every user can replace keys and certificates.
    private func openDirectories(
        of settings: [AutomaticCertificates], at position: SourcePosition
    ) -> [Diagnostic] {
        var seen = Set<String>()
        return ([parentDirectory(of: root)] + settings.flatMap(directories(of:)))
            .filter { seen.insert($0).inserted }
            .compactMap { directory in
                guard let mode = directoryMode(directory), mode & 0o002 != 0 else { return nil }
                return Diagnostic(
                    .warning, .certificateState, at: position,
                    "\(quoted(directory)) has mode 0\(String(mode, radix: 8)), so every user of "
                        + "this machine can replace the keys and certificates in it",
                    advice: "run chmod 700")
            }
    }

    package func place(of automatic: AutomaticCertificates) -> String {
        "\(root)/\(automatic.authorityName)"
    }

    /// The file of a host's certificate.
    func file(_ automatic: AutomaticCertificates, _ host: CertificateName) -> String {
        "\(place(of: automatic))/certificates/\(host.fileName).pem"
    }

    /// The file of what its hosts wait for together.
    func limitsFile(of automatic: AutomaticCertificates) -> String {
        "\(place(of: automatic))/limits.json"
    }

    /// The pauses that its hosts share, as far as they are kept.
    func allowance(of automatic: AutomaticCertificates) -> OrderAllowance {
        let bytes = (try? readFile(limitsFile(of: automatic), bytesMax: Self.copyBytesMax))?.bytes
        return OrderAllowance(json: bytes ?? [], limit: .known(of: automatic.directory))
    }

    /// The file of an account's URL.
    func accountURLFile(of automatic: AutomaticCertificates) -> String {
        "\(place(of: automatic))/account.url"
    }

    /// The order for a host that nobody has carried out yet; nil if there is none.
    func order(for name: CertificateName) -> CertificateOrder? {
        (try? readFile(orderFile(of: name), bytesMax: 256)).map { CertificateOrder($0.bytes) }
    }

    func keep(_ order: CertificateOrder, for name: CertificateName) throws(FileError) {
        try keepFile(orderFile(of: name), order.content)
    }

    /// Removes an order that was carried out, unless there is another one by now.
    func remove(_ order: CertificateOrder, for name: CertificateName) {
        if self.order(for: name) == order { removeFile(orderFile(of: name)) }
    }

    private func orderFile(of name: CertificateName) -> String { "\(renewals)/\(name.fileName)" }

    var lock: String { "\(root)/lock" }
    var renewals: String { "\(root)/renewals" }

    func accountFile(of automatic: AutomaticCertificates) -> String {
        "\(root)/\(automatic.firstName)/account.pem"
    }

    /// Removes unfinished files of a process that was killed while it wrote; they can hold a key. Only
    /// the process with the lock writes there.
    package func removeDrafts(of automatic: AutomaticCertificates) {
        for directory in ["certificates", "orders"].map({ "\(place(of: automatic))/\($0)" }) {
            for file in (try? findFiles(under: directory)) ?? []
            where file.relativePath.utf8.suffix(4).elementsEqual(".new".utf8) {
                removeFile("\(directory)/\(file.relativePath)")
            }
        }
    }

    /// The key of the account, which is made where there is none.
    package func accountKey(
        of automatic: AutomaticCertificates
    ) throws(CertificateStateFault) -> SigningKey {
        let path = accountFile(of: automatic)
        do {
            if let text = try? readFile(path, bytesMax: Self.keyBytesMax).bytes {
                return try SigningKey(pem: text)
            }
            let key = try SigningKey()
            if try createFile(path, try key.pem(), mode: 0o600) {
                try? synchronizeDirectory(parentDirectory(of: path))
                return key
            }
            return try SigningKey(pem: try readFile(path, bytesMax: Self.keyBytesMax).bytes)
        } catch let error as FileError {
            if error == .missing, isSymbolicLink(path) {
                throw .danglingKey(path, automatic.position)
            }
            throw .file(path, error, automatic.position)
        } catch {
            throw .key(path, "\(error)", automatic.position)
        }
    }

    /// With which challenges of the account are answered; nil if there is no key yet.
    package func thumbprint(of automatic: AutomaticCertificates) -> String? {
        let text = try? readFile(accountFile(of: automatic), bytesMax: Self.keyBytesMax).bytes
        return text.flatMap { try? SigningKey(pem: $0) }?.thumbprint
    }

    static let keyBytesMax = 65_536
}

/// Replaces a file that only its owner can read, and waits until it and its name are on the disk.
func keepFile(_ path: String, _ bytes: [UInt8]) throws(FileError) {
    try replaceFile(path, bytes, mode: 0o600)
    try synchronizeDirectory(parentDirectory(of: path))
}
