private import Associations

private import Diagnostics

import HTTPClient
import HTTPMessages
import JSONSyntax
private import Sockets

/// Concludes from a survey. It opens no connection and reads no clock.
struct Judge {
    let survey: HostSurvey
    let expected: ExpectedFiles?
    let now: Int

    /// Whether there are apps for the platform of a file; nil if nobody has said so.
    func isExpected(_ hop: Hop) -> Bool? {
        expected.map { hop == .apple ? $0.hasApple : $0.hasAndroid }
    }

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
            if let first = survey.wellKnown.first {
                hops.append(hop(.wellKnown, first, survey.wellKnown.compactMap(wellKnownFinding)))
            }
        }
        if let cdn = survey.cdn { hops.append(hop(.cdn, cdn, cdnFindings(cdn))) }
        if let google = survey.google { hops.append(hop(.google, google, googleFindings(google))) }
        return asNeeded(hops)
    }

    func hop(_ hop: Hop, _ exchange: ClientExchange?, _ findings: [LiveFinding])
        -> HostReport.HopReport
    {
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

    func hopsOfConnection(_ exchange: ClientExchange) -> [HostReport.HopReport] {
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

    private func connectionFinding(_ failure: FetchFailure, _ exchange: ClientExchange)
        -> LiveFinding
    {
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

    // MARK: Drift and other addresses

    private func differences(
        of exchange: (HostSurvey.AddressAnswers) -> ClientExchange?
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
    private func agentFindings(_ file: ClientExchange) -> [LiveFinding] {
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

    private func rootFindings(_ file: ClientExchange) -> [LiveFinding] {
        guard let root = survey.rootPath?.response, root.status == 200,
            let found = file.response, found.status == 200, root.bytes != found.bytes,
            unsigned(root.bytes) != unsigned(found.bytes),
            JSONDocument(associations: unsigned(root.bytes), file: "").root != nil
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
            case .whole(let found) = live.content, case let bytes = unsigned(found),
            bytes != unsigned(wanted)
        else { return [] }
        let isSame = equalJSON(bytes, wanted)
        let changes = isSame ? [] : meanings(from: bytes, to: unsigned(wanted), hop)
        return [
            LiveFinding(
                isSame ? .note : .warning, .liveDiffers,
                isSame
                    ? "the live file has other bytes than the configuration's, but the same content"
                    : "the live file is not the configuration's",
                evidence: changes.isEmpty
                    ? (isSame
                        ? "\(bytes.count) bytes, not \(wanted.count)" : "no link opens another app")
                        + intermediary(live.head)
                    : "deploying the configuration " + changes.joined(separator: "; ")
                        + intermediary(live.head))
        ]
    }

    private func sizes(_ first: FetchResponse?, _ other: FetchResponse?) -> String {
        "\(first?.bytes.count ?? 0) and \(other?.bytes.count ?? 0) bytes"
    }

    /// The fields that show that the response passed something on its way; empty for none.
    private func intermediary(_ head: ResponseHead) -> String {
        let fields = ["via", "x-cache", "cf-cache-status", "age", "server"].compactMap { name in
            head.value(name).map { "\(name): \($0)" }
        }
        return fields.isEmpty ? "" : " (" + fields.joined(separator: ", ") + ")"
    }
}
