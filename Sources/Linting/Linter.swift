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
            file.diagnostics.contains { $0.rule == FileRule.keyCase.rawValue }
            ? AssociationReading(file.json, file: file.file, isForgiving: true) : file
        let findings = file.findings.map { $0.diagnostic(file: file.file) }
        return capped((file.diagnostics + findings).inOrder, file: file.file)
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
        let findings = file.findings(with: links).map { $0.diagnostic(file: file.file) }
        return capped((file.diagnostics + findings).inOrder, file: file.file)
    }

    /// The first of the findings; the rest is counted.
    private static func capped(_ findings: [Diagnostic], file: String) -> [Diagnostic] {
        guard findings.count > findingsMax else { return findings }
        let rest = findings[findingsMax...]
        return findings[..<findingsMax] + [
            Diagnostic(
                rest.map(\.severity).max() ?? .note, "too-many-findings",
                at: SourcePlace(file: file, line: 1, column: 1),
                "\(rest.count) more findings are left out")
        ]
    }
}

extension AssociationReading {
    var findings: [Finding] {
        let namesSensitive = details.contains { $0.allRules.nameSensitivePaths }
        let ofDetails = details.flatMap { $0.findings(sensitivePaths: namesSensitive) }
        let catchAlls = ofDetails.filter { $0.rule == .catchAllAlone }
        // Said once: whoever means it for one app means it for all.
        return ofDetails.filter { $0.rule != .catchAllAlone } + catchAlls.prefix(1)
            + variableFindings + undefinedVariableFindings + sharedURLFindings
            + missingCredentialsFindings + appClipFindings
    }
}

extension DetailReading {
    fileprivate func findings(sensitivePaths: Bool) -> [Finding] {
        let lists = [components, paths].compactMap(\.self)
        let ofEach = lists.flatMap { rules -> [Finding] in
            var order = RuleOrder(rules)
            return rules.flatMap(\.findings) + order.findings() + rules.regionFindings
                + [rules.mixedCaseFinding].compactMap(\.self)
        }
        let ofCurrent =
            rules?.outcomeFindings(of: Finding.Spot(self), sensitivePaths: sensitivePaths) ?? []
        return ofEach + ofCurrent + [disagreement, singularFinding].compactMap(\.self)
    }
}

extension RuleReading {
    /// What is wrong with the rule alone.
    var findings: [Finding] {
        guard texts.allSatisfy({ $0.utf8.count <= Glob.scalarsMax }) else { return [] }
        let syntax = pathSyntaxFinding
        let isBroken = syntax?.severity == .error || syntax?.rule == .routerSyntax
        return [syntax].compactMap(\.self) + queryFindings
            + (isBroken ? [] : widthFindings + encodingFindings)
    }
}
