private import Diagnostics

import HTTPClient
import TLS

// What the handshakes of a server, and its certificates, mean.

extension Judge {
    func handshakeFindings(_ exchange: ClientExchange) -> [LiveFinding] {
        if let peer = exchange.peer, let fault = certificateFinding(peer.faults, peer.chain) {
            let stopgap = StopgapCertificate(in: peer.chain)
            return [stopgap.map { $0.finding(for: survey.host, fault) } ?? fault]
        }
        if let failure = exchange.failure, let finding = handshakeFinding(failure, exchange) {
            return [finding]
        }
        guard let peer = exchange.peer else { return [] }
        return lifeFindings(peer.chain) + orderFindings(peer.chain)
            + (peer.isCertificateRequested
                ? [
                    LiveFinding(
                        .note, .clientCertificateRequested,
                        "the server asks clients for a certificate",
                        evidence: "CertificateRequest in the handshake")
                ] : []) + oldVersionFindings
    }

    private var oldVersionFindings: [LiveFinding] {
        guard let failure = survey.withTLS12?.failure, failure.phase == .handshake else {
            return []
        }
        return [
            LiveFinding(.note, .tls12Refused, "the server refuses TLS 1.2", evidence: failure.text)
        ]
    }

    /// The finding about a failure of a handshake, or of the lack of a certificate after it; nil for others.
    func handshakeFinding(_ failure: FetchFailure, _ exchange: ClientExchange) -> LiveFinding? {
        let isRequested = exchange.peer?.isCertificateRequested == true
        // With TLS 1.3, a client learns with its first response that its certificate is missing; the
        // reason can be lost with the connection.
        if isRequested, failure.kind == .reset, [.send, .wait].contains(failure.phase) {
            return LiveFinding(
                .error, .clientCertificateRequired,
                "the server asks for a certificate, and closes connections of clients without one",
                evidence: failure.text)
        }
        if case .tls(let fault) = failure.kind, let fault {
            if fault.alert == Self.certificateRequiredAlert || (isRequested && fault.alert != nil) {
                return LiveFinding(
                    .error, .clientCertificateRequired,
                    "the server requires a certificate of clients", evidence: failure.text)
            }
            guard failure.phase == .handshake else { return nil }
            if fault.isVersion {
                return LiveFinding(
                    .error, .tlsTooOld, "the server supports neither TLS 1.2 nor 1.3",
                    evidence: failure.text)
            }
            if fault.isNotTLS {
                return LiveFinding(
                    .error, .notTLS, "port \(survey.port) does not answer with TLS",
                    evidence: failure.text)
            }
        }
        guard failure.phase == .handshake else { return nil }
        if failure.kind == .reset {
            return LiveFinding(
                .error, .connectionLost, "the connection ends during the TLS handshake",
                evidence: failure.text)
        }
        return LiveFinding(
            .error, .handshakeFailed,
            failure.kind == .timeout
                ? "the server does not complete the TLS handshake in time"
                : "the TLS handshake fails",
            evidence: failure.text)
    }

    private static let certificateRequiredAlert = 116

    /// The first reason for which the certificates are not trusted. OpenSSL reports others that
    /// follow from it.
    private func certificateFinding(
        _ faults: [CertificateFault], _ chain: [PeerCertificate]
    ) -> LiveFinding? {
        func fault(_ kind: CertificateFault.Kind) -> CertificateFault? {
            faults.first { $0.kind == kind }
        }
        let leaf = chain.first
        let evidence = leaf.map { "subject \($0.title); issuer \($0.issuer)" }
        if fault(.selfSigned) != nil {
            return LiveFinding(
                .error, .selfSignedCertificate, "the certificate is signed by itself",
                evidence: evidence)
        }
        if fault(.unknownRoot) != nil {
            return LiveFinding(
                .error, .unknownAuthority, "the certificate's authority is not trusted",
                evidence: chain.last.map { "the chain ends with \($0.title)" })
        }
        if let missing = fault(.issuerNotFound) {
            if missing.depth == 0, let leaf {
                return LiveFinding(
                    .error, .missingIntermediate,
                    "the server does not send the certificate of its issuer, \(leaf.issuer)",
                    evidence: evidence)
            }
            return LiveFinding(
                .error, .unknownAuthority, "the certificate's authority is not trusted",
                evidence: chain.last.map { "the chain ends with one issued by \($0.issuer)" })
        }
        if let expired = fault(.expired) {
            let certificate = chain.dropFirst(expired.depth).first
            return LiveFinding(
                .error, .certificateExpired,
                expired.depth == 0
                    ? "the certificate has expired" : "a certificate of the chain has expired",
                evidence: certificate.map { "\($0.title), valid until \(time($0.notAfter))" })
        }
        if let early = fault(.notYetValid) {
            let certificate = chain.dropFirst(early.depth).first
            return LiveFinding(
                .error, .certificateNotYetValid, "the certificate is not valid yet",
                evidence: certificate.map { "\($0.title), valid from \(time($0.notBefore))" })
        }
        if fault(.wrongName) != nil {
            let names = leaf?.names.prefix(5).joined(separator: ", ") ?? ""
            return LiveFinding(
                .error, .certificateName,
                names.isEmpty
                    ? "the certificate names no host: it has no subjectAltName with a DNS name"
                    : "the certificate is not for \(survey.host)",
                evidence: names.isEmpty
                    ? "subject \(leaf?.title ?? ""), at which clients do not look"
                    : "it is for \(names)")
        }
        return faults.first.map {
            LiveFinding(
                .error, .certificateInvalid, "the certificate is invalid", evidence: $0.text)
        }
    }

    /// A certificate is due for renewal with a third of its life left, or half of a life of under
    /// ten days. In its last fifth, or quarter, renewals have failed.
    private func lifeFindings(_ chain: [PeerCertificate]) -> [LiveFinding] {
        guard let leaf = chain.first, let start = leaf.notBefore, let end = leaf.notAfter,
            end > start
        else { return [] }
        let (life, left) = (end - start, end - now)
        let isShort = life < 10 * 86_400
        guard left * (isShort ? 4 : 5) < life else { return [] }
        return [
            LiveFinding(
                left * 10 < life ? .error : .warning, .certificateEndsSoon,
                "the certificate ends at \(time(end)), in \(duration(left))",
                evidence: "\(leaf.title), valid from \(time(start)) until \(time(end))")
        ]
    }

    private func orderFindings(_ chain: [PeerCertificate]) -> [LiveFinding] {
        guard let wrong = zip(chain, chain.dropFirst()).first(where: { $0.issuer != $1.subject })
        else { return [] }
        return [
            LiveFinding(
                .note, .certificateOrder, "the certificates of the chain are not in order",
                evidence: "\(wrong.1.subject) follows one that \(wrong.0.issuer) has issued")
        ]
    }
}
