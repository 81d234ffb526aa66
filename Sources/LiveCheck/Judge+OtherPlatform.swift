import Diagnostics

extension Judge {
    /// A step, whose findings are notes if there is no app for its platform: nobody needs what it is
    /// about. A site that answers every path with a page does so for this file, too.
    func asNeeded(_ step: HostReport.HopReport) -> HostReport.HopReport {
        guard let file = step.hop.file, isExpected(file) == false else { return step }
        return step.with(step.findings.map(\.ofUnneededFile))
    }
}

extension Hop {
    /// The step of the file that this step is about; nil for those that both files need.
    fileprivate var file: Hop? {
        switch self {
        case .apple, .cdn: .apple
        case .android, .google: .android
        case .dns, .connect, .tls, .http, .wellKnown: nil
        }
    }
}

extension LiveFinding {
    fileprivate var ofUnneededFile: LiveFinding {
        guard severity > .note else { return self }
        return LiveFinding(
            .note, rule, message, evidence: evidence,
            advice: "nothing, because there is no app for this platform")
    }
}
