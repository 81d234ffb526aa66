package import Certificates
import HTTPMessages
package import SiteConfiguration
import Snapshots
package import TLS
import URISyntax

/// The checks of an issued certificate before it takes the place of the one that is served.
package enum CertificateAcceptance {
    /// - Parameters:
    ///   - chain: as it was issued, in PEM form.
    ///   - before: what is served until now.
    ///   - now: in seconds since 1970.
    /// - Throws: why it is not used.
    package static func accept(
        _ chain: [UInt8], key: [UInt8], for name: CertificateName,
        after before: ServerCertificate?, now: Int
    ) throws(IssuanceFault) -> ServerCertificate {
        let certificate: ServerCertificate
        do throws(CertificateError) {
            certificate = try ServerCertificate(chain: chain, key: key)
        } catch {
            throw IssuanceFault(.certificate, .temporary, "the certificate is not used: \(error)")
        }
        let fault =
            fault(of: certificate, name, now: now)
            ?? disadvantage(of: certificate, after: before, now: now)
        if let fault {
            throw IssuanceFault(.certificate, .temporary, "the certificate is not used: \(fault)")
        }
        return certificate
    }

    private static func fault(
        of certificate: ServerCertificate, _ name: CertificateName, now: Int
    ) -> String? {
        if !certificate.covers(name.description) {
            "it is not for the host"
        } else if let fault = certificate.servingFault {
            "\(fault)"
        } else if certificate.notBefore > now + clockSkewSeconds {
            "it is not valid before \(HTTPDate.text(certificate.notBefore)), and this machine's clock says "
                + HTTPDate.text(now)
        } else if certificate.chainNotAfter <= now {
            "it ended on \(HTTPDate.text(certificate.chainNotAfter)), and this machine's clock says "
                + HTTPDate.text(now)
        } else {
            nil
        }
    }

    /// The reason why fewer clients would accept it than the one before, which is still valid.
    /// Where there is none, such a certificate is better than nothing.
    private static func disadvantage(
        of certificate: ServerCertificate, after before: ServerCertificate?, now: Int
    ) -> String? {
        guard let before, before.isValid(at: now) else { return nil }
        // A certificate may say where its issuer's is; not all authorities write that.
        if certificate.isAlone && before.hasIntermediate
            || certificate.lacksIssuer && !before.lacksIssuer
        {
            return "its chain lacks the issuer's certificate, which the one before has"
        }
        if certificate.chainCount > chainCountMax, before.chainCount <= chainCountMax {
            return "its chain has \(certificate.chainCount) certificates, and clients take "
                + "\(chainCountMax) at most; the one before has \(before.chainCount)"
        }
        return nil
    }

    private static let clockSkewSeconds = 600
    /// Browsers refuse longer ones by their size or their length.
    private static let chainCountMax = 10
}

extension ServerCertificate {
    var validity: RenewalSchedule.Validity { .init(notBefore: notBefore, notAfter: notAfter) }

    /// As authorities write it (RFC 9773 §4.1).
    var renewalID: String? {
        renewalIdentifier.map { "\(base64URL($0.issuerKey)).\(base64URL($0.serial))" }
    }
}
