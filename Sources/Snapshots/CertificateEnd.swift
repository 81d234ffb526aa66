package import Diagnostics
import HTTPMessages
import SiteConfiguration
import TLS

/// The end of a certificate, or of one in its chain, and the finding about it.
struct CertificateEnd: Sendable {
    let file: FileReference
    /// The hosts that it names; nil where it names none.
    let hosts: String?
    /// Since 1970.
    let seconds: Int

    init(_ file: FileReference, _ certificate: ServerCertificate) {
        self.file = file
        hosts = certificate.names.shown(3)
        seconds = certificate.chainNotAfter
    }

    /// The file with its hosts.
    var name: String { quoted(file.path) + (hosts.map { " for \($0)" } ?? "") }

    var date: String { HTTPDate.text(seconds) }

    /// Nil while that is far away.
    func finding(now: Int) -> Diagnostic? {
        guard seconds < now + warningSeconds else { return nil }
        let name = "certificate \(name)"
        guard seconds > now else {
            return Diagnostic(
                .error, .expiredCertificate, at: file.position, "\(name) expired on \(date)",
                advice: "renew it; clients refuse the connection before they send a request. If it "
                    + "is new, check this machine's clock")
        }
        return Diagnostic(
            .warning, .certificateExpiresSoon, at: file.position,
            "\(name) expires on \(date), \(remaining(seconds - now))",
            advice: "renew it; waymark loads the new one by itself")
    }

    private func remaining(_ seconds: Int) -> String {
        let hours = seconds / 3600
        return switch hours {
        case 0: "within an hour"
        case 1: "in an hour"
        case ..<48: "in \(hours) hours"
        default: "in \(hours / 24) days"
        }
    }
}

extension Snapshot {
    /// Findings about certificates that end within two weeks, or have ended, and about a country file that has become old.
    /// - Parameter now: seconds since 1970.
    package func expiryFindings(now: Int) -> [Diagnostic] {
        certificates.ends.compactMap { $0.finding(now: now) }
            + [countries.ageFinding(now: now)].compactMap(\.self)
    }
}

/// Certificates that are renewed by machine are renewed earlier than this.
private let warningSeconds = 14 * 86400
