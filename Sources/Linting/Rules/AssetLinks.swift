import Associations
import Diagnostics

// The statements of assetlinks.json, alone and together.

extension AssetLinksReading {
    var findings: [Finding] { findings(with: nil) }

    func findings(with links: PublishedAssetLinks?) -> [Finding] {
        let near = nearPackageFindings
        return missingGrants(links, besides: near)
            + statements.flatMap(\.fingerprintFindings) + duplicates
            + statements.flatMap { ($0.dynamicComponents ?? []).flatMap(\.androidFindings) }
            + statements.flatMap(\.dynamicFindings) + near
    }

    /// Apps that may share sign-in, but for which no statement grants opening links. An app with a
    /// misspelt name has its own finding.
    private func missingGrants(
        _ links: PublishedAssetLinks?, besides near: [Finding]
    ) -> [Finding] {
        // An included file that was not given may grant it.
        guard links?.missingIncludes.isEmpty != false else { return [] }
        var granted = Set(statements.filter(\.opensLinks).compactMap(\.package?.value))
        for statement in links?.accepted ?? [] where statement.opensLinks {
            granted.formUnion(statement.targets.compactMap(\.package))
        }
        return statements.compactMap { statement in
            guard let package = statement.package, !granted.contains(package.value),
                !near.contains(where: { $0.pointer == package.pointer }),
                (try? AndroidPackage(package.value)) != nil,
                let login = statement.relations.first(where: {
                    $0.value.isScalarwise(AssetRelation.getLoginCreds.rawValue)
                })
            else { return nil }
            return Finding(
                .warning, .noHandleAllURLs, Finding.Spot(login),
                "\(quoted(package.value)) shares sign-in with this site, but no statement lets it "
                    + "open links",
                advice: "add \(quoted(AssetRelation.handleAllURLs.rawValue)) to its relations")
        }
    }

    /// Statements that grant the same to the same app. Those of other keys may have other dynamic
    /// rules; those of the same key may not, because only one list can count.
    private var duplicates: [Finding] {
        var known = [Granted: StatementReading]()
        var (grants, keys) = ([String: Int](), [GrantedKey: StatementReading]())
        return statements.compactMap { statement in
            guard let package = statement.package else { return nil }
            let name = ([package.value] + statement.relations.map(\.value).sorted())
                .joined(separator: " ")
            let granted = Granted(
                name: name, rules: statement.opensLinks ? statement.dynamicIdentity : nil)
            let same = known[granted]
            known[granted] = same ?? statement
            let grant = grants[name, default: grants.count]
            grants[name] = grant
            let own = statement.fingerprints.map {
                GrantedKey(grant: grant, fingerprint: $0.value.uppercased())
            }
            let contrary = own.lazy.compactMap { keys[$0] }.first
            for key in own where keys[key] == nil { keys[key] = statement }
            guard let earlier = same ?? contrary else { return nil }
            return Finding(
                .note, .duplicateStatement,
                Finding.Spot(pointer: statement.pointer, start: statement.start),
                others: [Finding.Spot(pointer: earlier.pointer, start: earlier.start)],
                advice: same == nil
                    ? "write all rules of a key into one statement"
                    : "list all fingerprints in one statement"
            ) { place in
                "the statement in \(place) grants \(quoted(package.value)) the same"
                    + (same == nil ? ", with other dynamic rules for the same key" : "")
            }
        }
    }
}

/// The rights that a statement gives to an app, and the content of its dynamic rules.
private struct Granted: Hashable {
    let name: String
    let rules: [[[UInt8]]]?
}

/// A signing key, and the number of what is granted to its app.
private struct GrantedKey: Hashable {
    let grant: Int
    let fingerprint: String
}

extension StatementReading {
    fileprivate var fingerprintFindings: [Finding] {
        guard opensLinks, let only = fingerprints.first,
            fingerprints.allSatisfy({ $0.value.isScalarwise(only.value) }),
            (try? CertificateFingerprint(only.value)) != nil,
            FingerprintPlaceholder(only.value) == nil
        else { return [] }
        return [
            Finding(
                .note, .oneFingerprint, Finding.Spot(only),
                "only one signing key is listed, and builds that are signed with another key are "
                    + "not verified",
                advice: "list the key of Google Play's app signing, and the upload key if it is "
                    + "used")
        ]
    }

    fileprivate var dynamicFindings: [Finding] {
        guard let dynamicComponents else { return [] }
        if let first = dynamicComponents.first, dynamicComponents.allSatisfy(\.exclude) {
            return [
                Finding(
                    .error, .onlyExcludes, Finding.Spot(first),
                    "every dynamic rule excludes: nothing opens on Android 15 and later",
                    advice: "add a rule without exclude after them, such as {\"/\": \"*\"}")
            ]
        }
        var order = RuleOrder(dynamicComponents, [])
        let dead = order.findings().filter { $0.rule == .unreachableRule }.map { finding in
            Finding(
                .warning, .dynamicOrder,
                Finding.Spot(pointer: finding.pointer, start: finding.start),
                others: finding.others, advice: finding.advice, message: finding.message)
        }
        guard dead.isEmpty, let first = dynamicComponents.first, !first.exclude,
            order.catchAll?.pointer == first.pointer
        else { return dead }
        return [
            Finding(
                .warning, .dynamicOrder, Finding.Spot(first),
                "a rule for every link has no effect, because these rules only restrict the links "
                    + "in the app's manifest", advice: "write the paths, or remove the rule")
        ]
    }
}

extension RuleReading {
    /// The findings for a dynamic rule alone that also apply to Apple's rules.
    fileprivate var androidFindings: [Finding] {
        let shared: [RuleName] = [
            .notInComponent, .hostInPath, .fragmentInPath, .queryInPath, .routerSyntax,
            .curlyQuotes,
        ]
        return [pathSyntaxFinding].compactMap(\.self).filter { shared.contains($0.rule) }
            + markFindings
    }
}
