/// A part of the page about health. Its raw value is the id of its section.
enum HealthPart: String, CaseIterable {
    case certificates, reloads, store, nodes, checks, files, findings

    var text: ConsoleText {
        switch self {
        case .certificates: .certificates
        case .reloads: .reloads
        case .store: .theStore
        case .nodes: .nodes
        case .checks: .liveChecks
        case .files: .publishedFiles
        case .findings: .lintFindings
        }
    }
}

extension ServerHealth {
    /// The state of a part; nil for a part that is not judged, or not there.
    /// - Parameter now: seconds since 1970.
    func grade(of part: HealthPart, at now: Int) -> HealthGrade? {
        switch part {
        case .certificates:
            let worst = certificates.map { $0.grade(at: now) }.max() ?? .notKnown
            let isLate =
                certificates.contains(where: \.isAutomatic)
                && isOld(renewalsSeen, after: CertificateTable.ageMax, now: now)
            return max(worst, obstacle == nil ? isLate ? .notKnown : .well : .warning)
        case .reloads: return reloads.first?.grade ?? .well
        case .store: return store?.grade(at: now)
        case .nodes: return fleet?.grade(at: now)
        case .checks:
            return hosts.map { hosts in hosts.map { $0.grade(at: now) }.max() ?? .notKnown }
        case .files: return nil
        case .findings: return findings.grade
        }
    }
}
