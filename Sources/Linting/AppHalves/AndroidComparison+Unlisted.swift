import AppFiles
import Associations
import Diagnostics

// A host whose file does not let the app open links.

extension AndroidComparison {
    /// - Parameter host: nil if it is not known.
    mutating func addPlaceholder(_ placeholder: String, of package: String, _ host: String?) {
        let site = host.map { quoted($0) } ?? "the site"
        add(
            .error, .fingerprintNotPublished, nil,
            "\(site) lists \(quoted(package)) with the placeholder \(quoted(placeholder)) instead of a fingerprint",
            advice: app.certificates?.first.map { "write \($0.fingerprint)" }
                ?? "write the SHA-256 fingerprint of the certificate that signs the app, from Play Console › App integrity"
        )
    }

    /// Says why a site does not list a package.
    /// - Parameters:
    ///   - host: its name in quotes.
    ///   - others: the packages that it lists.
    /// - Returns: false, or nil if it is not known whether it lists the package.
    mutating func findUnlisted(
        _ package: String, by site: SiteHalf, _ host: String, _ others: [String]
    ) -> Bool? {
        if let include = site.missingIncludes.first {
            opening.insert(.packageNotListed)
            add(
                .warning, .packageNotListed, nil, before: "\(host) does not list ", package,
                after: " itself, and what it includes is not known here: \(quoted(include))",
                advice: "give a file with the statements of \(include), too")
            return nil
        }
        let (before, after, advice): (String, String, String)
        if site.sharing.contains(package) {
            (before, after, advice) = (
                "lists ", " for passwords and passkeys, and not for links",
                "add the relation \(AssetRelation.handleAllURLs.rawValue) to the statement"
            )
        } else if site.lowercased.contains(package) {
            (before, after, advice) = (
                "lists ", " only with a fingerprint in lower case, which Google refuses",
                "write its letters in upper case"
            )
        } else if site.named.contains(package) {
            (before, after, advice) = (
                "lists ", " only in statements that Google refuses",
                "waymark lint assetlinks.json says what is wrong with them"
            )
        } else {
            (before, after, advice) = (
                "does not list ", but(others),
                "publish the application ID of this build"
                    + (app.script.map { ", which \($0) sets," } ?? ",")
                    + " or give the build that is released"
            )
        }
        add(
            .error, .packageNotListed, nil, before: "\(host) \(before)", package, after: after,
            advice: advice)
        return false
    }
}
