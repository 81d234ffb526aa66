private import Diagnostics

/// The targets of an Xcode project with their configurations, as far as its files say (Xcode, "project.pbxproj").
struct XcodeProject {
    /// A configuration of a target.
    struct Configuration {
        let target: String
        let name: String
        let place: TextPlace?
        /// Whether the target is an app, and no extension, framework or test.
        let isApp: Bool
        /// Whether the target is an App Clip.
        let isClip: Bool
        /// Whether releases are built with it.
        let isRelease: Bool
        /// Whether it is of tests, whose entitlements are no app's.
        let isTest: Bool
        /// Whether it is for macOS alone, where an app of the same identifier needs no links.
        let isForMac: Bool
        /// Whether it is for watchOS, tvOS or visionOS alone.
        let isForOtherDevice: Bool
        let isDebug: Bool
        let bundleIdentifier: BuildSettings.Value
        let settings: BuildSettings
        /// The path within the checkout.
        let entitlements: BuildSettings.Value
        /// Those of builds for other systems, such as Mac Catalyst.
        let otherEntitlements: [BuildSettings.Value]
        let simulatorEntitlements: [BuildSettings.Value]
        /// The files of all builds, as far as they are known.
        var entitlementsFiles: [String] {
            ([entitlements] + otherEntitlements + simulatorEntitlements
                + [catalyst?.entitlements].compactMap(\.self)).compactMap(\.text)
        }
        /// The build for Mac Catalyst; nil if the target has none.
        let catalyst: Catalyst?
    }

    /// The build of a configuration for Mac Catalyst, which can be an app of its own.
    struct Catalyst {
        let settings: BuildSettings
        let bundleIdentifier: BuildSettings.Value
        /// The path within the checkout.
        let entitlements: BuildSettings.Value
    }

    /// The directory of the project; empty for that of the checkout.
    let directory: String
    /// The path of its `.xcodeproj`.
    let bundle: String
    let configurations: [Configuration]
    /// The same by the names of their targets.
    let configurationsByTarget: [[UInt8]: [Configuration]]
    /// The numbers of the configurations by the entitlements files that they name, in lower case.
    private let numbersByFile: [[UInt8]: [Int]]
    /// The files of settings that were not read.
    let unread: [UnreadSource]
    /// The targets of the apps that depend on App Clips, by the names of the App Clips' targets.
    private let enclosing: [[UInt8]: Set<[UInt8]>]
    /// The last parts of the paths of the files of settings that it reads, in lower case.
    let settingsFiles: Set<[UInt8]>
    /// The targets with scripts that may write entitlements or these, by their names.
    let writingTargets: [[UInt8]: WritingScript]
    /// The targets of apps for iOS.
    private let appTargets: Set<[UInt8]>
    /// The bundle identifiers of the releases of its applications for phones.
    let applications: Set<[UInt8]>
    let memory = ProjectMemory()

    /// The configuration of the app that an App Clip is in; nil if the project does not say it, or if several apps
    /// depend on the App Clip.
    func app(around clip: Configuration) -> Configuration? {
        guard clip.isClip else { return nil }
        let targets = enclosing[Array(clip.target.utf8)] ?? appTargets
        guard targets.count == 1, let target = targets.first else { return nil }
        return configurationsByTarget[target]?.first {
            $0.isApp && $0.name.isScalarwise(clip.name) && !$0.isForMac
        }
    }

    /// The configurations that name an entitlements file for some build. The disks of Macs ignore letter case.
    func configurations(naming path: String) -> [Configuration] {
        (numbersByFile[Array(path.lowercased().utf8)] ?? []).map { configurations[$0] }
    }

    /// The entitlements files that configurations name, in lower case.
    var entitlementsFiles: some Sequence<[UInt8]> { numbersByFile.keys }

    /// Whether each configuration, but those of tests, says which entitlements it uses.
    let isKnown: Bool
    /// Whether the release of an app has no entitlements.
    let hasBareApp: Bool

    /// - Parameter name: that of its `.xcodeproj`, which settings can refer to.
    /// - Parameter files: the bytes of a file of settings; nil if there is none. Throws if it cannot be read.
    init(
        _ list: PropertyList, in directory: String, named name: String,
        files: @escaping (String) throws(FormatFault) -> [UInt8]?
    ) throws(FormatFault) {
        guard let objects = list["objects"], let root = list["rootObject"]?.text,
            let project = objects[root], let targets = project["targets"]?.items
        else {
            throw FormatFault(
                "is no project of Xcode: it has no targets", advice: FormatFault.usualAdvice)
        }
        self.directory = directory
        bundle = (directory.isEmpty ? "" : "\(directory)/") + "\(name).xcodeproj"
        var reader = XcodeSettingsReader(
            objects, in: normalized("\(directory)/\(project["projectDirPath"]?.text ?? "")") ?? "",
            files)
        let shared = reader.layers(of: project)
        var configurations = [Configuration]()
        var enclosing = [[UInt8]: Set<[UInt8]>]()
        var seen = Set<[UInt8]>()
        let names = targets.compactMap(\.text).filter { seen.insert(Array($0.utf8)).inserted }
        let all = names.compactMap { objects[$0] }
        for target in all {
            if Self.isApp(target), let app = target["name"]?.text {
                for name in Self.dependencies(of: target, objects) {
                    enclosing[Array(name.utf8), default: []].insert(Array(app.utf8))
                }
            }
            let layers = reader.layers(of: target)
            guard max(layers.count, shared.count) <= AppFileLimits.configurationsMax,
                configurations.count + layers.count <= AppFileLimits.projectConfigurationsMax
            else {
                throw FormatFault(
                    "has more than \(AppFileLimits.configurationsMax) configurations of a target, or "
                        + "\(AppFileLimits.projectConfigurationsMax) of all",
                    advice: "give the directory of one app")
            }
            configurations += reader.configurations(of: target, named: name, layers, shared)
        }
        (self.configurations, self.enclosing) = (configurations, enclosing)
        configurationsByTarget = Dictionary(grouping: configurations) { Array($0.target.utf8) }
        var numbersByFile = [[UInt8]: [Int]]()
        for (number, configuration) in configurations.enumerated() {
            for file in Set(configuration.entitlementsFiles.map { Array($0.lowercased().utf8) }) {
                numbersByFile[file, default: []].append(number)
            }
        }
        self.numbersByFile = numbersByFile
        unread = reader.unread
        settingsFiles = reader.files
        writingTargets = Self.writingTargets(of: all, objects, reader.files)
        isKnown = configurations.allSatisfy { $0.isTest || $0.entitlements != .open }
        hasBareApp = configurations.contains { $0.isApp && $0.isBare }
        applications = Set(
            configurations.filter {
                $0.isApp && $0.isRelease && !$0.isForMac && !$0.isForOtherDevice
            }.compactMap { $0.bundleIdentifier.text.map { Array($0.utf8) } })
        appTargets = Set(
            configurations.filter { $0.isApp && !$0.isForMac }.map { Array($0.target.utf8) })
    }

    /// Whether a target is an app, and no App Clip, extension, framework or test.
    static func isApp(_ target: PropertyList) -> Bool {
        target["productType"]?.text?.isScalarwise("com.apple.product-type.application") == true
    }

    /// The names of the targets that are built before a target, and with which it is built.
    static func dependencies(of target: PropertyList, _ objects: PropertyList) -> [String] {
        (target["dependencies"]?.items ?? []).compactMap { item in
            item.text.flatMap { objects[$0] }?["target"]?.text.flatMap { objects[$0] }?["name"]?
                .text
        }
    }
}

/// A path without `.` and `..`; nil if it leaves the checkout.
func normalized(_ path: String) -> String? {
    var parts = [Substring]()
    for part in path.utf8.split(separator: UInt8(ascii: "/")) {
        if part.elementsEqual("..".utf8) {
            guard parts.popLast() != nil else { return nil }
        } else if !part.elementsEqual(".".utf8) {
            parts.append(Substring(part))
        }
    }
    return parts.joined(separator: "/")
}
