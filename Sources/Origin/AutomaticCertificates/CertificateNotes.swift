import Certificates
import Diagnostics
import Files
import SiteConfiguration

/// Keeps what is planned in files. What cannot be kept is tried again, and known meanwhile.
struct CertificateNotes {
    private let directory: CertificateDirectory
    private let report: @Sendable (OriginEvent) -> Void
    /// What could not be kept last time, by names of hosts and of authorities.
    private var hosts = Set<String>()
    private var authorities = Set<String>()
    /// When that is tried again, in milliseconds of the monotonic clock.
    private var retryAt = 0
    /// Why something is not kept; nil if everything is.
    private(set) var fault: Diagnostic?

    init(_ directory: CertificateDirectory, _ report: @escaping @Sendable (OriginEvent) -> Void) {
        (self.directory, self.report) = (directory, report)
    }

    /// Saves the records that have changed, and those that could not be saved seconds ago.
    /// - Parameters:
    ///   - known: the hosts, by their names.
    ///   - settings: those of each authority, by its name.
    mutating func save(
        _ changes: CertificateAgenda.Changes, of plan: RenewalPlan,
        _ known: [String: AutomaticHost], _ settings: [String: AutomaticCertificates],
        milliseconds now: Int
    ) {
        let isRetry = fault != nil && now >= retryAt
        var failure: CertificateStateFault?
        for name in (isRetry ? changes.hosts.union(hosts) : changes.hosts).sorted() {
            hosts.remove(name)
            guard let host = known[name], let record = plan[name]?.record else { continue }
            do throws(FileError) {
                try save(record, of: host)
            } catch {
                hosts.insert(name)
                failure =
                    failure
                    ?? directory.fault(
                        error, at: HostFiles(directory, host).record, of: host.automatic)
            }
        }
        for name in (isRetry ? changes.authorities.union(authorities) : changes.authorities)
            .sorted()
        {
            authorities.remove(name)
            guard let automatic = settings[name], let allowance = plan.allowances[name] else {
                continue
            }
            do throws(FileError) {
                try save(allowance, of: automatic)
            } catch {
                authorities.insert(name)
                failure =
                    failure
                    ?? directory.fault(
                        error, at: directory.limitsFile(of: automatic), of: automatic)
            }
        }
        if isRetry || failure != nil { retryAt = now + Self.retryMilliseconds }
        guard let found = failure?.diagnostic else {
            if hosts.isEmpty, authorities.isEmpty { fault = nil }
            return
        }
        if found.message != fault?.message { report(.finding(found)) }
        fault = found
    }

    /// Lets the next `save` try everything again.
    mutating func hasten() { retryAt = 0 }

    private func save(_ record: HostRecord, of host: AutomaticHost) throws(FileError) {
        let files = HostFiles(directory, host)
        if record != files.readRecord() { try files.write(record) }
    }

    /// Keeps the pauses that the hosts of an authority share.
    private func save(
        _ allowance: OrderAllowance, of automatic: AutomaticCertificates
    ) throws(FileError) {
        guard allowance.json != directory.allowance(of: automatic).json else { return }
        try keepFile(directory.limitsFile(of: automatic), allowance.json)
    }

    static let retryMilliseconds = 5_000
}
