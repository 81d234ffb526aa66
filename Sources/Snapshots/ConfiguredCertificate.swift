import Answering
import Diagnostics
import Files
import HTTPMessages
package import SiteConfiguration
package import TLS

/// A certificate of the configuration, as its files were read, and what keeps it from being used.
package struct ConfiguredCertificate: Sendable {
    package let files: CertificateFiles
    /// Nil where the files are no certificate with its key.
    package var certificate: ServerCertificate?
    /// Of both files' contents, by which the next snapshot knows them again.
    var digest = [UInt8]()
    /// Of both files; empty where another change might not show in them.
    var stamps = [FileStamp]()
    /// The permissions of the key's file; nil where no private key could be read.
    var keyMode: UInt32?
    /// Whether it is still to be requested by itself, so that nobody has to be told.
    var isAwaited = false

    /// Whether its hosts get a placeholder where they have nothing better: an automatic one that is not
    /// there yet, or whose file is damaged, which is requested anew.
    var needsPlaceholder: Bool { isAwaited || files.automaticHost != nil && usable == nil }

    var faults = [BuildFault]()
    var warnings = [Diagnostic]()

    /// Nil after a fault, and while it is awaited.
    package var usable: LoadedCertificate? {
        guard faults.isEmpty, !isAwaited else { return nil }
        return certificate.map { LoadedCertificate(files: files, certificate: $0) }
    }

    /// Takes what was read before, of files that have not changed since.
    mutating func takeOver(_ before: ConfiguredCertificate) {
        (certificate, digest) = (before.certificate, before.digest)
        (stamps, keyMode) = (before.stamps, before.keyMode)
    }

    /// Browsers on a desktop know how to help themselves; phones, and who fetches association files
    /// for them, do not.
    mutating func checkIssuer() {
        guard let certificate else { return }
        // Public authorities sign with intermediate certificates, whether or not they say where these
        // are; a file of the operator's may be for clients that know its issuer.
        let isOfAuthority = files.automaticHost != nil && !certificate.lacksIssuer
        guard isOfAuthority ? certificate.isAlone : certificate.lacksIssuer else { return }
        let file = files.certificate
        warnings.append(
            Diagnostic(
                .warning, .certificateLacksIssuer, at: file.position,
                "\(quoted(file.path)) contains only the host's certificate, but phones and "
                    + "fetchers also need its issuer's"
                    + (isOfAuthority ? ", unless that is a root that they trust" : ""),
                advice: files.automaticHost.map {
                    "its authority has issued it like that; waymark certificates renew \($0) --force "
                        + "orders another"
                } ?? "use the file with the whole chain; certbot's is fullchain.pem, not cert.pem"))
    }

    /// Notes the faults of its dates; that it ends soon is a warning.
    mutating func checkDates(now: Int) {
        guard let certificate else { return }
        let position = files.certificate.position
        let end = CertificateEnd(files.certificate, certificate)
        let finding: Diagnostic
        // It is renewed by itself; who does that says if it does not succeed. Until then it is served,
        // also if it has ended: that tells more than a connection that is refused.
        guard files.automaticHost == nil else { return }
        if certificate.notAfter > now, certificate.chainNotAfter <= now {
            finding = Diagnostic(
                .error, .expiredCertificate, at: position,
                "an issuer's certificate in \(end.name) expired on \(end.date)",
                advice: "renew the certificate, or use the authority's current chain")
        } else if certificate.notBefore > now {
            let date = HTTPDate.text(certificate.notBefore)
            let clock = HTTPDate.text(now)
            finding = Diagnostic(
                .error, .certificateNotYetValid, at: position,
                "certificate \(end.name) is not valid before \(date)",
                advice: "this machine's clock says \(clock); correct it, or wait")
        } else if let ending = end.finding(now: now) {
            finding = ending
        } else {
            return
        }
        if finding.severity == .error {
            faults.append(BuildFault(diagnostic: finding, kind: .invalid))
        } else {
            warnings.append(finding)
        }
    }

    /// One for clients, or for signing, looks like any other until somebody connects.
    mutating func checkServing() {
        guard let certificate else { return }
        if let fault = certificate.servingFault {
            fail(fault)
        } else if let host = files.automaticHost, !certificate.covers(host) {
            fail("the certificate is not for \(host)", advice: nil, of: files.certificate)
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
        fail(
            "\(error)", advice: error.advice(files),
            of: error.concernsKey ? files.key : files.certificate)
    }

    private mutating func fail(_ reason: String, advice: String?, of file: FileReference) {
        // Nobody has made the file of an automatic certificate, and nobody has to mend it.
        let automatic = files.automaticHost.map {
            "another certificate of \($0) is requested by itself; waymark certificates list shows when"
        }
        faults.append(
            BuildFault(
                diagnostic: Diagnostic(
                    .error, .unusableCertificate, at: file.position,
                    "\(quoted(file.path)): \(reason)", advice: automatic ?? advice),
                kind: .invalid))
    }
}

/// A certificate and the files that it came from.
package struct LoadedCertificate: Sendable {
    package let files: CertificateFiles
    package let certificate: ServerCertificate

    var end: CertificateEnd { CertificateEnd(files.certificate, certificate) }
}

extension ServerCertificate {
    /// Whether clients whose clock is right accept its dates, in seconds since 1970.
    package func isValid(at now: Int) -> Bool { notBefore <= now && now < chainNotAfter }
}
