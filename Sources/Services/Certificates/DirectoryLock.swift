package import Diagnostics
import Files
import SiteConfiguration

/// The lock of a directory of automatic certificates. Of the processes that share the directory, one
/// requests certificates; the others serve what it writes, and take over when it ends.
package struct DirectoryLock: ~Copyable {
    private var lock: FileLock?
    private var hasTried = false
    /// The reason why this process lacks it, as of the last try; nil before that, and if it has it.
    package private(set) var obstacle: Diagnostic?

    package init() {}

    package var isHeld: Bool { lock != nil }

    /// The result of a try.
    package enum Outcome {
        case held
        /// This process does not have it, for the same reason as at the try before.
        case same
        /// For another reason; with what is to be said of it, unless the start has said it.
        case obstructed(Diagnostic, isSaid: Bool)
    }

    /// Takes the lock, and makes what is not there of the directory. A directory that cannot be used is
    /// for nobody to lock: it may be usable later.
    /// - Parameter environment: the name of the one whose hosts these are; the lock's file tells others.
    package mutating func take(
        _ directory: CertificateDirectory, _ hosts: [AutomaticHost], of environment: String
    ) -> Outcome {
        let settings = Dictionary(
            hosts.map { ($0.automatic.authorityName, $0.automatic) },
            uniquingKeysWith: { first, _ in first })
        guard let position = hosts.first?.automatic.position else { return .same }
        defer { hasTried = true }
        if let fault = directory.open(Array(settings.values), hosts).obstacle {
            return obstruct(fault.diagnostic, isSaid: !hasTried)
        }
        do throws(FileError) {
            lock = .some(try FileLock(path: directory.lock, purpose: environment))
        } catch .taken {
            return obstruct(CertificateFindings.another(in: directory.root), isSaid: false)
        } catch {
            return obstruct(
                CertificateStateFault.file(directory.lock, error, position).diagnostic,
                isSaid: false)
        }
        obstacle = nil
        return .held
    }

    /// Gives the lock up if another file has its name: then the directory was moved away, and another
    /// process may have the lock of the one in its place.
    package mutating func giveUp(ifReplacedIn directory: CertificateDirectory) -> Bool {
        guard let isOwn = lock?.isOf(directory.lock), !isOwn, FileStamp(of: directory.lock) != nil
        else { return false }
        lock = nil
        return true
    }

    private mutating func obstruct(_ next: Diagnostic, isSaid: Bool) -> Outcome {
        defer { obstacle = next }
        return next == obstacle ? .same : .obstructed(next, isSaid: isSaid)
    }
}
