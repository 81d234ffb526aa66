package import Associations
package import Diagnostics
private import JSONSyntax
package import SiteConfiguration

/// Finds what the author of a file probably did not intend: the faults of its text and form, and
/// those that only the whole file shows.
package enum Linter {
    /// All findings for an `apple-app-site-association` file.
    package static func lint(_ file: AssociationReading) -> [Diagnostic] {
        // Devices ignore a service whose key has the wrong letter case. Check its content all the
        // same, so that correcting the key causes no new errors.
        let file =
            file.diagnostics.contains { $0.rule == .keyCase }
            ? AssociationReading(file.json, file: file.file, isForgiving: true) : file
        return findings(file.findings, besides: file.found, file: file.file)
    }

    /// The differences between an association file and the dynamic rules of an assetlinks.json of
    /// the same host.
    package static func compare(
        _ file: AssociationReading, _ links: AssetLinksReading
    ) -> [Diagnostic] {
        links.differences(from: file).map { $0.diagnostic(file: links.file) }
    }

    /// All findings for a configuration, except those of its reader.
    /// - Parameters:
    ///   - now: seconds since 1970, for links that have ended or not begun.
    ///   - hasHome: whether a site has a page at `/`, to which generated pages can lead.
    package static func lint(
        _ configuration: Configuration, at now: Int, hasHome: (Site) -> Bool = { _ in false }
    ) -> [Diagnostic] {
        ConfigurationLint(configuration, at: now, hasHome: hasHome).diagnostics.inOrder
    }

    /// All findings for an `assetlinks.json` file.
    /// - Parameter links: what Google reads from it and from the files that it includes.
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
            $0.findings(sensitivePaths: namesSensitive, isForOld: isForOld, variables)
        }
        let catchAlls = ofDetails.filter { $0.rule == .catchAllAlone }
        // Reported once, because it is a decision for all apps.
        return ofDetails.filter { $0.rule != .catchAllAlone } + catchAlls.prefix(1)
            + variableFindings + variableEncodingFindings + undefinedVariableFindings
            + sharedURLFindings + missingCredentialsFindings + appClipFindings
            + nearIdentifierFindings
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
            // Current systems follow the first list.
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
    /// The findings for the rule alone.
    var findings: [Finding] {
        guard texts.allSatisfy({ $0.utf8.count <= patternBytesMax }) else { return [] }
        let syntax = pathSyntaxFinding
        let isBroken = syntax?.severity == .error || syntax?.rule == .routerSyntax
        return [syntax].compactMap(\.self) + queryFindings + markFindings
            + (isBroken ? [] : widthFindings + encodingFindings)
    }
}

/// No system compares longer patterns.
private let patternBytesMax = 65_536
