import Certificates
import Files
import SiteConfiguration

/// Keeps what is planned in files, and reports what cannot be kept.
struct CertificateNotes: Sendable {
    let directory: CertificateDirectory
    let report: @Sendable (OriginEvent) -> Void

    /// Keeps what is remembered of a host, if it has changed.
    func save(_ record: HostRecord, of host: AutomaticHost) {
        let files = HostFiles(directory, host)
        guard record != files.readRecord() else { return }
        do throws(FileError) {
            try files.write(record)
        } catch {
            report(
                .finding(
                    CertificateStateFault.file(
                        directory.place(of: host.automatic), error, host.automatic.position
                    ).diagnostic))
        }
    }

    /// Keeps the pauses that the hosts of an authority share, if they have changed.
    func save(_ allowance: OrderAllowance, of automatic: AutomaticCertificates) {
        guard allowance.json != directory.allowance(of: automatic).json else { return }
        do throws(CertificateStateFault) {
            try directory.keep(
                directory.limitsFile(of: automatic), allowance.json, for: automatic)
        } catch {
            report(.finding(error.diagnostic))
        }
    }
}
