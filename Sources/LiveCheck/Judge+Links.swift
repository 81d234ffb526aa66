import Associations
import Diagnostics
import HTTPClient
import Linting

// The apps that the links of a file can open.

extension Judge {
    /// The findings about the worth of a file's rules. Where there is no app for the platform, a
    /// file without rules is as good as none.
    func ruleFindings(_ bytes: [UInt8], _ request: FetchRequest, _ hop: Hop) -> [LiveFinding] {
        let apps = NamedApps(of: bytes, hop)
        let found = lintFindings(bytes, request, hop)
        let isBroken = found.contains { $0.severity == .error }
        switch apps.use {
        case .elsewhere:
            return found + (isBroken ? [] : refusalFindings(bytes, request, hop))
                + includeFindings(apps, request)
        case .links:
            guard !isBroken else { return found }
            return found + refusalFindings(bytes, request, hop) + appFindings(apps, request, hop)
        case .others, .nothing: break
        }
        if isExpected(hop) == false { return [reachFinding(.note, bytes, request, hop)] }
        guard !isBroken else { return found }
        let isMeant = wanted(hop).map { ![.links, .elsewhere].contains($0.use) } == true
        let isForOthers = apps.use == .others && isExpected(hop) == nil
        return found + [
            reachFinding(isMeant ? .note : isForOthers ? .warning : .error, bytes, request, hop)
        ]
    }

    /// The apps of the file that a configuration generates; nil if none is known.
    private func wanted(_ hop: Hop) -> NamedApps? {
        (hop == .apple ? expected?.apple : expected?.android).map {
            NamedApps(of: unsigned($0), hop)
        }
    }

    /// Google's service follows includes. Where it has answered, its step says what it has found.
    private func includeFindings(_ apps: NamedApps, _ request: FetchRequest) -> [LiveFinding] {
        guard survey.google?.response?.status != 200 else { return [] }
        return [
            LiveFinding(
                .note, .includeUnchecked,
                "\(request.target) leaves the app to another file, which was not asked for",
                evidence: apps.includes.first.map { "include \($0)" })
        ]
    }

    private func reachFinding(
        _ severity: Severity, _ bytes: [UInt8], _ request: FetchRequest, _ hop: Hop
    ) -> LiveFinding {
        let isApple = hop == .apple
        let reason =
            (isApple
            ? Linter.lint(AssociationReading(bytes, file: request.url))
            : Linter.lint(AssetLinksReading(bytes, file: request.url))).first
        return LiveFinding(
            severity, .noLinks,
            "\(request.target) lets no link open an app on "
                + (isApple ? "iPhones, iPads and Macs" : "Android"),
            evidence: reason.map { "\($0.message) [\($0.rule)]" }
                ?? "it has \(bytes.count) bytes, and no rule for links",
            advice: isExpected(hop).map { hasApp in
                hasApp
                    ? "deploy the file with the rules of the app"
                    : "nothing, because there is no app for this platform"
            })
    }

    /// What Google refuses of a file, and `lint` does not.
    private func refusalFindings(
        _ bytes: [UInt8], _ request: FetchRequest, _ hop: Hop
    ) -> [LiveFinding] {
        guard hop == .android else { return [] }
        let file = PublishedAssetLinks(.init(bytes, name: request.url), includes: [:])
        return file.faults.first.map { fault in
            [
                LiveFinding(
                    .error, .invalidFile,
                    "Google refuses a statement of \(request.target): \(fault.message)",
                    evidence: "\(fault.file):\(fault.line):\(fault.column)")
            ]
        } ?? []
    }

    /// The apps that no link opens, although the configuration's file lets one, or the file names them.
    private func appFindings(
        _ apps: NamedApps, _ request: FetchRequest, _ hop: Hop
    ) -> [LiveFinding] {
        guard let wanted = wanted(hop) else {
            return apps.silent.isEmpty
                ? []
                : [
                    LiveFinding(
                        .warning, .noLinks,
                        "\(request.target) lets no link open \(named(apps.silent))",
                        evidence: "it names the app, and its rules match or open nothing")
                ]
        }
        guard !apps.isIncluding else { return [] }
        let others = apps.opening.keys.sorted()
        let missing = wanted.opening.keys.filter { apps.opening[$0] == nil }.sorted()
        let foreign = wanted.opening.filter { app, keys in
            let live = apps.opening[app]
            return live.map { !keys.isEmpty && keys.isDisjoint(with: $0) } == true
        }
        let findings = [
            missing.isEmpty
                ? nil
                : LiveFinding(
                    .error, .noLinks,
                    "\(request.target) lets no link open the configuration's \(named(missing))",
                    evidence: "it lets links open \(named(others))",
                    advice: LiveRule.liveDiffers.advice
                )
        ]
        return findings.compactMap(\.self)
            + foreign.keys.sorted().prefix(1).map { app in
                LiveFinding(
                    .error, .noLinks,
                    "\(request.target) lets links open \(named(foreign.keys.sorted())) with none of the "
                        + "configuration's keys",
                    evidence: "it has \(named((apps.opening[app] ?? []).sorted()))"
                        + ", and the configuration has \(named((foreign[app] ?? []).sorted()))",
                    advice:
                        "the keys that sign the app are in Play Console › App integrity; deploy "
                        + "the configuration if it has them")
            }
    }

    /// The first names of some, and how many more there are.
    private func named(_ names: [String]) -> String {
        let more = names.count - 2
        return names.prefix(2).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
}
