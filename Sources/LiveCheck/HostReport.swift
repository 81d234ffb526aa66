import Associations
import Diagnostics
import HTTPClient
import HTTPMessages
import Sockets
import TLS

/// What a survey of a host means: a verdict, the first cause of it, and what was found at each step.
package struct HostReport: Sendable {
    package let host: String
    package let verdict: Verdict
    /// The fault that is first on the way from the host's name to the app; the others may be its
    /// consequences. Nil if the host is healthy.
    package let cause: (hop: Hop, finding: LiveFinding)?
    /// Who cannot use the links because of the cause, in the order of the cases.
    package let affects: [Affected]
    package let hops: [HopReport]

    package enum Verdict: String, Sendable {
        case healthy, warning, broken
        /// Nothing could be asked, because this machine has no way to the host.
        case unchecked
    }

    /// One step, at one address where it has one.
    package struct HopReport: Sendable {
        package let hop: Hop
        package let address: String?
        package let status: Status
        package let milliseconds: Int?
        package let findings: [LiveFinding]
    }

    package enum Status: String, Sendable {
        case passed, warning, failed, unchecked
    }

    /// - Parameters:
    ///   - expected: the files that the configuration generates; nil if there is none.
    ///   - now: seconds since 1970.
    package init(_ survey: HostSurvey, expected: ExpectedFiles? = nil, now: Int) {
        let judge = Judge(survey: survey, expected: expected, now: now)
        host = survey.host
        hops = judge.hops.linked
        let found = hops.flatMap { hop in hop.findings.map { (hop: hop.hop, finding: $0) } }
        let worst = found.map(\.finding.severity).max() ?? .note
        let cause =
            worst == .note
            ? nil : found.filter { $0.finding.severity == worst }.min { $0.hop < $1.hop }
        self.cause = cause
        let ofCause = found.filter { other in
            other.finding.severity == worst
                && [other.finding.rule, other.finding.follows].contains(cause?.finding.rule)
        }
        let affected = Set(ofCause.flatMap { $0.finding.rule.affects($0.hop) })
        affects = cause == nil ? [] : Affected.allCases.filter(affected.contains)
        verdict =
            if judge.isUnreached {
                .unchecked
            } else {
                switch worst {
                case .error: .broken
                case .warning: .warning
                case .note: .healthy
                }
            }
    }
}

/// The association files that a configuration generates for a host; nil where it generates none.
package struct ExpectedFiles: Sendable {
    package let apple: [UInt8]?
    package let android: [UInt8]?

    package init(apple: [UInt8]?, android: [UInt8]?) {
        self.apple = apple
        self.android = android
    }
}

/// Concludes from a survey. It opens no connection and reads no clock.
struct Judge {
    let survey: HostSurvey
    let expected: ExpectedFiles?
    let now: Int

    /// Whether nothing could be asked for a reason on this machine.
    var isUnreached: Bool {
        survey.resolvesOthers == false
            || !survey.answers.isEmpty
                && survey.answers.allSatisfy { $0.apple.failure?.kind == .unreachable }
    }

    var hops: [HostReport.HopReport] {
        var hops = [hop(.dns, nil, addressFindings)]
        for answer in survey.answers { hops += hopsOfConnection(answer.apple) }
        if let working = survey.working {
            hops += survey.answers.filter { $0.android != nil }.map {
                hop(.apple, $0.apple, fileFindings($0.apple, .apple))
            }
            hops[hops.count - 1] = hops[hops.count - 1].adding(
                differences { $0.apple } + rootFindings(working.apple)
                    + agentFindings(working.apple) + driftFindings(.apple)
                    + (survey.asAppleBot.map(codingFindings) ?? []))
            hops += survey.answers.compactMap(\.android).map {
                hop(.android, $0, fileFindings($0, .android))
            }
            hops[hops.count - 1] = hops[hops.count - 1].adding(
                differences { $0.android } + driftFindings(.android))
            if let plain = survey.plainHTTP { hops.append(hop(.http, plain, plainFindings(plain))) }
        }
        if let cdn = survey.cdn { hops.append(hop(.cdn, cdn, cdnFindings(cdn))) }
        if let google = survey.google { hops.append(hop(.google, google, googleFindings(google))) }
        return hops
    }

    func hop(_ hop: Hop, _ exchange: Exchange?, _ findings: [LiveFinding]) -> HostReport.HopReport {
        HostReport.HopReport(
            hop: hop, address: exchange?.address?.description,
            milliseconds: exchange?.milliseconds.total, findings: findings)
    }

    // MARK: Names and connections

    private var addressFindings: [LiveFinding] {
        guard case .resolved(let v4, let v6) = survey.addresses else { return [] }
        let evidence = "A: \(v4.words); AAAA: \(v6.words)"
        if survey.resolvesOthers == false {
            return [
                LiveFinding(
                    .note, .resolverFailed, "this machine's resolver answers for no name",
                    evidence: evidence, advice: "check from a network with a resolver")
            ]
        }
        if let fault = survey.addresses.fault {
            let isMissing = v4 == .none && v6 == .none
            return [
                LiveFinding(
                    .error, isMissing ? .hostNotFound : .resolverFailed,
                    "\(survey.host) has no address: \(fault)", evidence: evidence)
            ]
        }
        let list = survey.addresses.list(port: survey.port)
        var findings = [LiveFinding]()
        if v4.isFailed || v6.isFailed {
            findings.append(
                LiveFinding(
                    .warning, .resolverFailed,
                    "the resolver has no answer for \(v4.isFailed ? "IPv4" : "IPv6") addresses of "
                        + survey.host, evidence: evidence))
        }
        findings += list.filter { $0.host?.isPublic == false }.map {
            LiveFinding(
                .error, .privateAddress, "\(survey.host) has an address that is not public",
                evidence: "\($0)")
        }
        if list.count > HTTPClient.addressesMax {
            findings.append(
                LiveFinding(
                    .note, .addressesLeftOut,
                    "\(survey.host) has \(list.count) addresses; "
                        + "\(HTTPClient.addressesMax) were checked",
                    evidence: "not checked: "
                        + list.dropFirst(HTTPClient.addressesMax).map(\.description)
                        .joined(separator: ", ")))
        }
        return findings
    }

    func hopsOfConnection(_ exchange: Exchange) -> [HostReport.HopReport] {
        if let failure = exchange.failure, failure.phase == .connect {
            // The address itself was reported.
            if failure.kind == .privateAddress { return [] }
            return [hop(.connect, exchange, [connectionFinding(failure, exchange)])]
        }
        let connected = HostReport.HopReport(
            hop: .connect, address: exchange.address?.description,
            milliseconds: exchange.milliseconds.connect, findings: [])
        let tls = HostReport.HopReport(
            hop: .tls, address: exchange.address?.description,
            milliseconds: exchange.milliseconds.handshake, findings: handshakeFindings(exchange))
        return [connected, tls]
    }

    private func connectionFinding(_ failure: FetchFailure, _ exchange: Exchange) -> LiveFinding {
        let address = exchange.address?.description ?? "\(survey.host):\(survey.port)"
        switch failure.kind {
        case .refused:
            return LiveFinding(
                .error, .connectionRefused, "\(address) refuses connections",
                evidence: failure.text)
        case .timeout:
            return LiveFinding(
                .error, .connectionTimeout,
                "\(address) does not answer: packets to it are dropped",
                evidence: failure.text)
        case .unreachable:
            return LiveFinding(
                .note, .familyUnchecked, "this machine has no way to \(address)",
                evidence: failure.text)
        default:
            return LiveFinding(
                .error, .connectionLost, "the connection to \(address) fails",
                evidence: failure.text)
        }
    }

    // MARK: TLS

    private func handshakeFindings(_ exchange: Exchange) -> [LiveFinding] {
        guard let peer = exchange.peer else { return [] }
        if let fault = certificateFinding(peer.faults, peer.chain) { return [fault] }
        if let failure = exchange.failure, let finding = handshakeFinding(failure, exchange) {
            return [finding]
        }
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
            LiveFinding(
                .note, .tls12Refused, "the server refuses TLS 1.2", evidence: failure.text)
        ]
    }

    private func handshakeFinding(
        _ failure: FetchFailure, _ exchange: Exchange
    ) -> LiveFinding? {
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
        let evidence = leaf.map { "subject \($0.subject); issuer \($0.issuer)" }
        if fault(.selfSigned) != nil {
            return LiveFinding(
                .error, .selfSignedCertificate, "the certificate is signed by itself",
                evidence: evidence)
        }
        if fault(.unknownRoot) != nil {
            return LiveFinding(
                .error, .unknownAuthority, "the certificate's authority is not trusted",
                evidence: chain.last.map { "the chain ends with \($0.subject)" })
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
                evidence: certificate.map { "\($0.subject), valid until \(time($0.notAfter))" })
        }
        if let early = fault(.notYetValid) {
            let certificate = chain.dropFirst(early.depth).first
            return LiveFinding(
                .error, .certificateNotYetValid, "the certificate is not valid yet",
                evidence: certificate.map { "\($0.subject), valid from \(time($0.notBefore))" })
        }
        if fault(.wrongName) != nil {
            let names = leaf?.names.prefix(5).joined(separator: ", ") ?? ""
            return LiveFinding(
                .error, .certificateName, "the certificate is not for \(survey.host)",
                evidence: names.isEmpty ? "it has no DNS name" : "it is for \(names)")
        }
        return faults.first.map {
            LiveFinding(
                .error, .certificateInvalid, "the certificate is invalid", evidence: $0.text)
        }
    }

    /// A certificate is due for renewal with a third of its life left, or half of a life of under
    /// ten days. With half of that left, the renewal is late.
    private func lifeFindings(_ chain: [PeerCertificate]) -> [LiveFinding] {
        guard let leaf = chain.first, let start = leaf.notBefore, let end = leaf.notAfter,
            end > start
        else { return [] }
        let (life, left) = (end - start, end - now)
        let isShort = life < 10 * 86_400
        guard left * (isShort ? 4 : 6) < life else { return [] }
        return [
            LiveFinding(
                left * 10 < life ? .error : .warning, .certificateEndsSoon,
                "the certificate ends at \(time(end)), in \(duration(left))",
                evidence: "\(leaf.subject), valid from \(time(start)) until \(time(end))")
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

    // MARK: Drift and other addresses

    private func differences(
        of exchange: (HostSurvey.AddressAnswers) -> Exchange?
    ) -> [LiveFinding] {
        let answers = survey.answers.compactMap(exchange)
            .filter { $0.response?.status == 200 }
        guard let first = answers.first,
            let other = answers.first(where: { $0.response?.bytes != first.response?.bytes })
        else { return [] }
        return [
            LiveFinding(
                .warning, .addressesDiffer,
                "\(first.request.target) differs between \(first.address.map { "\($0)" } ?? "") and "
                    + "\(other.address.map { "\($0)" } ?? "")",
                evidence: sizes(first.response, other.response))
        ]
    }

    /// The second request has Apple's user agent, and asks for the file without an encoding. What
    /// Apple's CDN itself has got says more.
    private func agentFindings(_ file: Exchange) -> [LiveFinding] {
        guard survey.cdn?.response?.status != 200, let found = file.response, found.status == 200,
            let other = survey.asAppleBot
        else { return [] }
        let evidence: String
        switch other.result {
        case .failure(let failure): evidence = failure.words
        case .success(let response):
            guard response.status != 200 || response.bytes != found.bytes else { return [] }
            evidence =
                "HTTP/1.1 \(response.status) \(response.head.reason), \(response.bytes.count) bytes; "
                + "without it, \(found.bytes.count) bytes"
        }
        return [
            LiveFinding(
                .warning, .agentsDiffer,
                "\(Surveyor.applePath) is another answer for Apple's user agent, AASA-Bot",
                evidence: evidence)
        ]
    }

    private func rootFindings(_ file: Exchange) -> [LiveFinding] {
        guard let root = survey.rootPath?.response, root.status == 200,
            let found = file.response, found.status == 200, root.bytes != found.bytes,
            JSONDocument(root.bytes, file: "").root != nil
        else { return [] }
        return [
            LiveFinding(
                .warning, .pathsDiffer,
                "\(Surveyor.rootPath) has other content than \(Surveyor.applePath)",
                evidence: sizes(root, found))
        ]
    }

    private func driftFindings(_ hop: Hop) -> [LiveFinding] {
        let exchange = hop == .apple ? survey.working?.apple : survey.working?.android
        guard let expected, let live = exchange?.response, live.status == 200,
            let wanted = hop == .apple ? expected.apple : expected.android,
            case .whole(let bytes) = live.content, bytes != wanted
        else { return [] }
        let isSame = equalJSON(bytes, wanted)
        let changes = hop == .apple ? meanings(from: bytes, to: wanted) : []
        return [
            LiveFinding(
                isSame ? .note : .warning, .liveDiffers,
                isSame
                    ? "the live file has other bytes than the configuration's, but the same content"
                    : "the live file is not the configuration's",
                evidence: changes.isEmpty
                    ? "\(bytes.count) bytes, not \(wanted.count)" + intermediary(live.head)
                    : "deploying the configuration " + changes.joined(separator: "; ")
                        + intermediary(live.head))
        ]
    }

    private func plainFindings(_ exchange: Exchange) -> [LiveFinding] {
        guard exchange.failure?.kind == .timeout else { return [] }
        return [
            LiveFinding(
                .note, .plainHTTPHangs, "port 80 neither answers nor refuses connections",
                evidence: exchange.failure?.text)
        ]
    }

    private func sizes(_ first: FetchResponse?, _ other: FetchResponse?) -> String {
        "\(first?.bytes.count ?? 0) and \(other?.bytes.count ?? 0) bytes"
    }

    /// What says that the response passed something on its way.
    private func intermediary(_ head: ResponseHead) -> String {
        let fields = ["via", "x-cache", "cf-cache-status", "age", "server"].compactMap { name in
            head.value(name).map { "\(name): \($0)" }
        }
        return fields.isEmpty ? "" : " (" + fields.joined(separator: ", ") + ")"
    }
}

extension HostReport.HopReport {
    init(hop: Hop, address: String?, milliseconds: Int?, findings: [LiveFinding]) {
        let status: HostReport.Status =
            switch findings.map(\.severity).max() {
            case .error: .failed
            case .warning: .warning
            default: findings.contains { $0.rule.isUnchecked } ? .unchecked : .passed
            }
        self.init(
            hop: hop, address: address, status: status, milliseconds: milliseconds,
            findings: findings)
    }

    /// With the findings changed in what they follow from.
    fileprivate func with(_ changed: [LiveFinding]) -> HostReport.HopReport {
        .init(hop: hop, address: address, milliseconds: milliseconds, findings: changed)
    }

    fileprivate func adding(_ more: [LiveFinding]) -> HostReport.HopReport {
        .init(hop: hop, address: address, milliseconds: milliseconds, findings: findings + more)
    }
}

extension [HostReport.HopReport] {
    /// With what follows from a fault earlier on the same way: the same fault in the other file, what
    /// a service says of it, and what a connection suffers after its handshake.
    fileprivate var linked: [HostReport.HopReport] {
        var earlier = [(hop: Hop, address: String?, rule: LiveRule, root: LiveRule)]()
        return map { hop in
            let changed = hop.findings.map { finding in
                guard finding.severity > .note else { return finding }
                var finding = finding
                let causes = earlier.filter { cause in
                    cause.rule == finding.rule
                        || hop.hop.follows(cause.hop, cause.rule)
                            && (hop.hop >= .cdn || cause.address == hop.address)
                }
                finding.follows = causes.first?.root
                return finding
            }
            earlier += changed.filter { $0.severity == .error }
                .map { (hop.hop, hop.address, $0.rule, $0.follows ?? $0.rule) }
            return hop.with(changed)
        }
    }
}

extension Hop {
    /// Whether a fault of an earlier step can be the reason of one here.
    fileprivate func follows(_ earlier: Hop, _ rule: LiveRule) -> Bool {
        switch self {
        case .dns: false
        case .connect, .tls, .apple, .android, .http: earlier < .apple && earlier < self
        case .cdn: earlier <= .apple
        case .google:
            earlier <= .tls || earlier == .android
                // What refuses or drops Apple's requests does so with Google's.
                || [.appleTimeout, .appleFiltered, .applePrivateAddress].contains(rule)
        }
    }
}

extension NameResolution {
    fileprivate var words: String {
        switch self {
        case .addresses(let addresses):
            addresses.count == 1 ? "1 address" : "\(addresses.count) addresses"
        case .none: "none"
        case .failed(let reason): reason
        }
    }
}

extension LiveRule {
    fileprivate var isUnchecked: Bool {
        [.familyUnchecked, .appleUnchecked, .googleUnchecked].contains(self)
            || self == .resolverFailed
    }
}
