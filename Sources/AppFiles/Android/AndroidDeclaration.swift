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
    /// The script that the application ID is from; nil for an APK, and for a manifest alone.
    package internal(set) var script: String?
    /// The flavour that it is of; nil for an app without flavours.
    package internal(set) var flavor: String?
    /// The number of its form among those that flavours make of one manifest, with the manifests that it is merged with:
    /// flavours of one form differ only in what the script says of each.
    package internal(set) var form = 0
    /// Whether the script may switch its release off, so that nobody may have it.
    package internal(set) var mayBeOff = false
    /// The application IDs of the module's other flavours, for a manifest that is of one flavour.
    package internal(set) var others = [String]()
    package let isDebuggable: Bool
    /// The sites that the app speaks for; nil if there are none, or if they are not known.
    package private(set) var statements: AssetStatements?
    /// The attribute that switches the whole application off; nil if it is not switched off.
    package private(set) var disabled: TextPlace?
    /// The attribute that may switch it off, where a build or a resource decides; nil if there is none.
    package private(set) var mayBeDisabled: IntentFilter.Value?
    /// The first activity with a filter that does not say whether it is exported, so that Android 12 and later
    /// refuse to install the app; nil if there is none.
    package internal(set) var lacksExported: TextPlace?
    /// The same, whichever version the app is made for.
    let unsaidExported: TextPlace?
    /// The aliases whose activities are not there, so that Android refuses to install the app.
    package internal(set) var lostAliases = [LostAlias]()
    /// The API level of the version that the script of its module makes it for; nil if it is not known.
    package internal(set) var targetAPIOfScript: Int?
    /// The name of the split that an APK is, which is installed beside the base; nil for the base, and for source.
    package let split: String?
    /// Whether it can be installed by developers alone (`android:testOnly`).
    package private(set) var isForTests = false
    /// The API level of the oldest version of Android on which the app is installed; nil if it is not known.
    package internal(set) var leastAPI: Int?
    /// The API level of the version that a binary manifest is made for, 0 if it does not say; nil for source, and where
    /// it is not known, such as that of a preview.
    package let targetAPI: Int?
    /// Whether it is of Expo's configuration, which is written in JSON.
    package internal(set) var isOfExpo = false
    /// The places of filters that are hosts of Cordova's plugin.
    package internal(set) var hostFilters = Set<TextPlace>()
    /// Whether it was read with the values beside it in a directory.
    package internal(set) var isOfCheckout = false
    /// Whether it was read with the manifests of its module, and no other module of the checkout verifies hosts, or may.
    package internal(set) var isWhole = false
    /// Whether it is of a library of a checkout that has an app, so that it can be in apps that change it, or in none.
    package internal(set) var isOfLibrary = false
    /// Whether it is of a checkout in which no manifest opens links of the web.
    package internal(set) var isBare = false
    /// The kind of device that the app requires, in a word, such as `watch`; nil for an app of phones.
    package let device: String?
    /// The files beside a manifest of source that were not read.
    package internal(set) var unread = [UnreadSource]()
    /// The path in the checkout of the file that it is from; empty without one.
    package internal(set) var path = ""
    /// Whether the script of its module changes what it declares in ways that are not read, so that a fault need not be one.
    package internal(set) var isUncertain = false
    /// The manifests with links of the module that no release has, such as those of other build types.
    package internal(set) var otherManifests = [String]()
    /// The reason why nothing is known of the filters, where the rest of the file is read; nil if they are known.
    package internal(set) var fault: FormatFault?
    /// The filters with data, in the order of the manifest.
    package let filters: [IntentFilter]
    /// The hosts of filters of the checkout's libraries, which it can have.
    package internal(set) var hostsOfLibraries = [IntentFilter.Value]()
    /// Those of manifests that Gradle merges with a manifest of source.
    package internal(set) var merged = [IntentFilter]()
    /// The package of its components in source, as far as it is known.
    let namespace: String?
    /// The elements that it closes or takes away, whatever the manifests say that it is merged with.
    let closed: ClosedElements
    /// The first `nav-graph` of an activity in source, for which Gradle makes filters of a navigation graph.
    package let navigation: TextPlace?
    /// The manifests that may close or take away a component with a filter, and the scripts with names that are not known, which may
    /// change anything.
    package internal(set) var changing = [UnreadSource]()
    /// Whether the filters of manifests that it is merged with are not all known.
    package internal(set) var mergesOpen = false
    /// Whether it is a bundle, of which a store makes APKs that it signs with another key.
    package internal(set) var isForUpload = false
    /// Of an APK, those of the newest scheme first; nil for a manifest alone.
    package var certificates: [APKCertificate]?
    package let place: TextPlace

    /// Whether the value of an attribute can change the declaration, so that a reference is followed.
    static func isRead(_ attribute: XMLAttribute, of node: XMLNode) -> Bool {
        if attribute.isAndroid, attribute.name == "resource" || attribute.name == "value" {
            return node.isOfStatements
        }
        let others = [
            "scheme", "host", "port", "mimeType", "autoVerify", "debuggable", "exported", "allow",
            "minSdkVersion", "targetSdkVersion", "enabled", "testOnly", "permission", "required",
        ]
        if attribute.isAndroid, attribute.name == "name" {
            return node.name == "action" || node.name == "category"
        }
        return attribute.isPattern || attribute.isAndroid && others.contains(attribute.name)
    }

    private static func statements(_ application: XMLNode) -> AssetStatements? {
        let node = application.children.first(where: \.isOfStatements)
        guard let attribute = node?.android("resource") ?? node?.android("value") else {
            return nil
        }
        return AssetStatements(attribute.value, at: attribute.place)
    }

    /// - Parameter root: the manifest.
    init(_ root: XMLNode, kind: Kind) throws(FormatFault) {
        guard root.name == "manifest" else {
            throw FormatFault(
                "is no manifest of Android", at: root.place, advice: "give AndroidManifest.xml")
        }
        self.kind = kind
        split = kind == .binary ? root.plain("split")?.value : nil
        var manifest = root
        namespace = kind == .source ? root.plain("package")?.value : nil
        closed = kind == .source ? ClosedElements(of: root) : ClosedElements()
        if kind == .source { manifest.leaveOutRemoved() }
        try manifest.normalizeFlags(kind)
        applicationID = kind == .binary ? manifest.plain("package")?.value : nil
        leastAPI = Self.leastAPI(manifest, kind)
        var filters = [IntentFilter]()
        var navigation: TextPlace?
        var isDebuggable = false
        var lacking: TextPlace?
        // Android reads the first one alone.
        for application in manifest.children.filter({ $0.name == "application" }).prefix(1) {
            isDebuggable = application.android("debuggable")?.value == "true"
            statements = Self.statements(application)
            let enabled = application.android("enabled")
            disabled = enabled?.value == "false" ? enabled?.place : nil
            mayBeDisabled = enabled.map(IntentFilter.Value.init).flatMap {
                $0.isUnresolved ? $0 : nil
            }
            isForTests = application.android("testOnly")?.value == "true"
            // A split can have aliases of activities of its base.
            if split == nil {
                lostAliases = LostAlias.all(
                    in: application, kind, package: root.plain("package")?.value)
            }
            for component in application.children where component.isActivity {
                let graph = component.children.first { $0.name == "nav-graph" }
                if kind == .source, navigation == nil { navigation = graph?.place }
                let hasFilter = component.children.contains { $0.name == "intent-filter" }
                if hasFilter, component.android("exported") == nil, lacking == nil {
                    lacking = component.place
                }
                for child in component.children where child.name == "intent-filter" {
                    let filter = IntentFilter(child, of: component, in: application)
                    if filter.hasData || filter.autoVerify != nil { filters.append(filter) }
                }
            }
        }
        (self.filters, self.navigation) = (filters, navigation)
        // Gradle adds nothing there, but refuses to build it itself.
        let target = kind == .binary ? Self.targetAPI(manifest) : nil
        unsaidExported = lacking
        lacksExported = (target ?? 0) >= 31 ? lacking : nil
        targetAPI = target
        device = Self.device(manifest)
        self.isDebuggable = isDebuggable
        place = root.place
    }

    /// The kind of device that a manifest requires, by its `uses-feature` (Android, "Features reference").
    private static func device(_ root: XMLNode) -> String? {
        let kinds = [
            "android.hardware.type.watch": "watch",
            "android.hardware.type.television": "television",
            "android.software.leanback": "television", "android.hardware.type.automotive": "car",
        ]
        return root.children.lazy.filter { node in
            node.name == "uses-feature" && node.android("required")?.value != "false"
        }.compactMap { node in node.android("name").flatMap { kinds[$0.value] } }.first
    }

    /// The API level of the version that a binary manifest is made for, 0 if it does not say; nil for a reference or the
    /// name of a preview.
    private static func targetAPI(_ root: XMLNode) -> Int? {
        let use = root.children.first { $0.name == "uses-sdk" }
        let attribute = use?.android("targetSdkVersion") ?? use?.android("minSdkVersion")
        guard let attribute else { return 0 }
        return attribute.isReference ? nil : Int(attribute.value)
    }

    /// The API level of the oldest version in a manifest. If the manifest has none, Android takes the first version.
    private static func leastAPI(_ root: XMLNode, _ kind: Kind) -> Int? {
        let use = root.children.first {
            $0.name == "uses-sdk" && $0.android("minSdkVersion") != nil
        }
        guard let attribute = use?.android("minSdkVersion") else {
            return kind == .binary ? 1 : nil
        }
        return attribute.isReference ? nil : Int(attribute.value)
    }
}

/// A certificate that an APK is signed with.
package struct APKCertificate: Hashable, Sendable {
    /// The version of the scheme: 1, 2, 3, or 31 for 3.1.
    package let scheme: Int
    /// The SHA-256 as `assetlinks.json` has it.
    package let fingerprint: String
    /// Whether it is of a key that Android's tools make for each developer.
    package let isForDebugging: Bool

    init(scheme: Int, fingerprint: String, isForDebugging: Bool = false) {
        (self.scheme, self.fingerprint) = (scheme, fingerprint)
        self.isForDebugging = isForDebugging
    }

    /// - Parameter certificate: in DER.
    init(scheme: Int, _ certificate: [UInt8]) {
        self.init(
            scheme: scheme, fingerprint: certificateFingerprint(certificate),
            isForDebugging: isOfDebugKey(certificate))
    }
}

/// Whether a certificate is of a key that Android's tools make for each developer: its issuer or its subject has their
/// common name (RFC 5280 §4.1.2.4).
func isOfDebugKey(_ certificate: [UInt8]) -> Bool {
    let identifier: [UInt8] = [0x06, 0x03, 0x55, 0x04, 0x03]
    let name = Array("Android Debug".utf8)
    let forms = [UInt8(0x0C), 0x13, 0x16].map { identifier + [$0, UInt8(name.count)] + name }
    return certificate.indices.contains { index in
        certificate[index] == 0x06 && forms.contains { certificate[index...].starts(with: $0) }
    }
}

extension XMLNode {
    /// Whether it names the sites that the app speaks for.
    fileprivate var isOfStatements: Bool {
        name == "meta-data" && android("name")?.value == "asset_statements"
    }
}
