package import AppFiles
import Diagnostics

// The apps of source beside which others of the same files are compared.

extension AppComparison {
    /// The apps that are not compared, because a site lists others of the same file, and that have no agreement, for people.
    /// Whoever names an app leaves the others out.
    package func leftOut(of declarations: [AppDeclaration]) -> [String] {
        let (left, compared) = parts(of: declarations)
        return left.filter { !compared.miss($0, elsewhere) }.map(\.name)
    }

    /// Adds the apps that nobody compared although they are probably those that people have: the site lists only builds for
    /// developers, or has a name in their place that is almost theirs.
    func addLeftOut(
        to agreements: inout [AppAgreement],
        _ files: [(file: String, declarations: [AppDeclaration])]
    ) {
        var known = Set(agreements.compactMap { agreement in agreement.app.map { Array($0.utf8) } })
        var unbuilt = [Bool: [UnbuiltApps]]()
        for (file, declarations) in files {
            let (left, compared) = parts(of: declarations)
            for part in left {
                let other = misspelt(part, among: &unbuilt, beside: files, agreements)
                guard other != nil || compared.miss(part, elsewhere),
                    known.insert(Array(part.app.utf8)).inserted
                else { continue }
                agreements.append(part.agreement(in: file, beside: compared, other))
            }
        }
    }

    /// The identifier that a site of an app's hosts lists, that no source builds, and that is almost the app's.
    /// - Parameter unbuilt: those of each site, by the system, once they are needed.
    private func misspelt(
        _ part: SourceApp, among unbuilt: inout [Bool: [UnbuiltApps]],
        beside files: [(file: String, declarations: [AppDeclaration])],
        _ agreements: [AppAgreement]
    ) -> String? {
        guard part.isOfPeople, !part.isForDevelopers, !elsewhere.contains(part.identifier),
            !goesOn(part.identifier, behind: { isListed($0, ofApple: part.isOfApple) })
        else { return nil }
        let all: [UnbuiltApps]
        if let known = unbuilt[part.isOfApple] {
            all = known
        } else {
            let parts = files.flatMap(\.declarations).compactMap { SourceApp($0) }
            let names = parts.flatMap { [$0.identifier] + $0.others.map(\.identifier) }
            let built = Set(names.map { Array($0.utf8) }).union(
                agreements.compactMap(\.app).flatMap { [Array($0.utf8), Array(bundleBytes($0))] })
            all = sites.map { UnbuiltApps($0.identifiers(ofApple: part.isOfApple), except: built) }
            unbuilt[part.isOfApple] = all
        }
        return zip(sites, all).lazy.compactMap { site, apps in
            apps.first(near: part.identifier).flatMap { other in
                part.hosts.contains { site.answers($0.name) } ? other : nil
            }
        }.first
    }

    /// The apps of a file that are not compared, and those that a site lists in their place.
    private func parts(
        of declarations: [AppDeclaration]
    ) -> (left: [SourceApp], compared: ComparedApps) {
        guard claimed.ios == nil, claimed.android == nil else { return ([], ComparedApps([])) }
        let compared = self.compared(declarations).compactMap { SourceApp($0) }
        let names = Set(compared.map { Array($0.name.utf8) })
        let left = declarations.compactMap { SourceApp($0) }.filter { part in
            !names.contains(Array(part.name.utf8))
        }
        guard !left.isEmpty else { return ([], ComparedApps([])) }
        // The manifest of a flavour's source set, or the entitlements of a configuration, do not have the others.
        var seen = Set(compared.map { [[$0.isOfApple ? 1 : 0], Array($0.identifier.utf8)] })
        let others = left.flatMap(\.others).filter { part in
            isListed(part)
                && seen.insert([[part.isOfApple ? 1 : 0], Array(part.identifier.utf8)]).inserted
        }
        return (left, ComparedApps(compared + others))
    }

    private func isListed(_ part: SourceApp) -> Bool {
        isListed(Array(part.identifier.utf8), ofApple: part.isOfApple)
    }

    private func isListed(_ identifier: [UInt8], ofApple isOfApple: Bool) -> Bool {
        isOfApple
            ? listedBundles.contains(identifier)
            : sites.contains { $0.lists(package: String(decoding: identifier, as: UTF8.self)) }
    }
}
