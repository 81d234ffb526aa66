private import Diagnostics

/// The Android modules of a checkout: what stands beside their manifests, and the manifests that Gradle merges.
struct SourceModules {
    let files: BundleFiles
    let names: Set<[UInt8]>
    /// The settings script above the checkout, which modules without one in it are of; nil if there is none.
    private let settingsAbove: String?
    /// The files in `res/values` of each module.
    private var valueFiles = [String: [String]]()
    /// The files of each module in such directories for some devices, such as `res/values-de`.
    private var deviceFiles = [String: [String]]()
    /// The files of the manifests of each module.
    private(set) var manifestFiles = [String: [String]]()
    private var modules = [String: SourceModule]()
    /// The manifests of each module, once they are needed.
    private var merging = [String: MergedManifests]()
    /// The modules of which a manifest verifies hosts, or may, once they are needed.
    private var verifying: [Module]?
    /// The modules of which a manifest opens links of the web, or may, once they are needed.
    private var linked: [Module]?
    /// The manifests of each module that no release has, or of which that is not known, once they are needed.
    private var unreleased = [String: (others: [String], unknown: [String])]()
    /// The scripts above modules by their names, once they are needed.
    var scripts = [String: ScriptAbove]()
    /// The scripts of modules that may change other modules, once they are needed.
    var reaching: [(name: String, source: UnreadSource)]?
    /// The settings of the project's own plugins, which are read when they are needed first.
    var plugins: GradlePlugins?
    /// The number of manifests of each module that releases may have, once they are needed.
    private var releasedCounts = [String: Int]()
    /// The manifests of libraries that close the application, by their modules, once they are needed.
    var closingLibraries: [(directory: String, source: UnreadSource)]?
    private var libraryHosts: [IntentFilter.Value]?
    /// Whether a module may be an app, once it is needed.
    var hasApplication: Bool?
    /// The activities of all manifests, once they are needed; nil if some cannot be read.
    private var activities: ActivityNames??
    let memory = AppliedMemory()
    let catalogs: GradleCatalogs
    /// The values that manifests declare for the others of their modules.
    private(set) var declaredCount = 0

    /// A module by its directory.
    private struct Module {
        let directory: String
        /// Whether it is an app, which Gradle merges with no other app.
        let isApplication: Bool
        /// The flavours in whose releases its manifests with the declaration are; nil for all.
        let flavors: Set<String>?
        /// The hosts of its filters, before a build fills them in.
        let hosts: [IntentFilter.Value]
    }

    /// - Parameters:
    ///   - files: those of the checkout, which can be read.
    ///   - names: their names.
    ///   - settings: the settings script that stands next above the checkout; nil if there is none.
    init(_ files: BundleFiles, _ names: Set<[UInt8]>, settingsAbove settings: String? = nil) {
        (self.files, self.names, settingsAbove) = (files, names, settings)
        catalogs = GradleCatalogs(files, names)
    }

    mutating func add(manifest name: String) {
        manifestFiles[Self.directory(ofManifest: name), default: []].append(name)
    }

    /// - Parameter isOfDevices: whether its directory is for some devices alone.
    mutating func add(values name: String, ofModule directory: String, isOfDevices: Bool) {
        if isOfDevices {
            deviceFiles[directory, default: []].append(name)
        } else {
            valueFiles[directory, default: []].append(name)
        }
    }

    static func directory(ofManifest name: String) -> String {
        moduleDirectory(of: pathParts(name).dropLast())
    }

    /// The declarations of a manifest, with the filters of those that Gradle merges with it.
    mutating func declarations(in name: String) throws(FormatFault) -> [AppDeclaration] {
        let directory = Self.directory(ofManifest: name)
        guard module(directory).isOfRelease(manifest: name) else { return [] }
        let sourceSet = module(directory).sourceSet(ofManifest: name)
        var found = try AppFile.read(files.open(name)) { sourceSet }
        let isWhole = !isVerified(outside: directory)
        let manifests = mergedManifests(of: directory)
        let (others, unknown) = otherManifests(of: directory)
        let own = module(directory)
        let script = own.script
        let isAlone =
            own.isApplication && releasedCount(of: directory) == 1
        var merged = [[Int]: AndroidDeclaration]()
        for index in found.indices {
            guard case .android(var app) = found[index] else { continue }
            let forms = manifests.forms(with: app)
            if let known = merged[forms] {
                app.takeMerged(of: known)
            } else {
                manifests.merge(into: &app, of: name)
                app.form = merged.count
                merged[forms] = app
            }
            (app.isOfCheckout, app.isWhole) = (true, isWhole)
            if !app.lostAliases.isEmpty { findAliases(of: &app) }
            app.isUncertain = own.isUncertain
            if app.mayBeOff { app.leaveOpen(switchedOffBy: script) }
            if app.opensLinks { app.changing += libraries(closingBesides: directory) }
            app.changing += own.unknown
            if own.mayBeApplication, app.opensLinks { app.hostsOfLibraries = hostsOfLibraries() }
            app.otherManifests = others
            // The merger refuses the build, unless another manifest says it.
            if isAlone, app.targetAPIOfScript ?? 0 >= 31 { app.lacksExported = app.unsaidExported }
            app.unread += unknown.map { other in
                UnreadSource(
                    other,
                    "\(script) has no flavor and no build type of this name, and a plugin or another script "
                        + "may have one")
            }
            found[index] = .android(app)
        }
        return found
    }

    /// Leaves out the aliases whose activities may be those of another manifest of the checkout.
    private mutating func findAliases(of app: inout AndroidDeclaration) {
        let known: ActivityNames? =
            activities ?? ActivityNames(of: manifestFiles.values.joined(), files)
        activities = .some(known)
        app.lostAliases.removeAll { alias in known.map { alias.isFound(in: $0) } ?? true }
    }

    /// The manifests with links that no release has, of all modules.
    mutating func otherManifests() -> [String] {
        manifestFiles.keys.sorted().flatMap { otherManifests(of: $0).others }
    }

    /// The manifests with links of a module that no release has, and those with links, or that close something, of which that
    /// is not known.
    private mutating func otherManifests(
        of directory: String
    ) -> (others: [String], unknown: [String]) {
        if let known = unreleased[directory] { return known }
        let own = module(directory)
        var found = (others: [String](), unknown: [String]())
        for name in manifestFiles[directory, default: []] where !own.isOfRelease(manifest: name) {
            let declarations = try? AppFile.read(files.open(name))
            let isOfLinks = declarations?.contains(where: \.isOfLinks) ?? true
            if own.isBuilt(manifest: name),
                own.sourceSets.isOpen(sourceSetName(pathParts(name).dropLast()))
            {
                if isOfLinks || declarations?.contains(where: \.closesElements) == true {
                    found.unknown.append(name)
                }
            } else if isOfLinks {
                found.others.append(name)
            }
        }
        unreleased[directory] = found
        return found
    }

    /// Whether Gradle may merge a manifest with one that opens links of the web: one of its module or of a library.
    /// - Parameters:
    ///   - directory: its module; nil for any manifest of the checkout.
    ///   - flavor: the one that it is merged for; nil if it has none.
    mutating func hasLinks(besides directory: String?, flavor: String?) -> Bool {
        if linked == nil { linked = directories(declaring: \.isOfLinks) }
        let known = linked ?? []
        guard let directory else { return !known.isEmpty }
        let isApplication = module(directory).isApplication
        return known.contains { other in
            if other.directory.isScalarwise(directory) {
                guard let flavor, let flavors = other.flavors else { return true }
                return flavors.contains(flavor)
            }
            return !isApplication || !other.isApplication
        }
    }

    /// The hosts of links of the libraries, which an app can have, each once.
    mutating func hostsOfLibraries() -> [IntentFilter.Value] {
        if let known = libraryHosts { return known }
        if linked == nil { linked = directories(declaring: \.isOfLinks) }
        var seen = Set<[UInt8]>()
        let found = (linked ?? []).filter { !$0.isApplication }.flatMap(\.hosts).filter {
            seen.insert(Array($0.text.utf8)).inserted
        }
        libraryHosts = found
        return found
    }

    /// Whether a manifest of another module verifies hosts, or may, and Gradle may merge it: no app is merged with
    /// another one, such as that of a watch.
    private mutating func isVerified(outside directory: String) -> Bool {
        if verifying == nil { verifying = directories(declaring: \.mayVerify) }
        let isApplication = module(directory).isApplication
        return (verifying ?? []).contains { other in
            !other.directory.isScalarwise(directory) && (!isApplication || !other.isApplication)
        }
    }

    /// The modules that have a manifest with a declaration of a kind, or one that cannot be read.
    private mutating func directories(declaring isOfKind: (AppDeclaration) -> Bool) -> [Module] {
        var found = [Module]()
        for (directory, all) in manifestFiles {
            let own = module(directory)
            var hosts = [IntentFilter.Value]()
            let names = all.filter { name in
                guard own.isOfRelease(manifest: name) else { return false }
                guard let read = try? AppFile.read(files.open(name)) else { return true }
                for case .android(let app) in read {
                    hosts += app.filters.filter(\.mayBeForWebLinks).flatMap(\.hosts)
                }
                return read.contains(where: isOfKind)
            }
            guard !names.isEmpty else { continue }
            let flavors = names.map { own.sourceSet(ofManifest: $0).ownFlavors }
            found.append(
                Module(
                    directory: directory, isApplication: own.isApplication,
                    flavors: flavors.contains(nil) ? nil : Set(flavors.flatMap { $0 ?? [] }),
                    hosts: hosts))
        }
        return found
    }

    /// The manifests of a module. The only one of a module is left out.
    private mutating func mergedManifests(of directory: String) -> MergedManifests {
        if let known = merging[directory] { return known }
        let own = module(directory)
        let names = manifestFiles[directory, default: []].filter { own.isOfRelease(manifest: $0) }
        var found = MergedManifests(of: directory, count: names.count)
        for name in names where names.count > 1 && !found.isOpen {
            let sourceSet = own.sourceSet(ofManifest: name)
            do throws(FormatFault) {
                let declarations = try AppFile.read(files.open(name)) { sourceSet }
                declaredCount += declarations.reduce(0) { $0 + $1.declaredCount }
                found.add(declarations, of: name)
            } catch {
                found.leaveOpen(UnreadSource(name, error))
            }
            if declaredCount > AppFileLimits.checkoutDeclaredMax {
                found.leaveOpen(
                    UnreadSource(
                        name,
                        "the manifests of the checkout declare more than \(AppFileLimits.checkoutDeclaredMax) values"
                    ))
            }
        }
        merging[directory] = found
        return found
    }

    private mutating func releasedCount(of directory: String) -> Int {
        if let known = releasedCounts[directory] { return known }
        let own = module(directory)
        let count = manifestFiles[directory, default: []].count(where: own.isOfRelease)
        releasedCounts[directory] = count
        return count
    }

    mutating func module(_ directory: String) -> SourceModule {
        if let known = modules[directory] { return known }
        var found = SourceModule()
        let path = directory.isEmpty ? "" : "\(directory)/"
        let name = gradleBuildScripts.map { path + $0 }.first { names.contains(Array($0.utf8)) }
        let above = name == nil ? [] : scripts(above: directory)
        let script = name.flatMap { read(script: $0, of: directory, above, &found) }
        if name != nil, let settingsAbove, !hasSettingsScript(above: directory, names) {
            found.unread.append(
                UnreadSource(
                    settingsAbove,
                    "it is of the module's project, whose scripts can set applications and flavors: give the "
                        + "directory of the project"))
        }
        found.script = name ?? ""
        found.variants = script?.releases ?? []
        found.namespace = script?.namespace.value
        found.isUncertain =
            script != nil && !found.unread.isEmpty
            || script?.isNamedByNamespace == true && !found.unknown.isEmpty
        found.isApplication = script?.isOfApplication ?? false
        found.mayBeApplication = script?.mayBeOfApplication ?? (name != nil)
        found.sourceSets = script?.sourceSets ?? SourceSetNames()
        var whole = found
        if let name, script?.hasOwnResources == true {
            found.unreadValues = UnreadSource(
                name,
                "its sourceSets name other directories of resources, or it changes some when it runs"
            )
        } else if let fault = readValues(ofModule: directory, into: &whole) {
            // A file that cannot be read may have any value.
            found.unreadValues = fault
        } else {
            script?.addValues(to: &whole)
            found = whole
        }
        found.addDeviceValues(deviceFiles[directory, default: []], files)
        modules[directory] = found
        return found
    }

    /// - Returns: what cannot be read; nil if everything is.
    private func readValues(
        ofModule directory: String, into module: inout SourceModule
    ) -> UnreadSource? {
        let names = valueFiles[directory, default: []].filter { name in
            !module.unbuilt.contain(pathParts(name).dropLast(3))
        }
        guard names.count <= AppFileLimits.valueFilesMax else {
            return UnreadSource(
                directory.isEmpty ? "." : directory,
                "the module has \(names.count) files in res/values, may have \(AppFileLimits.valueFilesMax)"
            )
        }
        // Behind the source set are `res`, a directory of values and the file.
        let sets = names.map { sourceSetName(pathParts($0).dropLast(3)) }
        // The values of source sets that a release may have only change those that others have.
        for isOpen in [false, true] {
            for (name, sourceSet) in zip(names, sets) {
                guard
                    isOpen
                        ? module.sourceSets.isOpen(sourceSet)
                        : module.sourceSets.mayBeOfRelease(sourceSet)
                else { continue }
                do throws(FormatFault) {
                    let document = try XMLReader.read(files.open(name).readWhole())
                    if isOpen {
                        module.add(open: document, file: name)
                    } else {
                        module.add(document, of: sourceSet, file: name)
                    }
                } catch {
                    return UnreadSource(name, error)
                }
            }
        }
        return nil
    }
}

extension AppDeclaration {
    /// Whether it is a manifest that closes or removes components.
    fileprivate var closesElements: Bool {
        guard case .android(let app) = self else { return false }
        return !app.closed.isEmpty
    }

    /// Whether it verifies hosts, or may.
    fileprivate var mayVerify: Bool {
        guard case .android(let app) = self else { return false }
        return app.navigation != nil || app.filters.contains(where: \.mayBeVerified)
    }
}
