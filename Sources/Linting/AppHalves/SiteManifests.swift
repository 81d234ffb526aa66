import AppFiles
import Associations
import Diagnostics
import SiteConfiguration

extension Site {
    /// The differences between the published links and the manifests that the configuration names.
    var manifestFindings: [Diagnostic] {
        let half = SiteHalf(self)
        var found = [Diagnostic]()
        var known = Set<String>()
        for app in publications.compactMap(\.app.android) {
            let package = app.package.description
            guard let file = app.manifest, let bytes = file.bytes, known.insert(package).inserted
            else { continue }
            found += half.findings(bytes, of: package, file.file)
        }
        return found
    }
}

extension SiteHalf {
    /// Rules about the app that do not concern the configuration: an app has hosts of other environments, too, and
    /// its manifest names them all.
    private static let ofApp: Set<RuleName> = [.libraryHost, .hostNotCompared, .appUnknown]

    fileprivate func findings(
        _ bytes: [UInt8], of package: String, _ file: FileReference
    ) -> [Diagnostic] {
        do throws(FormatFault) {
            let declarations = try AppFile.read(ByteSource(bytes))
            guard case .android(let app)? = declarations.first else {
                throw FormatFault(
                    "is no manifest of Android", advice: "give the app's AndroidManifest.xml")
            }
            guard links[package]?.rules.isEmpty == false else { return [] }
            var comparison = AndroidComparison(
                app, file: file.path, [self], claimed: ClaimedApp(android: package))
            let findings = comparison.agreement()?.findings ?? []
            // A library can have the filters that the manifest lacks, and is not named here.
            return findings.filter { !Self.ofApp.contains($0.rule) }.map {
                $0.rule == .siteHostNotDeclared ? $0.atMostWarning : $0
            }
        } catch {
            return [AppComparison.finding(of: error, file: file.path)]
        }
    }
}
