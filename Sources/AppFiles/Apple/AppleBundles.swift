private import Diagnostics

/// The files of an app: those of an archive, or of a directory.
package struct BundleFiles {
    /// Paths, parts separated by `/`.
    package let names: [String]
    private let openFile: (String) throws(FormatFault) -> ByteSource

    package init(names: [String], open: @escaping (String) throws(FormatFault) -> ByteSource) {
        (self.names, openFile) = (names, open)
    }

    package func open(_ name: String) throws(FormatFault) -> ByteSource { try openFile(name) }
}

/// The bundles among the files of an app: the app, its App Clips, extensions and watch app.
enum AppleBundles {
    /// The declarations of the bundles, the outermost first. Extensions without domains declare nothing.
    static func declarations(
        in files: BundleFiles
    ) throws(FormatFault) -> [AppleDeclaration] {
        let names = Set(files.names.map { Array($0.utf8) })
        let paths = files.names.compactMap(bundlePath).sorted {
            ($0.utf8.count, $0) < ($1.utf8.count, $1)
        }
        let ofMac = ".app/Contents/Info.plist"
        guard
            !paths.isEmpty
                || !files.names.contains(where: { name in
                    name.utf8.suffix(ofMac.utf8.count).elementsEqual(ofMac.utf8)
                })
        else {
            throw FormatFault(
                "is an app for Macs, which is not read",
                advice: "give the .ipa of the app for iOS, or the .entitlements file",
                isOfOtherKind: true)
        }
        guard !paths.isEmpty else {
            throw FormatFault("has no app in it", advice: "give an .ipa that Xcode has exported")
        }
        guard paths.count <= bundlesMax else {
            throw FormatFault("has \(paths.count) bundles, may have \(bundlesMax)")
        }
        // A system that finds the app where this reads only its extensions would see another app.
        let known = Set(paths)
        if let app = paths.lazy.compactMap(enclosingApp).first(where: { !known.contains($0) }) {
            throw FormatFault("has a bundle \(quoted(app)) without an Info.plist")
        }
        var declarations = [AppleDeclaration]()
        var count = 0
        for path in paths {
            let declaration = try declaration(of: path, files, names)
            if case .list(let domains) = declaration.domains { count += domains.count }
            guard count <= AppFileLimits.bundlesDeclaredMax else {
                throw FormatFault(
                    "has bundles that declare more than \(AppFileLimits.bundlesDeclaredMax) domains together",
                    advice: "remove entries")
            }
            if path.utf8.suffix(6).elementsEqual(".appex".utf8),
                case .missing = declaration.domains
            {
                continue
            }
            declarations.append(declaration)
        }
        return enclosed(declarations)
    }

    /// The declarations, App Clips with the identifier and the domains of the app that they are in.
    private static func enclosed(_ declarations: [AppleDeclaration]) -> [AppleDeclaration] {
        var known = [Int: AppleDeclaration.Enclosing]()
        return declarations.map { declaration in
            guard declaration.isClip, let path = declaration.bundle,
                let index = declarations.firstIndex(where: { other in
                    other.bundle.map { path.utf8.starts(with: "\($0)/".utf8) } == true
                })
            else { return declaration }
            let enclosing = known[index] ?? enclosing(declarations[index])
            known[index] = enclosing
            var clip = declaration
            clip.enclosing = enclosing
            return clip
        }
    }

    private static func enclosing(_ app: AppleDeclaration) -> AppleDeclaration.Enclosing {
        let domains =
            if case .list(let domains) = app.domains { domains.map(\.text) } else { [String]() }
        return .init(
            applicationIdentifier: app.applicationIdentifier, bundleIdentifier: nil,
            hostsOfClips: AppleDeclaration.hostsOfClips(domains))
    }

    /// The directory of a bundle, by its Info.plist. Frameworks and resources have no entitlements.
    private static func bundlePath(_ name: String) -> String? {
        let suffix = "/Info.plist"
        guard name.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) else { return nil }
        let path = String(decoding: name.utf8.dropLast(suffix.utf8.count), as: UTF8.self)
        let isBundle = [".app", ".appex"].contains { kind in
            path.utf8.suffix(kind.utf8.count).elementsEqual(kind.utf8)
        }
        return isBundle ? path : nil
    }

    /// The outermost app that a bundle is in, or is; nil for an extension alone.
    private static func enclosingApp(_ path: String) -> String? {
        let slash = UInt8(ascii: "/")
        let parts = Array(path.utf8).split(separator: slash, omittingEmptySubsequences: false)
        guard let index = parts.firstIndex(where: { $0.suffix(4).elementsEqual(".app".utf8) })
        else { return nil }
        return String(
            decoding: Array(parts[...index].joined(separator: [slash])), as: UTF8.self)
    }

    private static func declaration(
        of path: String, _ files: BundleFiles, _ names: Set<[UInt8]>
    ) throws(FormatFault) -> AppleDeclaration {
        let info = try PropertyList.read(files.open(path + "/Info.plist").readWhole())
        guard let executable = info["CFBundleExecutable"]?.text,
            names.contains(Array("\(path)/\(executable)".utf8))
        else {
            throw FormatFault(
                "has a bundle \(quoted(path)) without the executable that its Info.plist names")
        }
        let signatures = try MachO.signatures(in: files.open("\(path)/\(executable)"))
        var declaration = AppleDeclaration(signatures, bundle: path)
        declaration.bundleIdentifier = info["CFBundleIdentifier"]?.text
        let parts = pathParts(path)
        if parts.dropLast().last == "AppClips" { declaration.isClip = true }
        declaration.webScheme = AppleDeclaration.Domain(schemeOf: info)
        let profile = path + "/embedded.mobileprovision"
        if names.contains(Array(profile.utf8)) {
            let allowed = try ProvisioningProfile.entitlements(files.open(profile).readWhole())
            declaration.profileAllowsDomains =
                allowed["com.apple.developer.associated-domains"] != nil
        }
        return declaration
    }
}

private let bundlesMax = 256
