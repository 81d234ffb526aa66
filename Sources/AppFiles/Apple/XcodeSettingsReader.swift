private import Diagnostics

/// Reads the settings of a project's configurations, and the files of settings that they are based on.
struct XcodeSettingsReader {
    typealias Named = (name: String, layers: [BuildSettings.Layer], place: TextPlace?)

    private let objects: PropertyList
    private let directory: String
    private let bytes: (String) throws(FormatFault) -> [UInt8]?
    /// The files that were not read, as many of them as are named, and one more.
    private(set) var unread = [UnreadSource]()
    /// The last parts of the paths of the files of settings that were read, in lower case.
    private(set) var files = Set<[UInt8]>()
    private var parents = [[UInt8]: String]()
    private var known = [[UInt8]: BuildSettings.Layer]()
    /// The identifiers in `Info.plist` files, by their paths; nil for one that has none.
    private var written = [[UInt8]: String?]()
    private var filesLeft = AppFileLimits.settingsFilesMax
    private var bytesLeft = AppFileLimits.settingsBytesMax
    private var othersLeft = AppFileLimits.otherEntitlementsMax

    init(
        _ objects: PropertyList, in directory: String,
        _ files: @escaping (String) throws(FormatFault) -> [UInt8]?
    ) {
        (self.objects, self.directory, bytes) = (objects, directory, files)
        guard case .dictionary(let members) = objects.content else { return }
        for (key, object) in members {
            for child in object["children"]?.items ?? [] {
                guard let name = child.text else { continue }
                parents[Array(name.utf8)] = String(decoding: key, as: UTF8.self)
            }
        }
    }

    /// The layers of each configuration of a target or project.
    mutating func layers(of owner: PropertyList) -> [Named] {
        let list = owner["buildConfigurationList"]?.text.flatMap { objects[$0] }
        var result = [Named]()
        for item in list?["buildConfigurations"]?.items ?? [] {
            guard let id = item.text, let object = objects[id], let name = object["name"]?.text
            else { continue }
            result.append((name, [own(id, object), base(object)], object.place))
        }
        return result
    }

    mutating func configurations(
        of target: PropertyList, named project: String, _ layers: [Named], _ shared: [Named]
    ) -> [XcodeProject.Configuration] {
        let name = target["name"]?.text ?? ""
        let type = target["productType"]?.text
        let isClip =
            type?.isScalarwise("com.apple.product-type.application.on-demand-install-capable")
            == true
        let isTest = type.map { holds("test", in: $0) } ?? false
        let hasRelease = layers.contains { isCalledRelease($0.name) }
        return layers.map { configuration in
            let known = BuildSettings.Layer(values: [
                Array("TARGET_NAME".utf8): name, Array("TARGETNAME".utf8): name,
                Array("PROJECT_NAME".utf8): project, Array("PROJECT".utf8): project,
                Array("CONFIGURATION".utf8): configuration.name,
                Array("SRCROOT".utf8): ".", Array("PROJECT_DIR".utf8): ".",
            ])
            let common = shared.first { $0.name.isScalarwise(configuration.name) }
            let settings = BuildSettings([known] + configuration.layers + (common?.layers ?? []))
            return XcodeProject.Configuration(
                target: name, name: configuration.name, place: configuration.place,
                isApp: XcodeProject.isApp(target),
                isClip: isClip,
                isRelease: !isTest
                    && (hasRelease
                        ? isCalledRelease(configuration.name)
                            || isCalledProduction(configuration.name)
                        : !isCalledDebug(configuration.name)),
                isTest: isTest,
                isForMac: settings.value("SDKROOT") == .known("macosx")
                    || settings.value("SUPPORTED_PLATFORMS") == .known("macosx"),
                isForOtherDevice: isForOtherDevice(settings),
                isDebug: isCalledDebug(configuration.name),
                bundleIdentifier: bundleIdentifier(settings),
                settings: settings,
                entitlements: entitlements(settings.value("CODE_SIGN_ENTITLEMENTS")),
                otherEntitlements: others(settings, ofSimulators: false),
                simulatorEntitlements: others(settings, ofSimulators: true),
                catalyst: isClip ? nil : catalyst(settings))
        }
    }

    /// The entitlements of builds for other systems, or for simulators.
    private mutating func others(
        _ settings: BuildSettings, ofSimulators: Bool
    ) -> [BuildSettings.Value] {
        guard othersLeft > 0 else {
            leaveOut(
                UnreadSource(
                    directory.isEmpty ? "." : directory,
                    "the project has more than \(AppFileLimits.otherEntitlementsMax) entitlements for other systems "
                        + "and simulators"))
            return [.open]
        }
        let found = settings.values("CODE_SIGN_ENTITLEMENTS", ofSimulators: ofSimulators)
            .map(entitlements)
        othersLeft -= found.count
        return found
    }

    /// Whether builds are for watchOS, tvOS or visionOS alone.
    private func isForOtherDevice(_ settings: BuildSettings) -> Bool {
        ["SDKROOT", "SUPPORTED_PLATFORMS"].contains { name in
            let text = settings.value(name).text ?? ""
            let systems = text.utf8.split(separator: UInt8(ascii: " "))
            return !systems.isEmpty
                && systems.allSatisfy { system in
                    ["watch", "appletv", "xr"].contains { system.starts(with: $0.utf8) }
                }
        }
    }

    /// The bundle identifier of a configuration. It is open if the `Info.plist` has another one than the build signs with.
    private mutating func bundleIdentifier(_ settings: BuildSettings) -> BuildSettings.Value {
        let own = settings.value("PRODUCT_BUNDLE_IDENTIFIER")
        guard case .known(let text) = own, let file = settings.value("INFOPLIST_FILE").text,
            let path = normalized("\(directory)/\(file)")
        else { return own }
        let key = Array(path.utf8)
        let written = self.written[key] ?? identifier(inFile: path)
        self.written[key] = .some(written)
        guard let written else { return own }
        return settings.expanded(written)?.isScalarwise(text) == true ? own : .open
    }

    private func identifier(inFile path: String) -> String? {
        guard let bytes = try? bytes(path) else { return nil }
        return (try? PropertyList.read(bytes))?["CFBundleIdentifier"]?.text
    }

    /// The build for Mac Catalyst, if the target supports it, or has entitlements for it. A whole project can say that it
    /// does, so the apps of its watches and App Clips, which no Mac has, say it, too. `DERIVE_…` puts `maccatalyst.` before
    /// the bundle identifier (Xcode, "Build settings").
    private func catalyst(_ settings: BuildSettings) -> XcodeProject.Catalyst? {
        let name = "CODE_SIGN_ENTITLEMENTS"
        let mac = settings.ofMac
        if let system = settings.value("SDKROOT").text, system != "auto",
            !system.utf8.starts(with: "iphoneos".utf8)
        {
            return nil
        }
        switch mac.value("SUPPORTS_MACCATALYST") {
        case .known("YES"): break
        case .known: return nil
        case .absent, .open: guard settings.hasMacValue(name) else { return nil }
        }
        var identifier = mac.value("PRODUCT_BUNDLE_IDENTIFIER")
        switch mac.value("DERIVE_MACCATALYST_PRODUCT_BUNDLE_IDENTIFIER") {
        case .known("YES"):
            if let text = identifier.text, !text.utf8.starts(with: "maccatalyst.".utf8) {
                identifier = .known("maccatalyst.\(text)")
            }
        case .open: identifier = .open
        case .absent, .known: break
        }
        return XcodeProject.Catalyst(
            settings: mac, bundleIdentifier: identifier, entitlements: entitlements(mac.value(name))
        )
    }

    private func entitlements(_ value: BuildSettings.Value) -> BuildSettings.Value {
        switch value {
        case .known(let path) where path.isEmpty: .absent
        case .known(let path): normalized("\(directory)/\(path)").map { .known($0) } ?? .open
        case .absent, .open: value
        }
    }

    private mutating func own(_ id: String, _ object: PropertyList) -> BuildSettings.Layer {
        let key = Array(id.utf8)
        if let layer = known[key] { return layer }
        var settings = [(name: [UInt8], value: String?)]()
        if case .dictionary(let members)? = object["buildSettings"]?.content {
            settings = members.map { ($0.key, $0.value.text) }
        }
        let layer = BuildSettings.layer(settings)
        known[key] = layer
        return layer
    }

    /// The layer of the file that a configuration is based on, which is empty, and not whole, if it is not in the checkout.
    private mutating func base(_ object: PropertyList) -> BuildSettings.Layer {
        let path: String?
        if let reference = object["baseConfigurationReference"]?.text {
            path = self.path(of: reference)
        } else if let anchor = object["baseConfigurationReferenceAnchor"]?.text {
            path = self.path(of: anchor).flatMap {
                normalized(
                    "\($0)/\(object["baseConfigurationReferenceRelativePath"]?.text ?? "")")
            }
        } else {
            return BuildSettings.Layer()
        }
        guard let path else { return BuildSettings.Layer(isWhole: false) }
        let key = Array(path.utf8)
        if let layer = known[key] { return layer }
        var (settings, seen) = (FileSettings(), Set<[UInt8]>())
        read(path, &settings, &seen)
        var layer = BuildSettings.layer(
            settings.certain, from: settings.origins, isWhole: settings.isWhole)
        layer.missing = settings.missing
        known[key] = layer
        return layer
    }

    /// The path of a file or group, which is relative to the groups that it is in.
    private func path(of reference: String) -> String? {
        var (parts, next, bytes) = ([String](), Optional(reference), 0)
        for _ in 0..<AppFileLimits.depthMax {
            guard let id = next, let object = objects[id] else { break }
            if let path = object["path"]?.text {
                bytes += path.utf8.count
                guard bytes <= AppFileLimits.filledBytesMax else { return nil }
                parts.append(path)
            }
            switch object["sourceTree"]?.text {
            case "<group>": next = parents[Array(id.utf8)]
            case "SOURCE_ROOT": next = nil
            default: return nil
            }
        }
        return normalized(([directory] + parts.reversed()).joined(separator: "/"))
    }

    /// The settings of a file and of those that it includes, with their places.
    private struct FileSettings {
        var list = [(name: [UInt8], value: String?)]()
        var origins = [[UInt8]: String]()
        private(set) var isWhole = true
        private(set) var missing: String?
        private var beforeMissing = 0

        /// Takes up that a file is missing here, which may have a value in the place of each so far. Later ones stay.
        /// - Parameter file: its path, if the checkout does not have it.
        mutating func addMissing(_ file: String? = nil) {
            (isWhole, beforeMissing) = (false, list.count)
            missing = missing ?? file
        }

        /// The settings, without values that a missing file may change.
        var certain: [(name: [UInt8], value: String?)] {
            list[..<beforeMissing].map { (name: $0.name, value: nil) } + list[beforeMissing...]
        }
    }

    /// Adds the settings of a file and of those that it includes.
    private mutating func read(
        _ path: String, _ settings: inout FileSettings, _ seen: inout Set<[UInt8]>
    ) {
        guard seen.insert(Array(path.utf8)).inserted else { return }
        filesLeft -= 1
        guard filesLeft > 0, seen.count <= AppFileLimits.depthMax else {
            let fact =
                "the project has more than \(AppFileLimits.settingsFilesMax) files of settings, or "
                + "\(AppFileLimits.depthMax) that include each other"
            leaveOut(UnreadSource(path, fact))
            return settings.addMissing()
        }
        let content: [UInt8]?
        do throws(FormatFault) {
            content = try bytes(path)
        } catch {
            leaveOut(UnreadSource(path, error))
            return settings.addMissing()
        }
        guard let bytes = content else {
            if !isGenerated(path) { settings.addMissing(path) }
            return
        }
        files.insert(Array((pathParts(path).last ?? "").lowercased().utf8))
        bytesLeft -= bytes.count
        guard bytesLeft >= 0 else {
            let fact =
                "the project's files of settings, with those that they include, have more than "
                + "\(AppFileLimits.settingsBytesMax) bytes"
            leaveOut(UnreadSource(path, fact))
            return settings.addMissing()
        }
        for (number, line) in BuildSettings.numberedLines(ofFile: bytes) {
            switch line {
            case .setting(let name, let value):
                settings.list.append((name, value))
                settings.origins[name] = "\(path):\(number)"
            case .include(let name):
                let parent = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? ""
                if !isBuildVariable(name), let included = normalized("\(parent)/\(name)") {
                    read(included, &settings, &seen)
                } else {
                    settings.addMissing()
                }
            }
        }
    }

    private mutating func leaveOut(_ source: UnreadSource) {
        guard unread.count <= AppFileLimits.unreadMax, !unread.contains(source) else { return }
        unread.append(source)
    }
}

/// Whether CocoaPods or Flutter write a file of settings, which has paths and flags alone.
private func isGenerated(_ path: String) -> Bool {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"))
    return parts.contains { $0.elementsEqual("Pods".utf8) }
        || parts.last?.elementsEqual("Generated.xcconfig".utf8) == true
}
