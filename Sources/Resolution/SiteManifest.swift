private import AppFiles
package import Associations
package import SiteConfiguration

/// The manifest of an Android app, which decides beside the site which links the app opens.
package struct SiteManifest: Sendable {
    /// The file, for people.
    package let name: String
    /// Nil if the file is not one that can be read.
    private let rules: ManifestRules?

    package init(_ file: ManifestFile) {
        name = file.file.path
        let declarations = file.bytes.flatMap { try? AppFile.read(ByteSource($0)) } ?? []
        rules =
            declarations.lazy.compactMap { declaration -> ManifestRules? in
                if case .android(let app) = declaration { app.rules } else { nil }
            }.first
    }

    /// Whether the app opens a link of a host that publishes the app.
    package func verdict(for url: LinkURL) -> ManifestRules.Verdict {
        rules?.verdict(for: url) ?? .open("\(name) is no manifest that can be read")
    }
}

extension Site {
    /// The manifests of the Android apps that the site publishes, by package.
    package var manifests: [String: SiteManifest] {
        var manifests = [String: SiteManifest]()
        for app in publications.compactMap(\.app.android) {
            let package = app.package.description
            guard manifests[package] == nil, let file = app.manifest else { continue }
            manifests[package] = SiteManifest(file)
        }
        return manifests
    }
}
