package import Certificates
package import Diagnostics
import Files
import SiteConfiguration

/// The files of what is planned. A change that cannot be written is known meanwhile, and written later.
package struct CertificateNotes {
    private let directory: CertificateDirectory
    private let report: @Sendable (ServiceEvent) -> Void
    /// The changes that could not be written last time.
    private var unwritten = Set<Note>()
    /// The time at which they are tried again, in milliseconds of the monotonic clock.
    private var retryAt = 0
    /// The reason why something is not written; nil if everything is.
    package private(set) var fault: Diagnostic?

    /// The name of a host or an authority that something is kept of.
    private enum Note: Hashable {
        case host(String)
        case authority(String)
    }

    /// A note's file.
    private struct File {
        let path: String
        /// Its content now, and the content that it must get.
        let current, next: [UInt8]
        let automatic: AutomaticCertificates
    }

    package init(
        _ directory: CertificateDirectory, _ report: @escaping @Sendable (ServiceEvent) -> Void
    ) {
        (self.directory, self.report) = (directory, report)
    }

    /// Saves the records that have changed, and those that could not be saved seconds ago.
    package mutating func save(
        _ changes: CertificateAgenda.Changes, of plan: RenewalPlan,
        _ hosts: AutomaticHosts, milliseconds now: Int
    ) {
        let isRetry = fault != nil && now >= retryAt
        let notes =
            changes.hosts.map(Note.host) + changes.authorities.map(Note.authority)
            + (isRetry ? Array(unwritten) : [])
        // The same one of several is named each time.
        var failure: (file: File, error: FileError)?
        for note in Set(notes) {
            unwritten.remove(note)
            guard let file = file(of: note, plan, hosts), file.current != file.next
            else { continue }
            do throws(FileError) {
                try keepFile(file.path, file.next)
            } catch {
                unwritten.insert(note)
                if failure.map({ file.path < $0.file.path }) ?? true { failure = (file, error) }
            }
        }
        if isRetry || failure != nil { retryAt = now + Self.retryMilliseconds }
        guard let (file, error) = failure else {
            if unwritten.isEmpty { fault = nil }
            return
        }
        let found = directory.fault(error, at: file.path, of: file.automatic, isRecord: true)
            .diagnostic
        if found.message != fault?.message { report(.finding(found)) }
        fault = found
    }

    /// Lets the next `save` try everything again.
    mutating func hasten() { retryAt = 0 }

    private func file(of note: Note, _ plan: RenewalPlan, _ hosts: AutomaticHosts) -> File? {
        switch note {
        case .host(let name):
            guard let host = hosts[name], let record = plan[name]?.record else { return nil }
            let files = HostFiles(directory, host)
            return File(
                path: files.record, current: files.readRecord().json, next: record.json,
                automatic: host.automatic)
        case .authority(let name):
            guard let automatic = hosts.settings[name], let allowance = plan.allowances[name] else {
                return nil
            }
            return File(
                path: directory.limitsFile(of: automatic),
                current: directory.allowance(of: automatic).json, next: allowance.json,
                automatic: automatic)
        }
    }

    static let retryMilliseconds = 5_000
}
