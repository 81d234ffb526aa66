private import Markup

/// The certificates of the hosts, those with a fault first.
struct CertificateTable {
    let health: ServerHealth
    let now: Int

    private static let hostsMax = 200
    /// Renewals are looked at at least once a minute.
    static let ageMax = 300

    func write(_ page: inout PageWriter) {
        if let obstacle = health.obstacle { page.reason(.renewalObstacle, obstacle) }
        guard !health.certificates.isEmpty else { return page.hint(.noCertificate) }
        let sorted = health.certificates.enumerated().sorted { left, right in
            let grades = [left.element.grade(at: now), right.element.grade(at: now)]
            return (grades[1], left.offset) < (grades[0], right.offset)
        }
        page.table(
            .certificates,
            [
                .text(.host), .text(.state), .text(.certificateEnds), .text(.renewal),
                .text(.lastFailure),
            ]
        ) { page in
            for (_, certificate) in sorted.prefix(Self.hostsMax) { write(certificate, &page) }
        }
        page.more(health.certificates.count - Self.hostsMax)
        if health.certificates.contains(where: \.isAutomatic) {
            page.seen(health.renewalsSeen, oldAfter: Self.ageMax, now: now)
        } else {
            page.seen(now, oldAfter: nil, now: now)
        }
    }

    private func write(_ certificate: CertificateHealth, _ page: inout PageWriter) {
        page.write("<tr><th scope=\"row\">\(certificate.host)</th>")
        page.cellStart(.state)
        page.grade(certificate.grade(at: now))
        if let words = words(of: certificate) { page.write("<br>\(words)") }
        page.raw("</td>")
        page.cell(.certificateEnds, certificate.end.map { page.moment(seconds: $0) } ?? "–")
        page.cellStart(.renewal, isProse: true)
        writeRenewal(certificate, &page)
        page.raw("</td>")
        page.cellStart(.lastFailure, isProse: true)
        if let fault = certificate.lastFault {
            if let time = certificate.lastFaultTime {
                page.value("\(page.moment(seconds: time)): ")
            }
            page.foreign(fault)
            if certificate.failures > 1 {
                page.value(" (\(page.filled(.failures, ["count": "\(certificate.failures)"])))")
            }
        } else {
            page.value("–")
        }
        page.raw("</td></tr>\n")
    }

    private func words(of certificate: CertificateHealth) -> ConsoleText? {
        switch certificate.state {
        case .missing: .certificateMissing
        case .awaited: .certificateAwaited
        case .kept: .certificateKept
        case .served:
            certificate.end.map { $0 <= now } ?? false ? .certificateOver : nil
        }
    }

    private func writeRenewal(_ certificate: CertificateHealth, _ page: inout PageWriter) {
        guard certificate.isAutomatic else { return page.words(.renewedByHand) }
        let until = certificate.pausedUntil.flatMap { $0 > now ? $0 : nil }
        if let until {
            page.write("\(.pausedUntil, ["time": page.moment(seconds: until)]): ")
            page.foreign(certificate.pauseReason ?? "")
        } else if let next = certificate.nextTry {
            page.words(.nextTry, ["time": page.moment(seconds: next)])
        } else if let time = certificate.renewAt {
            page.value(page.moment(seconds: time))
        } else {
            page.words(.notPlannedYet)
        }
    }
}
