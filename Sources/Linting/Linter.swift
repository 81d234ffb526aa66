package import Associations
package import Diagnostics
package import SiteConfiguration

/// What a file of this content says that its author cannot have meant: the faults of its text and
/// shape, and those that only a reader of the whole sees.
package enum Linter {
    /// Everything there is to say of an `apple-app-site-association` file.
    package static func lint(_ file: AssociationReading) -> [Diagnostic] {
        // Systems do not read a service in the wrong letter case; who mends the key wants to know
        // what stands there.
        let file =
            file.diagnostics.contains { $0.rule == .keyCase }
            ? AssociationReading(file.json, file: file.file, isForgiving: true) : file
        return findings(file.findings, besides: file.found, file: file.file)
    }

    /// Where an association file and the dynamic rules of an assetlinks.json of the same host
    /// disagree.
    package static func compare(
        _ file: AssociationReading, _ links: AssetLinksReading
    ) -> [Diagnostic] {
        links.differences(from: file).map { $0.diagnostic(file: links.file) }
    }

    /// What is to be said of a configuration, besides what its reader said.
    package static func lint(_ site: Site) -> [Diagnostic] {
        ConfigurationLint(site).diagnostics.inOrder
    }

    /// Everything there is to say of an `assetlinks.json` file.
    /// - Parameter links: what Google takes from it and from the files that it includes.
    package static func lint(
        _ file: AssetLinksReading, with links: PublishedAssetLinks? = nil
    ) -> [Diagnostic] {
        findings(file.findings(with: links), besides: file.found, file: file.file)
    }

    private static func findings(
        _ findings: [Finding], besides found: FindingList, file: String
    ) -> [Diagnostic] {
        var found = found
        for finding in findings {
            found.add(finding.diagnostic(file: file))
        }
        return found.findings
    }
}

extension AssociationReading {
    var findings: [Finding] {
        let namesSensitive = details.contains { $0.allRules.nameSensitivePaths }
        // Systems that follow `paths` refuse a file without `apps`.
        let isForOld = json.root?["applinks"]?["apps"] != nil
        let variables = substitutionVariables
        let ofDetails = details.flatMap {
            $0.findings(
                sensitivePaths: namesSensitive, isForOld: isForOld, variables)
        }
        let catchAlls = ofDetails.filter { $0.rule == .catchAllAlone }
        // Said once: whoever means it for one app means it for all.
        return ofDetails.filter { $0.rule != .catchAllAlone } + catchAlls.prefix(1)
            + variableFindings + undefinedVariableFindings + sharedURLFindings
            + missingCredentialsFindings + appClipFindings + nearIdentifierFindings
    }
}

extension DetailReading {
    fileprivate func findings(
        sensitivePaths: Bool, isForOld: Bool, _ variables: [SubstitutionVariable]
    ) -> [Finding] {
        var findings = [Finding]()
        var catchAll: RuleReading?
        for (number, list) in [components, paths].compactMap(\.self).enumerated() {
            var order = RuleOrder(list, variables)
            findings += list.flatMap(\.findings) + order.findings() + list.regionFindings
            findings += [list.mixedCaseFinding].compactMap(\.self)
            // The first list is the one that current systems follow.
            if number == 0 { catchAll = order.catchAll }
        }
        findings +=
            rules?.outcomeFindings(
                of: Finding.Spot(self), catchAll: catchAll, sensitivePaths: sensitivePaths) ?? []
        return findings
            + [isForOld ? disagreement(variables) : nil, singularFinding].compactMap(\.self)
    }
}

extension RuleReading {
    /// What is wrong with the rule alone.
    var findings: [Finding] {
        guard texts.allSatisfy({ $0.utf8.count <= patternBytesMax }) else { return [] }
        let syntax = pathSyntaxFinding
        let isBroken = syntax?.severity == .error || syntax?.rule == .routerSyntax
        return [syntax].compactMap(\.self) + queryFindings + markFindings
            + (isBroken ? [] : widthFindings + encodingFindings)
    }
}

/// No system matches longer patterns.
private let patternBytesMax = 65_536
