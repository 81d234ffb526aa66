private import Diagnostics

/// The declaration of one app or bundle, which its file holds.
package enum AppDeclaration: Sendable {
    case apple(AppleDeclaration)
    case android(AndroidDeclaration)
    /// A key that signs an Android app.
    case key(AppSigningKey)
    /// A program that makes the declarations when it runs.
    case program(AppProgram)
}

/// A program that makes an app's projects, and is not run.
package enum AppProgram: Sendable {
    /// Expo, with `app.config.js`.
    case expo
    /// Cordova, with the plugins that `config.xml` or `package.json` names.
    case cordova
}

/// Reads any file of an app that holds its half of universal links; its content shows its kind.
package enum AppFile {
    /// The declarations of a file: several for an app with App Clips or extensions.
    /// - Parameter passwords: those that are tried for key stores.
    package static func read(
        _ source: ByteSource, passwords: [[UInt8]] = []
    ) throws(FormatFault) -> [AppDeclaration] {
        try read(source, passwords: passwords) { SourceModule() }
    }

    /// The declarations of a file of source.
    /// - Parameter module: what stands beside a manifest.
    static func read(
        _ source: ByteSource, passwords: [[UInt8]] = [], module: () -> SourceModule
    ) throws(FormatFault) -> [AppDeclaration] {
        try checked(declarations(in: source, passwords, module: module))
    }

    /// The declarations, if they are not more than are compared.
    static func checked(
        _ declarations: [AppDeclaration]
    ) throws(FormatFault) -> [AppDeclaration] {
        guard let count = declarations.map(\.declaredCount).max(),
            count > AppFileLimits.declaredMax
        else { return declarations }
        throw FormatFault(
            "declares \(count) domains or hosts, schemes and paths, may declare "
                + "\(AppFileLimits.declaredMax)", advice: "remove entries")
    }

    private static func declarations(
        in source: ByteSource, _ passwords: [[UInt8]], module: () -> SourceModule
    ) throws(FormatFault) -> [AppDeclaration] {
        guard source.count <= AppFileLimits.fileBytesMax else {
            throw FormatFault(
                "has \(source.count) bytes, may have \(AppFileLimits.fileBytesMax)",
                advice: "give a smaller file")
        }
        guard source.count > 0 else { throw FormatFault("is empty", advice: knownFiles) }
        let beginning = try source.read(min(source.count, 64), at: 0)
        if ZipArchive.isLikely(beginning) { return try read(ZipArchive(source)) }
        if MachO.isLikely(beginning) {
            return try bare(MachO.signatures(in: source))
        }
        let bytes = try source.readWhole()
        if let keys = try KeyStore.keys(in: bytes, passwords) { return keys.map { .key($0) } }
        if ProvisioningProfile.isLikely(bytes) {
            let allowed = try ProvisioningProfile.entitlements(bytes)
            return [.apple(AppleDeclaration(allowed, kind: .profile))]
        }
        if BinaryXML.isLikely(bytes) {
            return [.android(try AndroidDeclaration(BinaryXML.read(bytes), kind: .binary))]
        }
        if bytes.starts(with: "bplist".utf8) {
            return [.apple(try entitlements(PropertyList.read(bytes)))]
        }
        guard !bytes.starts(with: "// !$*UTF8*$!".utf8) else {
            throw FormatFault(
                "is a project of Xcode, which is read with the files beside it",
                advice: "give the directory of the app")
        }
        guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else {
            throw FormatFault(
                "is a text in UTF-16, must be in UTF-8", advice: "write it in UTF-8")
        }
        if bytes.first == UInt8(ascii: "{") {
            let found = try ExpoConfiguration(bytes).declarations()
            if !found.isEmpty { return found }
        }
        guard bytes.first(where: { !" \t\r\n\u{FEFF}".utf8.contains($0) }) == UInt8(ascii: "<")
        else {
            throw FormatFault("is no known file of an app", advice: knownFiles)
        }
        return try read(XMLReader.read(bytes), module: module)
    }

    /// The declarations of the bundles of a directory, such as an `.app` or `.xcarchive`.
    package static func read(bundles: BundleFiles) throws(FormatFault) -> [AppDeclaration] {
        try checked(AppleBundles.declarations(in: bundles).map { .apple($0) })
    }

    private static func read(
        _ root: XMLNode, module: () -> SourceModule
    ) throws(FormatFault) -> [AppDeclaration] {
        switch root.name {
        case "plist": return [.apple(try entitlements(PropertyList(document: root)))]
        case "manifest":
            return try module().declarations(of: root).map { .android($0) }
        case "widget":
            let found = try CordovaConfiguration.declarations(root)
            guard found.isEmpty else { return found }
            throw FormatFault(
                "is a widget without an id, so it is of no project of Cordova", at: root.place,
                advice: "give the config.xml beside package.json")
        default:
            throw FormatFault(
                "is XML with the root \(quoted(root.name)), which no known file of an app has",
                at: root.place, advice: knownFiles)
        }
    }

    private static func entitlements(
        _ list: PropertyList
    ) throws(FormatFault) -> AppleDeclaration {
        guard list.isDictionary else {
            throw FormatFault(
                "is a property list, but no dictionary", at: list.place, advice: knownFiles)
        }
        guard list["CFBundleIdentifier"] == nil else {
            throw FormatFault(
                "is an Info.plist, which declares no associated domains", at: list.place,
                advice: "give the .entitlements file, or the .ipa")
        }
        return AppleDeclaration(list, kind: .entitlements)
    }

    private static func read(_ archive: ZipArchive) throws(FormatFault) -> [AppDeclaration] {
        let names = archive.names
        if archive.contains("AndroidManifest.xml") { return [.android(try APK.read(archive))] }
        if archive.contains(APK.bundleManifest) {
            return [.android(try APK.read(bundle: archive))]
        }
        guard names.contains(where: { $0.utf8.starts(with: "Payload/".utf8) }) else {
            throw FormatFault("is an archive without an app in it", advice: knownFiles)
        }
        let files = BundleFiles(names: names.filter { $0.utf8.starts(with: "Payload/".utf8) }) {
            name throws(FormatFault) in try archive.member(name)
        }
        return try read(bundles: files)
    }

    private static func bare(
        _ signatures: [CodeSignature?]
    ) throws(FormatFault) -> [AppDeclaration] {
        let declaration = AppleDeclaration(signatures, bundle: nil)
        guard !declaration.isUnsigned else {
            throw FormatFault(
                "is an executable without entitlements", advice: "give the .ipa that is signed")
        }
        return [.apple(declaration)]
    }

    private static let knownFiles =
        "give an .ipa, .app, .entitlements, .mobileprovision, .apk, .aab, AndroidManifest.xml, key store "
        + "or certificate"
}

extension AppDeclaration {
    /// The number of values that are compared with each other.
    var declaredCount: Int {
        switch self {
        case .apple(let app): if case .list(let domains) = app.domains { domains.count } else { 0 }
        case .android(let app):
            app.filters.reduce(0) {
                $0 + 1 + $1.schemes.count + $1.hosts.count + $1.paths.count
                    + $1.groups.reduce(0) { $0 + 1 + $1.parts.count }
                    + $1.mimeTypes.count
            }
        case .key, .program: 1
        }
    }

    /// The filters of other manifests that are compared with it.
    var mergedCount: Int { if case .android(let app) = self { app.merged.count } else { 0 } }

    /// Whether it says anything about links. Of several files in a checkout, most do not.
    package var isOfLinks: Bool {
        switch self {
        case .apple(let app):
            if app.kind == .entitlements, app.use == nil, app.webScheme == nil,
                case .missing = app.domains
            {
                false
            } else {
                true
            }
        case .android(let app):
            app.kind == .binary && !isBareSplit || app.isBare
                || app.navigation != nil || app.fault != nil
                || app.filters.contains { $0.isOfWeb || $0.isVerified || $0.lacksScheme }
        case .key, .program: true
        }
    }

    /// Whether it is a split of an APK without filters, whose base has them.
    package var isBareSplit: Bool {
        guard case .android(let app) = self else { return false }
        return app.split != nil && app.filters.isEmpty && app.navigation == nil && app.fault == nil
    }

    /// The application ID of an APK or an app bundle; nil for other files.
    package var packageOfBinary: String? {
        if case .android(let app) = self, app.kind == .binary { app.applicationID } else { nil }
    }

    /// The reason why a part of it is not known, where the rest of the file is read; nil for most.
    package var fault: FormatFault? { if case .android(let app) = self { app.fault } else { nil } }

    /// Adds what was not read of the checkout of a file of source.
    /// - Parameters:
    ///   - programs: those that may change it, which hide no other module.
    ///   - path: that of the file in the checkout.
    mutating func add(
        _ unread: [UnreadSource], _ programs: [UnreadSource] = [], of path: String
    ) {
        switch self {
        case .apple(var app) where app.kind == .entitlements:
            app.unread += unread + programs
            app.path = path
            self = .apple(app)
        case .android(var app) where app.kind == .source:
            app.unread += unread + programs
            app.path = path
            // Other modules can be there.
            if !unread.isEmpty { app.isWhole = false }
            self = .android(app)
        case .apple, .android, .key, .program: break
        }
    }

    /// Whether it is of an app for Android.
    var isOfAndroid: Bool { if case .android = self { true } else { false } }

    /// Whether it was read from a file without lines.
    package var isBinary: Bool {
        switch self {
        case .apple(let app): app.place == nil && app.use == nil
        case .android(let app): app.kind == .binary
        case .key: true
        case .program: false
        }
    }
}
