/// A directory with the source of apps. Beside the files that declare something of links it has others that say
/// what a build fills in.
package struct Checkout {
    private let files: BundleFiles
    private let names: Set<[UInt8]>
    /// The files of apps, which `read` takes.
    package private(set) var apps: [String]
    /// The files that Xcode projects name as entitlements, in lower case.
    private var entitlementsFiles = Set<[UInt8]>()
    /// The files and directories that were not read.
    private let unread: [UnreadSource]
    private var modules: SourceModules
    /// Those of Expo's configurations.
    private let plugins: ExpoPlugins
    /// The programs that its files name.
    private let programs: BuildHooks
    private let cordovaPlugins: CordovaPlugins
    /// The files in directories of hooks, by the directories around these, with slashes behind them.
    private let hooks: [String: [String]]
    /// The bytes of a file; nil if it cannot be read, or is not there.
    private let bytes: (String) -> [UInt8]?
    private let writers: EntitlementsWriters
    private var generators: ProjectGenerators
    /// Whether a configuration makes an app for Android, once it is needed.
    private var makesAndroid: Bool?
    /// All files in lower case, once they are needed.
    private var lowercased: Set<[UInt8]>?
    /// The entitlements of all apps together, once they are needed.
    private var entitled: Entitled?
    private var projects = XcodeProjects([], unread: [])
    /// Entitlements beside which others are compared; nil for a file that cannot be read.
    private var others = [String: AppleDeclaration?]()
    /// The values that the apps may still declare together. A manifest declares its own once for each flavour.
    private var declaredLeft = AppFileLimits.checkoutDeclaredMax

    /// - Parameters:
    ///   - files: all files of the directory.
    ///   - unread: what of the directory is not among them, although it may have files of apps.
    ///   - settings: the settings script that stands next above the directory; nil if there is none.
    package init(
        _ files: BundleFiles, unread: [UnreadSource] = [], settingsAbove settings: String? = nil
    ) {
        // Each app has them, and whoever names some says that there are more.
        (self.files, self.unread) = (files, Array(unread.prefix(AppFileLimits.unreadMax + 1)))
        let names = Set(files.names.map { Array($0.utf8) })
        self.names = names
        let packages = CheckoutPackages(files, names)
        plugins = ExpoPlugins(files, names, packages)
        bytes = { name in
            names.contains(Array(name.utf8)) ? try? files.open(name).readWhole() : nil
        }
        writers = EntitlementsWriters(files.names, bytes)
        generators = ProjectGenerators(bytes)
        programs = BuildHooks(names, packages, bytes)
        cordovaPlugins = CordovaPlugins(files.names, names, packages, bytes)
        var (apps, hooks) = ([String](), [String: [String]]())
        var modules = SourceModules(files, names, settingsAbove: settings)
        for name in files.names {
            let parts = pathParts(name)
            guard parts.dropLast().allSatisfy({ !otherDirectories.contains($0) }) else { continue }
            if parts.count > 2, parts[parts.count - 3] == "hooks" {
                hooks[parts.dropLast(3).map { "\($0)/" }.joined(), default: []].append(name)
            }
            if isOfApp(parts) || isOfCordova(parts, name, files) {
                apps.append(name)
                if parts.last == "AndroidManifest.xml" { modules.add(manifest: name) }
            }
            if let (module, isOfDevices) = moduleOfValues(parts) {
                modules.add(values: name, ofModule: module, isOfDevices: isOfDevices)
            }
        }
        (self.apps, self.modules, self.hooks) = (apps, modules, hooks)
        addProjects()
    }

    /// Reads the Xcode projects, which may name entitlements files that are called differently.
    private mutating func addProjects() {
        projects = readProjects()
        entitlementsFiles = projects.entitlementsFiles
        guard !entitlementsFiles.isEmpty else { return }
        let known = Set(apps.map { Array($0.utf8) })
        apps = files.names.filter { known.contains(Array($0.utf8)) || isNamed($0) }
    }

    /// Whether an Xcode project names a file as entitlements.
    private func isNamed(_ name: String) -> Bool {
        entitlementsFiles.contains(Array(name.lowercased().utf8))
    }

    /// The manifests with links that no release has, so that they are left out.
    package mutating func otherManifests() -> [String] { modules.otherManifests() }

    /// The targets and configurations of apps that are not compared, because their names are not those of releases.
    package var otherConfigurations: [String] { projects.otherConfigurations }

    /// The declarations of one of `apps`, with what the files beside it add.
    package mutating func read(_ name: String) throws(FormatFault) -> [AppDeclaration] {
        var found = try declarations(in: name)
        let isMade = pathParts(name).last.map(Self.making.contains) ?? false
        let native = isMade ? [] : programs.sources(ofNative: name)
        for index in found.indices {
            let ofGradle = isMade || !found[index].isOfAndroid ? [] : plugins.ofGradle
            found[index].add(unread, native + ofGradle, of: name)
        }
        declaredLeft -= found.reduce(0) { $0 + $1.declaredCount + $1.mergedCount }
        guard declaredLeft >= modules.declaredCount else {
            throw FormatFault(
                "is of a directory whose apps declare more than \(AppFileLimits.checkoutDeclaredMax) values, with "
                    + "those of each flavor", advice: "give the directory of one app")
        }
        return found
    }

    private mutating func declarations(in name: String) throws(FormatFault) -> [AppDeclaration] {
        let parts = pathParts(name)
        if parts.last == "project.pbxproj" {
            let project = try project(name)
            let known = lowercasedNames()
            let lost = project.appsWithoutFile { !known.contains(Array($0.lowercased().utf8)) }
            return (project.bareApps + lost + project.openApps).map { .apple($0) }
        }
        if parts.last == "AndroidManifest.xml" {
            let module = SourceModules.directory(ofManifest: name)
            let found = bare(try modules.declarations(in: name), ofModule: module)
            return found.contains(where: \.isOfLinks) ? inLibrary(found, module) : found
        }
        let source = try files.open(name)
        if isNamed(name) { return try AppFile.read(source).flatMap { used($0, in: name) } }
        if parts.last == "config.xml" { return try cordova(source, in: parts.dropLast()) }
        if parts.last == "app.json" || parts.last == "app.config.json" {
            return bare(try expo(source, of: name, isFirst: parts.last != "app.json"))
        }
        if parts.last == "Info.plist" { return misplaced(source) }
        if isExpoProgram(parts.last ?? "") { return try program(source, in: parts.dropLast()) }
        return try AppFile.read(source).flatMap { used($0, in: name) }
    }

    /// All files in lower case, because the disks of Macs ignore letter case.
    private mutating func lowercasedNames() -> Set<[UInt8]> {
        if let known = lowercased { return known }
        let found = Set(files.names.map { Array($0.lowercased().utf8) })
        lowercased = found
        return found
    }

    /// The apps that Expo makes of its configuration. A program beside it decides, and so do projects that were made of it.
    /// - Parameter isFirst: whether it is the file that Expo reads in the place of `app.json`.
    private mutating func expo(
        _ source: ByteSource, of name: String, isFirst: Bool
    ) throws(FormatFault) -> [AppDeclaration] {
        let path = pathParts(name).dropLast().map { "\($0)/" }.joined()
        guard
            !programEndings.contains(where: { names.contains(Array("\(path)app.config\($0)".utf8)) }
            )
        else { return [] }
        guard isFirst || !names.contains(Array("\(path)app.config.json".utf8)) else { return [] }
        let (hasProject, hasManifest) = native(in: path)
        let configuration = try ExpoConfiguration(source.readWhole())
        let sources =
            plugins.open(configuration.plugins, of: name) + programs.sources(of: .expo, in: path)
        let libraries =
            plugins.ofGradle + modules.libraries(closingBesides: "\(path)android")
        return try AppFile.checked(configuration.declarations()).filter { declaration in
            if case .apple = declaration { !hasProject } else { !hasManifest }
        }.map { declaration in
            var declaration = declaration
            declaration.add(sources, declaration.isOfAndroid ? libraries : [], of: name)
            return declaration
        }
    }

    /// Whether a directory has the projects that Expo makes. Other files there, such as an `Info.plist`, declare nothing.
    private func native(
        in path: String, project: String = "ios", manifest: String = "android"
    ) -> (hasProject: Bool, hasManifest: Bool) {
        func holds(_ file: String, in directory: String) -> Bool {
            apps.contains { name in
                name.utf8.starts(with: "\(path)\(directory)/".utf8)
                    && name.utf8.suffix(file.utf8.count + 1).elementsEqual("/\(file)".utf8)
            }
        }
        return (holds("project.pbxproj", in: project), holds("AndroidManifest.xml", in: manifest))
    }

    /// The apps that Cordova makes of its configuration, for the platforms whose projects are not in the checkout. A project
    /// that has moved to Capacitor may still have one.
    private func cordova(
        _ source: ByteSource, in directory: ArraySlice<String>
    ) throws(FormatFault) -> [AppDeclaration] {
        let own = directory.map { "\($0)/" }.joined()
        // Old projects have the configuration among their pages.
        let isPage = directory.last == "www" && !names.contains(Array("\(own)package.json".utf8))
        let path = isPage ? String(Substring(own.utf8.dropLast("www/".utf8.count))) : own
        guard !programs.isOfCapacitor(path) else { return [] }
        let (hasProject, hasManifest) = native(
            in: path, project: "platforms/ios", manifest: "platforms/android")
        var project = CordovaConfiguration.Project(in: path, bytes)
        let widget = try XMLReader.read(source.readWhole())
        project.changes.add(CordovaChanges(programs.sources(of: .cordova, in: path)))
        for directory in [path, "\(path).cordova/"] {
            project.changes.add(CordovaChanges(ofHooks: hooks[directory, default: []]))
        }
        project.changes.add(cordovaPlugins.changes(widget, project))
        return try AppFile.checked(CordovaConfiguration.declarations(widget, project)).filter {
            declaration in
            switch declaration {
            case .apple: !hasProject
            case .android: !hasManifest
            case .key, .program: !hasProject || !hasManifest
            }
        }
    }

    /// A program that makes Expo's configuration, if it or the `app.json` that it begins with has links.
    private func program(
        _ source: ByteSource, in directory: ArraySlice<String>
    ) throws(FormatFault) -> [AppDeclaration] {
        let path = directory.map { "\($0)/" }.joined()
        guard native(in: path) != (true, true) else { return [] }
        let name =
            ["app.config.json", "app.json"].map { path + $0 }
            .first { names.contains(Array($0.utf8)) } ?? "\(path)app.json"
        let json = names.contains(Array(name.utf8)) ? try files.open(name).readWhole() : []
        let texts = [try source.readWhole(), json].map { String(decoding: $0, as: UTF8.self) }
        let isOfLinks = texts.contains {
            holds("associatedDomains", in: $0) || holds("intentFilters", in: $0)
        }
        return isOfLinks ? [.program(.expo)] : []
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
        let known = lowercasedNames()
        found.hasDomains = projects.haveUnknownApps { !known.contains(Array($0.lowercased().utf8)) }
        for name in apps {
            guard let last = pathParts(name).last,
                last.utf8.suffix(13).elementsEqual(".entitlements".utf8)
                    || last == "Entitlements.plist" || isNamed(name)
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

    /// Marks the declarations of a library's manifest, if the checkout has an app.
    private mutating func inLibrary(
        _ declarations: [AppDeclaration], _ module: String
    ) -> [AppDeclaration] {
        let isMade = makesAndroid ?? findMade()
        makesAndroid = isMade
        guard modules.isLibrary(module, ofMade: isMade) else { return declarations }
        return declarations.map { declaration in
            guard case .android(var app) = declaration else { return declaration }
            app.isOfLibrary = true
            return .android(app)
        }
    }

    /// Whether a configuration of Expo or Cordova makes an app for Android.
    private mutating func findMade() -> Bool {
        apps.contains { name in
            let parts = pathParts(name)
            let last = parts.last ?? ""
            if isExpoProgram(last) {
                let path = parts.dropLast().map { "\($0)/" }.joined()
                return !native(in: path).hasManifest
            }
            guard Self.making.contains(last) else { return false }
            return (try? declarations(in: name))?.contains(where: \.isOfAndroid) ?? false
        }
    }

    /// The files of which Expo and Cordova make apps.
    private static let making = ["config.xml", "app.json", "app.config.json"]

    /// Marks the apps of phones in which nothing opens links of the web.
    /// - Parameter module: the directory of their module; nil for Expo's configuration.
    private mutating func bare(
        _ declarations: [AppDeclaration], ofModule module: String? = nil
    ) -> [AppDeclaration] {
        declarations.map { declaration in
            guard case .android(var app) = declaration, app.applicationID != nil,
                app.device == nil, !declaration.isOfLinks,
                !modules.hasLinks(besides: module, flavor: app.flavor)
            else { return declaration }
            app.isBare = true
            return .android(app)
        }
    }

    /// The declarations that the projects make of a file of source.
    private mutating func used(_ declaration: AppDeclaration, in name: String) -> [AppDeclaration] {
        guard case .apple(let app) = declaration, app.kind == .entitlements,
            let path = normalized(name)
        else { return [declaration] }
        let projects = projects
        let found = projects.declarations(of: app, in: path) { entitlements(in: $0) }
        return found.map { found in
            var found = found
            if let use = found.use {
                found.writers = writers.writers(of: app, by: use)
                found.unread += writers.scripts(of: use, projects)
            } else if found.unused == nil, let generator = generators.generator(of: path) {
                found.unread.append(generator)
            }
            return .apple(found)
        }
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
        var projects = [XcodeProject]()
        var unread = [XcodeProjects.Unread]()
        let names = apps.filter { pathParts($0).last == "project.pbxproj" }
        for (number, name) in names.enumerated() {
            let directory = directory(ofProject: name)
            guard number < AppFileLimits.projectsMax else {
                let fact =
                    "the directory has \(names.count) Xcode projects, of which \(AppFileLimits.projectsMax) are read"
                unread.append((directory, UnreadSource(name, fact)))
                continue
            }
            do throws(FormatFault) {
                projects.append(try project(name))
            } catch {
                unread.append((directory, UnreadSource(name, error)))
            }
        }
        return XcodeProjects(projects, unread: unread)
    }

    private func project(_ name: String) throws(FormatFault) -> XcodeProject {
        let bytes = try files.open(name).readWhole()
        let list =
            bytes.first == UInt8(ascii: "<")
            ? try PropertyList.read(bytes) : try OpenStepReader.read(bytes)
        let directory = directory(ofProject: name)
        let bundle = pathParts(name).dropLast().last ?? ""
        let named = String(Substring(bundle.utf8.dropLast(".xcodeproj".utf8.count)))
        return try XcodeProject(list, in: directory, named: named) {
            path throws(FormatFault) in
            names.contains(Array(path.utf8)) ? try files.open(path).readWhole() : nil
        }
    }

    /// The directory with the directory of the project, which has the file.
    private func directory(ofProject name: String) -> String {
        pathParts(name).dropLast(2).joined(separator: "/")
    }
}
