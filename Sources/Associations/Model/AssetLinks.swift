private import URISyntax

/// The content of an `assetlinks.json` file, as Waymark writes it (Google, "Digital Asset Links").
public struct AssetLinks: Hashable, Sendable {
    /// In the order of the file.
    public var statements: [AssetStatement]

    public init(statements: [AssetStatement]) { self.statements = statements }
}

/// One statement: what an Android app may do for this site.
public struct AssetStatement: Hashable, Sendable {
    /// The permissions of the app.
    public var relations: [AssetRelation]
    /// The app.
    public var package: AndroidPackage
    /// The fingerprints of all keys that sign the app, with Google Play's first.
    public var fingerprints: [CertificateFingerprint]
    /// Rules that narrow the manifest's on Android 15 and later (Google, "Dynamic App Links"); nil
    /// leaves the key out. Android reads neither flags nor variables, nor a pattern for the whole
    /// query.
    public var dynamicComponents: [Component]?

    public init(
        relations: [AssetRelation], package: AndroidPackage,
        fingerprints: [CertificateFingerprint], dynamicComponents: [Component]? = nil
    ) {
        self.relations = relations
        self.package = package
        self.fingerprints = fingerprints
        self.dynamicComponents = dynamicComponents
    }
}

/// The permission that a statement grants.
public enum AssetRelation: String, Hashable, Sendable, CaseIterable {
    /// The app may open this site's links (App Links).
    case handleAllURLs = "delegate_permission/common.handle_all_urls"
    /// The app and this site share sign-in credentials.
    case getLoginCreds = "delegate_permission/common.get_login_creds"

    /// Whether a text has the form `kind/detail`, both with lower-case letters, digits, underscores
    /// and full stops.
    static func isWellFormed(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy { byte in
                        byte.isLowerCaseLetter || byte.isDigit
                            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
                    }
            }
    }
}
