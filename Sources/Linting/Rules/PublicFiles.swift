import Associations
package import Diagnostics
import SiteConfiguration

// Public files below `/.well-known/`, which programs read and nobody opens. Their readers say nothing of a fault.

extension Linter {
    /// The URL paths of public files that are read here.
    package static let publicPaths =
        ["/.well-known/apple-app-site-association", "/apple-app-site-association"]
        + ["/.well-known/assetlinks.json", WellKnownFiles.changePasswordPath]
        + WellKnownFile.allCases.map(\.path) + otherJSON

    /// Those of which only the syntax is checked.
    private static let otherJSON = [
        "gpc.json", "nodeinfo", "oauth-authorization-server", "oauth-protected-resource",
        "openid-configuration", "windows-app-web-link",
    ].map { "/.well-known/\($0)" }

    /// All findings for a public file.
    /// - Parameters:
    ///   - path: its URL path, one of `publicPaths`.
    ///   - file: its name in positions.
    package static func lint(
        publicFile bytes: [UInt8], at path: String, file: String
    ) -> [Diagnostic] {
        let last = path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed()
        switch String(decoding: Array(last), as: UTF8.self) {
        case "apple-app-site-association": return lint(AssociationReading(bytes, file: file))
        case "assetlinks.json":
            let links = PublishedAssetLinks(.init(bytes, name: file), includes: [:])
            return lint(AssetLinksReading(bytes, file: file), with: links)
        case "change-password": return [changePassword(file)]
        case let name: return WellKnownReading(bytes, name, file: file).findings
        }
    }

    private static func changePassword(_ file: String) -> Diagnostic {
        Diagnostic(
            .error, .changePasswordPage,
            at: SourcePosition(file: file, line: 1, column: 1),
            "the path is for a redirect, and this is a file, which browsers save",
            advice:
                "remove it, and write change-password: URL, with the page for changing passwords")
    }
}
