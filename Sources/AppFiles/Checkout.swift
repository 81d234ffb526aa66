private import Diagnostics

/// A directory with the source of apps. Beside the files that declare something of links it has others that say
/// what a build fills in.
package struct Checkout {
    private let files: BundleFiles
    private let names: Set<[UInt8]>
    /// The files of apps, which `read` takes.
    package let apps: [String]
    /// The files in `res/values` of each module.
    private let valueFiles: [String: [String]]
    /// The files of the manifests of each module.
    private let manifestFiles: [String: [String]]
    /// All files in lower case, once they are needed.
    private var lowercased: Set<[UInt8]>?
    /// Whether a manifest opens links of the web, once it is needed.
    private var opensLinks: Bool?
    /// The modules of which a manifest verifies hosts, or may, once they are needed.
    private var verifying: Set<String>?
    /// The entitlements of all apps together, once they are needed.
    private var entitled: Entitled?
    /// The Xcode projects, once they are needed.
    private var projects: XcodeProjects?
    private var modules = [String: SourceModule]()
    /// Entitlements beside which others are compared; nil for a file that cannot be read.
    private var others = [String: AppleDeclaration?]()
    /// The values that the apps may still declare together. A manifest declares its own once for each flavour.
    private var declaredLeft = AppFileLimits.checkoutDeclaredMax
    /// The manifests of each module, once they are needed.
    private var manifests = [String: Manifests?]()
    private typealias Manifests = [(name: String, declarations: [AndroidDeclaration])]

    /// - Parameter files: all files of the directory.
    package init(_ files: BundleFiles) {
        self.files = files
        names = Set(files.names.map { Array($0.utf8) })
        var apps = [String]()
        var (valueFiles, manifestFiles) = ([String: [String]](), [String: [String]]())
        for name in files.names {
            let parts = Self.parts(name)
            guard parts.dropLast().allSatisfy({ !otherDirectories.contains($0) }) else { continue }
            if isOfApp(parts) {
                apps.append(name)
                if parts.last == "AndroidManifest.xml" {
                    manifestFiles[moduleDirectory(of: parts.dropLast()), default: []].append(name)
                }
            }
            if let module = moduleOfValues(parts) { valueFiles[module, default: []].append(name) }
        }
        (self.apps, self.valueFiles, self.manifestFiles) = (apps, valueFiles, manifestFiles)
    }

    private static func parts(_ name: String) -> [String] {
        name.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }

    /// The declarations of one of `apps`, with what the files beside it add.
    package mutating func read(_ name: String) throws(FormatFault) -> [AppDeclaration] {
        let found = try declarations(in: name)
        declaredLeft -= found.reduce(0) { $0 + $1.declaredCount + $1.mergedCount }
        guard declaredLeft >= 0 else {
            throw FormatFault(
                "is of a directory whose apps declare more than \(AppFileLimits.checkoutDeclaredMax) values, with "
                    + "those of each flavor", advice: "give the directory of one app")
        }
        return found
    }

    private mutating func declarations(in name: String) throws(FormatFault) -> [AppDeclaration] {
        let parts = Self.parts(name)
        if parts.last == "project.pbxproj" {
            let project = try project(name)
            let known = lowercasedNames()
            let lost = project.appsWithoutFile { !known.contains(Array($0.lowercased().utf8)) }
            return (project.bareApps + lost).map { .apple($0) }
        }
        let source = try files.open(name)
        if parts.last == "app.json" { return bare(try expo(source, in: parts.dropLast())) }
        if parts.last == "Info.plist" { return misplaced(source) }
        if isExpoProgram(parts.last ?? "") { return try program(source, in: parts.dropLast()) }
        guard parts.last == "AndroidManifest.xml" else {
            return try AppFile.read(source).flatMap { used($0, in: name) }
        }
        let sourceSet = parts.dropLast()
        let found = try AppFile.read(source) {
            module(moduleDirectory(of: sourceSet)).sourceSet(sourceSet.last ?? "")
        }
        return bare(found).map { declaration in
            guard case .android(let app) = declaration else { return declaration }
            var whole = merged(app, in: name)
            whole.isOfCheckout = true
            whole.isWhole = !isVerified(outside: moduleDirectory(of: sourceSet))
            return .android(whole)
        }
    }

    /// A manifest with the filters of the others of its module, which Gradle merges with it.
    private mutating func merged(_ app: AndroidDeclaration, in name: String) -> AndroidDeclaration {
        let directory = moduleDirectory(of: Self.parts(name).dropLast())
        var app = app
        guard let manifests = manifests(ofModule: directory) else {
            app.mergesOpen = true
            return app
        }
        for (other, found) in manifests where !other.isScalarwise(name) {
            for part in found
            where part.flavor == nil || app.flavor == nil || part.flavor == app.flavor {
                if part.navigation != nil { app.mergesOpen = true }
                guard app.merged.count + part.filters.count <= AppFileLimits.declaredMax else {
                    app.mergesOpen = true
                    return app
                }
                app.merged += part.filters
            }
        }
        return app
    }

    /// The manifests of a module with their declarations; nil if one cannot be read, or if there are too many. The only
    /// manifest of a module is left out.
    private mutating func manifests(ofModule directory: String) -> Manifests? {
        if let known = manifests[directory] { return known }
        let names = manifestFiles[directory, default: []]
        var found: Manifests? = names.count <= AppFileLimits.mergedMax ? [] : nil
        for name in names where names.count > 1 && found != nil {
            let module = module(directory).sourceSet(Self.parts(name).dropLast().last ?? "")
            let declarations = try? AppFile.read(files.open(name)) { module }
            let manifests = declarations?.compactMap { declaration in
                if case .android(let app) = declaration { app } else { nil }
            }
            declaredLeft -= declarations?.reduce(0) { $0 + $1.declaredCount } ?? 0
            if let manifests, declaredLeft >= 0 {
                found?.append((name, manifests))
            } else {
                found = nil
            }
        }
        manifests[directory] = .some(found)
        return found
    }

    /// All files in lower case, because the disks of Macs ignore letter case.
    private mutating func lowercasedNames() -> Set<[UInt8]> {
        if let known = lowercased { return known }
        let found = Set(files.names.map { Array($0.lowercased().utf8) })
        lowercased = found
        return found
    }

    /// What Expo makes of its configuration. A program beside it decides, and so do projects that were made of it.
    private func expo(
        _ source: ByteSource, in directory: ArraySlice<String>
    ) throws(FormatFault) -> [AppDeclaration] {
        let path = directory.map { "\($0)/" }.joined()
        guard
            !programEndings.contains(where: { names.contains(Array("\(path)app.config\($0)".utf8)) }
            )
        else { return [] }
        let (hasProject, hasManifest) = native(in: path)
        return try ExpoConfiguration.declarations(source.readWhole()).filter { declaration in
            if case .apple = declaration { !hasProject } else { !hasManifest }
        }
    }

    /// Whether a directory has the projects that Expo makes.
    private func native(in path: String) -> (hasProject: Bool, hasManifest: Bool) {
        func holds(_ directory: String) -> Bool {
            apps.contains { $0.utf8.starts(with: "\(path)\(directory)/".utf8) }
        }
        return (holds("ios"), holds("android"))
    }

    /// A program that makes Expo's configuration, if it or the `app.json` that it begins with has links.
    private func program(
        _ source: ByteSource, in directory: ArraySlice<String>
    ) throws(FormatFault) -> [AppDeclaration] {
        let path = directory.map { "\($0)/" }.joined()
        guard native(in: path) != (true, true) else { return [] }
        let name = "\(path)app.json"
        let json = names.contains(Array(name.utf8)) ? try? files.open(name).readWhole() : nil
        let texts = [try source.readWhole(), json ?? []].map { String(decoding: $0, as: UTF8.self) }
        let isOfLinks = texts.contains {
            holds("associatedDomains", in: $0) || holds("intentFilters", in: $0)
        }
        return isOfLinks ? [.program] : []
    }

    /// The domains of an `Info.plist`, where nothing reads them, if no entitlements have any; and its schemes of
    /// the web, which do nothing.
    private mutating func misplaced(_ source: ByteSource) -> [AppDeclaration] {
        guard let bytes = try? source.readWhole(), let list = try? PropertyList.read(bytes) else {
            return []
        }
        var declaration = AppleDeclaration(list, kind: .entitlements)
        let scheme = AppleDeclaration.Domain(schemeOf: list)
        if scheme != nil, !readEntitlements().isBrowser { declaration.webScheme = scheme }
        if list["com.apple.developer.associated-domains"] != nil, !readEntitlements().hasDomains {
            declaration.unused = .whileInInfoPlist
        } else if declaration.webScheme != nil {
            declaration.unused = .whileOfSchemes
        } else {
            return []
        }
        return [.apple(declaration)]
    }

    /// The entitlements of a checkout, whichever app they are of.
    private struct Entitled {
        /// Whether one has associated domains, or may.
        var hasDomains = false
        /// Whether one is of a browser.
        var isBrowser = false
    }

    private mutating func readEntitlements() -> Entitled {
        if let known = entitled { return known }
        var found = Entitled()
        for name in apps {
            guard let last = Self.parts(name).last,
                last.utf8.suffix(13).elementsEqual(".entitlements".utf8)
                    || last == "Entitlements.plist"
            else { continue }
            guard case .apple(let app)? = try? AppFile.read(files.open(name)).first else {
                found.hasDomains = true
                continue
            }
            if case .list = app.domains { found.hasDomains = true }
            if app.isBrowser { found.isBrowser = true }
        }
        entitled = found
        return found
    }

    /// Marks the apps of a checkout in which nothing opens links of the web.
    private mutating func bare(_ declarations: [AppDeclaration]) -> [AppDeclaration] {
        declarations.map { declaration in
            guard case .android(var app) = declaration, app.applicationID != nil,
                !declaration.isOfLinks, !hasLinks()
            else { return declaration }
            app.isBare = true
            return .android(app)
        }
    }

    /// Whether a manifest of the checkout opens links of the web, or may.
    private mutating func hasLinks() -> Bool {
        if let known = opensLinks { return known }
        let found = apps.contains { name in
            guard Self.parts(name).last == "AndroidManifest.xml" else { return false }
            guard let declarations = try? AppFile.read(files.open(name)) else { return true }
            return declarations.contains(where: \.isOfLinks)
        }
        opensLinks = found
        return found
    }

    /// Whether another module verifies hosts, or may.
    private mutating func isVerified(outside module: String) -> Bool {
        let known =
            verifying
            ?? Set(manifestFiles.filter { $0.value.contains { mayVerify($0) } }.map(\.key))
        verifying = known
        return !known.subtracting([module]).isEmpty
    }

    private func mayVerify(_ name: String) -> Bool {
        guard let declarations = try? AppFile.read(files.open(name)) else { return true }
        return declarations.contains { declaration in
            guard case .android(let app) = declaration else { return false }
            return app.navigation != nil || app.filters.contains(where: \.mayBeVerified)
        }
    }

    /// What the projects make of a file of source.
    private mutating func used(_ declaration: AppDeclaration, in name: String) -> [AppDeclaration] {
        guard case .apple(let app) = declaration, app.kind == .entitlements,
            let path = normalized(name)
        else { return [declaration] }
        let projects = projects ?? readProjects()
        self.projects = projects
        return projects.declarations(of: app, in: path) { entitlements(in: $0) }.map { .apple($0) }
    }

    /// The declaration of a file of entitlements, without a project; nil if it cannot be read.
    private mutating func entitlements(in name: String) -> AppleDeclaration? {
        if let known = others[name] { return known }
        var found: AppleDeclaration?
        if case .apple(let app)? = try? AppFile.read(files.open(name)).first { found = app }
        others[name] = .some(found)
        return found
    }

    private func readProjects() -> XcodeProjects {
        let names = apps.filter { Self.parts($0).last == "project.pbxproj" }
        let projects = names.prefix(AppFileLimits.projectsMax).map { try? project($0) }
        let unread = zip(names, projects).filter { $1 == nil }.map { directory(ofProject: $0.0) }
        return XcodeProjects(
            projects.compactMap(\.self),
            unread: unread
                + names.dropFirst(AppFileLimits.projectsMax).map { directory(ofProject: $0) })
    }

    private func project(_ name: String) throws(FormatFault) -> XcodeProject {
        let bytes = try files.open(name).readWhole()
        let list =
            bytes.first == UInt8(ascii: "<")
            ? try PropertyList.read(bytes) : try OpenStepReader.read(bytes)
        let directory = directory(ofProject: name)
        let bundle = Self.parts(name).dropLast().last ?? ""
        let named = String(Substring(bundle.utf8.dropLast(".xcodeproj".utf8.count)))
        return try XcodeProject(list, in: directory, named: named) { path in
            names.contains(Array(path.utf8)) ? try? files.open(path).readWhole() : nil
        }
    }

    /// The directory with the directory of the project, which has the file.
    private func directory(ofProject name: String) -> String {
        Self.parts(name).dropLast(2).joined(separator: "/")
    }

    private mutating func module(_ directory: String) -> SourceModule {
        if let known = modules[directory] { return known }
        var module = SourceModule()
        let path = directory.isEmpty ? "" : "\(directory)/"
        let name = ["build.gradle", "build.gradle.kts"].map { path + $0 }
            .first { names.contains(Array($0.utf8)) }
        let script = name.flatMap { try? GradleScript(files.open($0).readWhole()) }
        module.script = name ?? ""
        module.variants = script?.variants ?? []
        var whole = module
        // A file that cannot be read may have any value.
        if (try? readValues(ofModule: directory, into: &whole)) != nil {
            script?.addValues(to: &whole)
            module = whole
        }
        modules[directory] = module
        return module
    }

    private func readValues(
        ofModule directory: String, into module: inout SourceModule
    ) throws(FormatFault) {
        let names = valueFiles[directory, default: []]
        guard names.count <= AppFileLimits.valueFilesMax else {
            throw FormatFault("is of a module with \(names.count) files of values")
        }
        for name in names {
            // Behind the source set are `res`, a directory of values and the file.
            let sourceSet = Self.parts(name).dropLast(3).last ?? ""
            module.add(
                try XMLReader.read(files.open(name).readWhole()), of: sourceSet, file: name)
        }
    }
}
