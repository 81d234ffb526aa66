/// The links that an Android app declares: by the manifest of its source, or that of an APK with its
/// certificates.
package struct AndroidDeclaration: Sendable {
    package enum Kind: Sendable {
        /// Gradle makes another of it: it adds the application ID, and fills in placeholders.
        case source
        case binary
    }

    package let kind: Kind
    /// The application ID. In the source it is that of Gradle's script: `package` is the namespace of the code.
    package internal(set) var applicationID: String?
    /// The flavour that it is of; nil for an app without flavours.
    package internal(set) var flavor: String?
    /// The application IDs of the module's other flavours, for a manifest that is of one flavour.
    package internal(set) var others = [String]()
    package let isDebuggable: Bool
    /// Whether it is of a checkout in which no manifest opens links of the web.
    package internal(set) var isBare = false
    /// The filters with data, in the order of the manifest.
    package let filters: [IntentFilter]
    /// Whether it is a bundle, of which a store makes APKs that it signs with another key.
    package internal(set) var isForUpload = false
    /// Of an APK, those of the newest scheme first; nil for a manifest alone.
    package var certificates: [APKCertificate]?
    package let place: TextPlace

    /// Whether the value of an attribute can change the declaration, so that a reference is followed.
    static func isRead(_ attribute: XMLAttribute) -> Bool {
        let others = [
            "scheme", "host", "port", "mimeType", "autoVerify", "debuggable", "exported", "allow",
        ]
        return attribute.isPattern || attribute.isAndroid && others.contains(attribute.name)
    }

    /// - Parameter root: the manifest.
    init(_ root: XMLNode, kind: Kind) throws(FormatFault) {
        guard root.name == "manifest" else {
            throw FormatFault(
                "is no manifest of Android", at: root.place, advice: "give AndroidManifest.xml")
        }
        self.kind = kind
        applicationID = kind == .binary ? root.plain("package")?.value : nil
        var filters = [IntentFilter]()
        var isDebuggable = false
        for application in root.children where application.name == "application" {
            isDebuggable = application.android("debuggable")?.value == "true"
            for component in application.children {
                guard component.name == "activity" || component.name == "activity-alias" else {
                    continue
                }
                for child in component.children where child.name == "intent-filter" {
                    let filter = IntentFilter(child, of: component)
                    if filter.hasData || filter.autoVerify != nil { filters.append(filter) }
                }
            }
        }
        self.filters = filters
        self.isDebuggable = isDebuggable
        place = root.place
    }
}

/// A certificate that an APK is signed with.
package struct APKCertificate: Hashable, Sendable {
    /// The version of the scheme: 1, 2, 3, or 31 for 3.1.
    package let scheme: Int
    /// The SHA-256 as `assetlinks.json` has it.
    package let fingerprint: String
}
