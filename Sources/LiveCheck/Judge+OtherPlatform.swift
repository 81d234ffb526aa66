import Diagnostics

extension Judge {
    /// The steps, with findings as severe as they are for the site: notes if there is no app for a platform, because
    /// nobody needs what they are about, and warnings where a page is as good as no file.
    func asNeeded(_ steps: [HostReport.HopReport]) -> [HostReport.HopReport] {
        let page = fileWithPage(steps)
        return steps.map { step in
            guard let file = step.hop.file else { return step }
            if isExpected(file) == false { return step.with(step.findings.map(\.ofUnneededFile)) }
            return page == file ? step.with(step.findings.map { $0.ofPage(file) }) : step
        }
    }

    /// The file that is answered with a page, as single-page applications answer every path, where only the other
    /// platform's is there, and nobody has said which apps there are; nil if there is none. As with a file that
    /// is missing, there may be no app for the platform.
    private func fileWithPage(_ steps: [HostReport.HopReport]) -> Hop? {
        func have(_ hop: Hop, _ isMeant: (LiveFinding) -> Bool) -> Bool {
            let own = steps.filter { $0.hop == hop }
            return !own.isEmpty && own.allSatisfy { $0.findings.contains(where: isMeant) }
        }
        func isPage(_ hop: Hop) -> Bool { have(hop) { $0.rule == .pageInsteadOfFile } }
        func isThere(_ hop: Hop) -> Bool {
            steps.contains { $0.hop == hop }
                && !steps.contains { step in
                    step.hop == hop && step.findings.contains { $0.severity == .error }
                }
        }
        guard expected == nil else { return nil }
        if isPage(.android), isThere(.apple) { return .android }
        return isPage(.apple) && isThere(.android) && !isKnownToApple ? .apple : nil
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
    /// - Parameter file: the step of the file that a page is answered for.
    fileprivate func ofPage(_ file: Hop) -> LiveFinding {
        guard severity == .error else { return self }
        guard rule == .pageInsteadOfFile else {
            return LiveFinding(.warning, rule, message, evidence: evidence, advice: advice)
        }
        let (systems, flag) =
            file == .apple ? ("iPhones, iPads and Macs", "--android") : ("Android", "--ios")
        return LiveFinding(
            .warning, rule, "\(message), so no link opens an app on \(systems)", evidence: evidence,
            advice:
                "\(advice); or say that there is no app for this platform: \(flag) alone, or --config"
        )
    }

    fileprivate var ofUnneededFile: LiveFinding {
        guard severity > .note else { return self }
        return LiveFinding(
            .note, rule, message, evidence: evidence,
            advice: "nothing, because there is no app for this platform")
    }
}
