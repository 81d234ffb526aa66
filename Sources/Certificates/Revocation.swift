import Diagnostics
import TLS
import URISyntax

/// Revokes a certificate with the key of the account that has ordered it (RFC 8555 §7.6): a value
/// like `Issuance`.
package struct Revocation: Sendable {
    /// In DER form.
    private let certificate: [UInt8]
    /// The number of RFC 5280 §5.3.1.
    private let reason: Int
    private var asked = IssuanceStep.directory
    private var repeats = 0
    /// Whether the authority has revoked it, or had before.
    package private(set) var isDone = false

    package init(certificate: [UInt8], reason: Int) {
        self.certificate = certificate
        self.reason = reason
    }

    /// The next request.
    package mutating func next(_ session: inout ACMESession) throws(IssuanceFault) -> ACMERequest {
        guard let directory = session.directory else {
            asked = .directory
            return ACMERequest(method: .get, url: session.directoryURL)
        }
        guard let nonce = session.nonce else {
            asked = .nonce
            return ACMERequest(method: .head, url: directory.newNonce)
        }
        asked = .certificate
        guard !directory.revokeCertificate.isEmpty, let account = session.account else {
            throw IssuanceFault(
                .certificate, .input,
                session.account == nil
                    ? "the account's URL is not known" : "the authority revokes no certificates")
        }
        session.nonce = nil
        let payload = JSONText.object([
            ("certificate", .string(base64URL(certificate))), ("reason", .number(reason)),
        ])
        do throws(OpenSSLError) {
            return ACMERequest(
                method: .post, url: directory.revokeCertificate,
                content: try SignedJSON.sign(
                    payload, to: directory.revokeCertificate, nonce: nonce, account: account,
                    session.key))
        } catch {
            throw IssuanceFault(.certificate, .temporary, "\(error)")
        }
    }

    /// Takes its answer.
    /// - Throws: why the certificate is not revoked.
    package mutating func take(
        _ response: ACMEResponse, _ session: inout ACMESession
    ) throws(IssuanceFault) {
        if let nonce = response.nonce { session.nonce = nonce }
        switch asked {
        case .directory:
            session.takeDirectory(response)
            guard session.directory != nil else {
                throw IssuanceFault(.directory, .temporary, "this is no directory of ACME")
            }
        case .nonce:
            guard session.nonce != nil else {
                throw IssuanceFault(.nonce, .temporary, "the authority has given no nonce")
            }
        default:
            let problem = response.isSuccess ? nil : ACMEProblem(response)
            if problem?.type == "badNonce", repeats < Self.repeatsMax {
                repeats += 1
                return
            }
            guard problem == nil || problem?.type == "alreadyRevoked" else {
                throw IssuanceFault(.certificate, problem, or: "")
            }
            isDone = true
        }
    }

    private static let repeatsMax = 60
}
