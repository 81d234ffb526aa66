package import Diagnostics
package import Files
package import SiteConfiguration

/// A reason why automatic certificates cannot be kept.
package enum CertificateStateFault: Error {
    /// Certificates are requested without a file that only records what has come of that.
    case file(String, FileError, SourcePosition, isRecord: Bool = false)
    case key(String, String, SourcePosition)
    /// An account's key is a symbolic link to nothing.
    case danglingKey(String, SourcePosition)

    package var diagnostic: Diagnostic {
        switch self {
        case .file(let path, let error, let position, let isRecord):
            Diagnostic(
                .error, .certificateState, at: position,
                "\(quotedPath(path)) cannot be used for automatic certificates: \(Self.words(error, path))",
                advice: Self.cure(error, path)
                    + (isRecord
                        ? "; until then certificates are renewed all the same, but a restart forgets "
                            + "what could not be written there"
                        : "; until then no certificate is requested or renewed, and what is there is "
                            + "served"))
        case .key(let path, let reason, let position):
            Diagnostic(
                .error, .certificateState, at: position,
                "\(quotedPath(path)) is no account's key: \(reason)",
                advice: "restore it from a backup, or remove it: then a new account is made")
        case .danglingKey(let path, let position):
            Diagnostic(
                .error, .certificateState, at: position,
                "\(quotedPath(path)) is no account's key: it is a symbolic link to nothing",
                advice:
                    "restore the file that it names, or remove the link: then a new account is made; "
                    + "until then no certificate is requested or renewed, and what is there is served"
            )
        }
    }

    private static func words(_ error: FileError, _ path: String) -> String {
        switch error {
        case .missing where isSymbolicLink(path): "it is a symbolic link to nothing"
        case .missing: "the directory above it does not exist"
        case .noPermission: "this user has no permission"
        default: "\(error)"
        }
    }

    private static func cure(_ error: FileError, _ path: String) -> String {
        switch error {
        case .directory: "move this directory away"
        case .missing where isSymbolicLink(path):
            "create the directory that it names, or give --state another directory"
        case .readOnlyFileSystem: "mount it for writing, or give --state another directory"
        case .notADirectory: "move this file away, or give --state a directory"
        case .missing: "create it, or give --state another directory"
        case .noPermission:
            "give it to this user (chown -R), or give --state a directory that this user can write"
        case _ where error.isLackOfRoom: "make room there; waymark then uses it by itself"
        default: "remove the cause, or give --state another directory"
        }
    }

    /// Whether it may be over without another configuration or other permissions.
    package var isPassing: Bool {
        switch self {
        case .key, .file(_, .noPermission, _, _), .file(_, .notADirectory, _, _): false
        case .file, .danglingKey: true
        }
    }

    /// Whether a permission is missing.
    package var isOfPermission: Bool {
        if case .file(_, .noPermission, _, _) = self { true } else { false }
    }
}

/// The result of opening a directory of automatic certificates.
struct DirectoryOpening {
    /// By the names of authorities.
    var faults = [String: CertificateStateFault]()
    /// Whether files of an earlier version were copied.
    var hasAdopted = false
    /// The fault that keeps certificates of all authorities from being requested; nil if there is none.
    var obstacle: CertificateStateFault?
}

extension CertificateDirectory {
    /// Makes what is not there for these authorities, and takes over what an earlier version has kept
    /// for the hosts.
    /// - Parameter settings: one for each authority, at least one.
    func open(_ settings: [AutomaticCertificates], _ hosts: [AutomaticHost]) -> DirectoryOpening {
        var opening = DirectoryOpening()
        do throws(CertificateStateFault) {
            // An account that is made before the old one is copied would take its place.
            opening.hasAdopted = try adopt(hosts)
        } catch {
            opening.obstacle = error
            return opening
        }
        let settings = settings.sorted { $0.authorityName < $1.authorityName }
        for automatic in settings {
            do throws(CertificateStateFault) {
                try prepare(automatic)
            } catch {
                opening.faults[automatic.authorityName] = error
            }
        }
        if opening.faults.count == settings.count {
            opening.obstacle = settings.first.flatMap { opening.faults[$0.authorityName] }
        } else if let position = settings.first?.position {
            opening.obstacle = writingFault(at: position)
        }
        return opening
    }

    /// The fault that keeps this process from writing there, as far as it shows without writing.
    package func writingFault(at position: SourcePosition) -> CertificateStateFault? {
        // Only the directory itself is made, not those above it.
        if let first = parents.first, FileStamp(of: parentDirectory(of: first)) == nil,
            !isSymbolicLink(first), !isSymbolicLink(parentDirectory(of: first))
        {
            return .file(first, .missing, position)
        }
        return writingObstacle(in: root).map { .file($0.path, $0.error, position) }
    }

    /// The faults that keep this process from using the directory for some hosts, as far as they show
    /// without writing.
    package func faults(of hosts: [AutomaticHost]) -> [CertificateStateFault] {
        guard let position = hosts.first?.automatic.position else { return [] }
        if let fault = writingFault(at: position) { return [fault] }
        var seen = Set<String>()
        let settings = Set(hosts.map(\.automatic)).flatMap(\.everyAuthority)
            .filter { seen.insert($0.authorityName).inserted }
            .sorted { $0.authorityName < $1.authorityName }
        var faults = [CertificateStateFault]()
        func check(_ path: String, _ automatic: AutomaticCertificates, isRecord: Bool = false) {
            guard seen.insert(path).inserted else { return }
            do throws(FileError) {
                _ = try readFile(path, bytesMax: Self.copyBytesMax)
            } catch .missing {
            } catch {
                faults.append(fault(error, at: path, of: automatic, isRecord: isRecord))
            }
        }
        for automatic in settings {
            for obstacle in directories(of: automatic).compactMap(writingObstacle)
            where seen.insert(obstacle.path).inserted {
                faults.append(.file(obstacle.path, obstacle.error, automatic.position))
            }
        }
        guard faults.isEmpty else { return faults }
        for automatic in settings {
            let account = accountFile(of: automatic)
            if FileStamp(of: account) != nil || isSymbolicLink(account),
                seen.insert(account).inserted
            {
                do throws(CertificateStateFault) {
                    _ = try accountKey(of: automatic)
                } catch {
                    faults.append(error)
                }
            }
            check(lock, automatic)
            for file in [limitsFile(of: automatic), accountURLFile(of: automatic)] {
                check(file, automatic, isRecord: true)
            }
        }
        for host in hosts {
            let files = HostFiles(self, host)
            for file in [files.key, files.certificate] { check(file, host.automatic) }
            check(files.record, host.automatic, isRecord: true)
        }
        return faults
    }

    /// The fault of a file that could not be used, or of the directory that is the cause.
    package func fault(
        _ error: FileError, at path: String, of automatic: AutomaticCertificates,
        isRecord: Bool = false
    ) -> CertificateStateFault {
        if let cause = writingObstacle(in: parentDirectory(of: path)) {
            return .file(cause.path, cause.error, automatic.position)
        }
        let own = error == .notARegularFile && directoryMode(path) != nil ? .directory : error
        return .file(path, own, automatic.position, isRecord: isRecord)
    }
}
