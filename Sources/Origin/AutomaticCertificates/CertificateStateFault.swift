package import Diagnostics
package import Files
import SiteConfiguration

/// Why automatic certificates cannot be kept.
package enum CertificateStateFault: Error {
    case file(String, FileError, SourcePosition)
    case key(String, String, SourcePosition)

    package var diagnostic: Diagnostic {
        switch self {
        case .file(let path, let error, let position):
            Diagnostic(
                .error, .certificateState, at: position,
                "\(quoted(path)) cannot be used for automatic certificates: \(Self.words(error))",
                advice: Self.cure(error)
                    + "; until then no certificate is requested or renewed, and what is there is "
                    + "served")
        case .key(let path, let reason, let position):
            Diagnostic(
                .error, .certificateState, at: position,
                "\(quoted(path)) is no account's key: \(reason)",
                advice: "restore it from a backup, or remove it: then a new account is made")
        }
    }

    private static func words(_ error: FileError) -> String {
        switch error {
        case .missing: "the directory above it does not exist"
        case .noPermission: "this user has no permission"
        default: "\(error)"
        }
    }

    private static func cure(_ error: FileError) -> String {
        switch error {
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
        case .key, .file(_, .noPermission, _), .file(_, .notADirectory, _): false
        case .file: true
        }
    }

    /// Whether a permission is missing.
    package var isOfPermission: Bool {
        if case .file(_, .noPermission, _) = self { true } else { false }
    }
}

/// What has come of opening a directory of automatic certificates.
struct DirectoryOpening {
    /// By the names of authorities.
    var faults = [String: CertificateStateFault]()
    /// Whether files of an earlier version were copied.
    var hasAdopted = false
    /// What keeps certificates of all authorities from being requested; nil if nothing does.
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

    /// What keeps this process from writing there, as far as that shows without writing.
    package func writingFault(at position: SourcePosition) -> CertificateStateFault? {
        writingObstacle(in: root).map { .file($0.path, $0.error, position) }
    }
}
