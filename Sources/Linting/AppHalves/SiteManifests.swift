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
    fileprivate func findings(
        _ bytes: [UInt8], of package: String, _ file: FileReference
    ) -> [Diagnostic] {
        do throws(FormatFault) {
            let declarations = try AppFile.read(ByteSource(bytes))
            guard case .android(let app)? = declarations.first else {
                throw FormatFault(
                    "is no manifest of Android", advice: "give the app's AndroidManifest.xml")
            }
            guard let links = links[package] else { return [] }
            var paths = PathComparison(app)
            paths.compare(self, links)
            var found = AppFindings(file: file.path)
            for finding in paths.findings {
                found.add(
                    finding.severity, finding.rule, finding.place ?? app.place, finding.message,
                    advice: finding.advice)
            }
            return found.list
        } catch {
            return [AppComparison.finding(of: error, file: file.path)]
        }
    }
}
