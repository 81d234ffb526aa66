import Diagnostics
import SiteConfiguration
import TLS

/// A certificate of the configuration, as its files were read, and what keeps it from being used.
struct ConfiguredCertificate: Sendable {
    let files: CertificateFiles
    /// Nil where the files are no certificate with its key.
    var certificate: ServerCertificate?
    /// Of both files' contents, by which the next snapshot knows them again.
    var digest = [UInt8]()
    var faults = [BuildFault]()

    /// Nil after a fault.
    var usable: LoadedCertificate? {
        guard faults.isEmpty else { return nil }
        return certificate.map { LoadedCertificate(files: files, certificate: $0) }
    }

    /// One for clients, or for signing, looks like any other until somebody connects.
    mutating func checkServing() {
        do {
            try certificate?.checkForServers()
        } catch {
            fail(error)
        }
    }

    /// Not every kind of key can sign an association file.
    mutating func checkSigning() {
        guard let certificate else { return }
        do {
            _ = try signedMessage([], by: certificate)
        } catch {
            fail(.refused(reason: "\(error)"))
        }
    }

    mutating func fail(_ error: CertificateError) {
        let file = error.concernsKey ? files.key : files.certificate
        faults.append(
            BuildFault(
                diagnostic: Diagnostic(
                    .error, .unusableCertificate, at: file.position,
                    "\(quoted(file.path)): \(error)", advice: error.advice(files)),
                kind: .invalid))
    }
}

/// A certificate and the files that it came from.
struct LoadedCertificate: Sendable {
    let files: CertificateFiles
    let certificate: ServerCertificate

    var end: CertificateEnd {
        CertificateEnd(file: files.certificate, seconds: certificate.chainNotAfter)
    }
}

extension ServerCertificate {
    /// Whether clients whose clock is right accept its dates, in seconds since 1970.
    func isValid(at now: Int) -> Bool { notBefore <= now && now < chainNotAfter }
}

/// What is wrong with a part of what a snapshot is built from.
struct BuildFault: Error, Sendable {
    let diagnostic: Diagnostic
    let kind: SnapshotError.Kind
    /// Whether it may be over without a change of any file.
    var isPassing = false
}
