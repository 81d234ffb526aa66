import Diagnostics
import Linting

extension AppAgreement {
    /// The line for people.
    fileprivate var line: String {
        let name = app ?? "an app without an identifier"
        let head = platform.map { "\(source): \(name) (\($0.name)): " } ?? "\(source): "
        let count = findings.count { $0.severity == .error }
        let more = count > 1 ? ", and \(count - 1) more" : ""
        return switch (verdict, reason) {
        case (.agrees, _): head + "agrees"
        case (.differs, let reason): head + "differs: \(reason?.message ?? "")" + more
        case (.unknown, let reason):
            head + "cannot be known: \(reason?.message ?? "")"
                + (reason?.advice.map { " (\($0))" } ?? "")
        }
    }

    /// - Parameter declared: what the app declares, if no site is compared.
    fileprivate func json(_ declared: DeclaredHalf?) -> JSONText {
        .object(
            [
                ("app", .orNull(app)), ("platform", .orNull(platform?.rawValue)),
                ("source", .string(source)), ("verdict", .string(verdict.rawValue)),
            ]
                + (declared.map { [("declares", .strings($0.declared(by: self)))] } ?? [])
                + [
                    (
                        "findings",
                        .array(findings.filter { declared?.isShown($0) ?? true }.map { $0.json() })
                    )
                ])
    }
}

extension LintFormat {
    /// Verdicts with their findings; SARIF and GitHub have findings alone.
    /// - Parameter declared: what the apps declare, if no site is compared.
    func text(
        _ agreements: [AppAgreement], sources: SourceLines, _ declared: DeclaredHalf? = nil
    ) -> PrintedText {
        if self == .text, let declared { return declared.text(agreements, sources: sources) }
        // Flavours of one manifest have most of them together.
        var known = Set<Diagnostic>()
        let findings = agreements.flatMap(\.findings).filter {
            (declared?.isShown($0) ?? true) && known.insert($0).inserted
        }
        switch self {
        case .text:
            var sources = sources
            return .lines(
                findings.flatMap { $0.excerpted(from: &sources) }
                    + agreements.filter(\.isOfApp).map(\.line))
        case .json: return .json(.array(agreements.map { $0.json(declared) }))
        case .sarif: return .json(sarifLog(of: findings, tool: "waymark app"))
        case .github: return .commands(findings.map(\.workflowCommand))
        }
    }
}
