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
    /// developers.
    func addLeftOut(
        to agreements: inout [AppAgreement],
        _ files: [(file: String, declarations: [AppDeclaration])]
    ) {
        var known = Set(agreements.compactMap { agreement in agreement.app.map { Array($0.utf8) } })
        for (file, declarations) in files {
            let (left, compared) = parts(of: declarations)
            for part in left where compared.miss(part, elsewhere) {
                guard known.insert(Array(part.app.utf8)).inserted else { continue }
                agreements.append(part.agreement(in: file, beside: compared))
            }
        }
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
        part.isOfApple
            ? listedBundles.contains(Array(part.identifier.utf8))
            : sites.contains { $0.lists(package: part.identifier) }
    }
}
