/// The sources that may change the projects that Cordova makes of `config.xml`, for each system: hooks (Cordova, "Hooks Guide"), files that it
/// copies, and plugins of the checkout (Cordova, "Plugin specification"). No program is opened: each may do anything.
struct CordovaChanges {
    private(set) var ofManifest = [UnreadSource]()
    private(set) var ofEntitlements = [UnreadSource]()

    /// - Parameter sources: those that change both systems.
    init(_ sources: [UnreadSource] = []) { (ofManifest, ofEntitlements) = (sources, sources) }

    init(ofManifest source: UnreadSource) { ofManifest = [source] }
    init(ofEntitlements source: UnreadSource) { ofEntitlements = [source] }

    /// The changes by hooks and copied files of a `config.xml` or `plugin.xml`.
    /// - Parameter directory: that of the file, with a slash behind it.
    init(of root: XMLNode, in directory: String) {
        func changes(on platform: String) -> [UnreadSource] {
            var found = [UnreadSource]()
            for node in CordovaConfiguration.nodes(of: root, platform)
            where found.count < Self.most {
                if let source = Self.source(node, on: platform, in: directory),
                    !found.contains(source)
                {
                    found.append(source)
                }
            }
            return found
        }
        (ofManifest, ofEntitlements) = (changes(on: "android"), changes(on: "ios"))
    }

    /// The changes by a plugin.
    /// - Parameters:
    ///   - root: that of its `plugin.xml`; nil if it cannot be read.
    ///   - directory: that of the plugin, with a slash behind it.
    ///   - addsLinks: whether it has filters for links of the web by what a project fills in.
    init(ofPlugin root: XMLNode?, in directory: String, addsLinks: Bool) {
        let name = "\(directory)plugin.xml"
        guard let root else {
            self.init([UnreadSource(name, "it is a plugin of Cordova that cannot be read")])
            return
        }
        self.init(of: root, in: directory)
        let own = UnreadSource(name, "it is a plugin of Cordova about links", isRead: true)
        if addsLinks || CordovaManifest.changesLinks(root) { ofManifest.insert(own, at: 0) }
        if CordovaConfiguration.changesDomains(root) { ofEntitlements.insert(own, at: 0) }
    }

    /// The changes by files in directories of hooks, which run for all systems.
    init(ofHooks names: [String]) {
        self.init(names.prefix(Self.most).map { UnreadSource($0, Self.hook, isRead: true) })
    }

    /// Adds other sources, up to the number that messages name.
    mutating func add(_ other: CordovaChanges) {
        ofManifest += other.ofManifest.prefix(max(0, Self.most - ofManifest.count))
        ofEntitlements += other.ofEntitlements.prefix(max(0, Self.most - ofEntitlements.count))
    }

    private static let most = AppFileLimits.unreadMax + 1
    private static let hook = "it is a hook of Cordova, a program that may change what ships"

    /// The file that an element runs or copies, if that may change the project of a platform.
    private static func source(
        _ node: XMLNode, on platform: String, in directory: String
    ) -> UnreadSource? {
        if platform == "ios",
            let file = CordovaConfiguration.file(node, ofKey: "CFBundleIdentifier")
        {
            let name = (1...255).contains(file.utf8.count) ? file : node.name
            return UnreadSource(name, "\(node.name) changes the identifier in it", isRead: true)
        }
        guard let source = (node.plain("src") ?? node.plain("target"))?.value else { return nil }
        let isOfAndroid = platform == "android"
        let fact: String?
        switch node.name {
        case "hook": fact = hook
        case "resource-file": fact = Self.fact(ofCopy: node.plain("target")?.value ?? source)
        case "source-file" where isOfAndroid:
            let target = node.plain("target-dir")?.value ?? ""
            fact = Self.fact(ofCopy: "\(target)/\(pathParts(source).last ?? "")")
        case "framework"
        where isOfAndroid && node.plain("custom")?.value.lowercased() == "true":
            fact = "it is a framework of Cordova with a script of Gradle, a program"
        default: fact = nil
        }
        return fact.map { UnreadSource(normalized(directory + source) ?? source, $0, isRead: true) }
    }

    /// Nil for a file on which nothing about links depends, whatever is in it.
    /// - Parameter path: that in the project to which it is copied.
    private static func fact(ofCopy path: String) -> String? {
        let path = path.lowercased()
        let parts = pathParts(normalized(path) ?? "")
        let ending = parts.last?.utf8.split(separator: UInt8(ascii: ".")).dropFirst().last
        let isHarmless =
            switch ending.map({ String(Substring($0)) }) {
            case "xml": parts.dropLast(2).last == "res" && !isOfValues(parts.dropLast().last ?? "")
            case "plist": parts.last == "googleservice-info.plist"
            case let ending?: harmlessEndings.contains(ending) && !holds("gradle", in: path)
            case nil: false
            }
        return isHarmless ? nil : "Cordova copies it into the project, and it may change what ships"
    }

    /// Whether a directory of resources has those that manifests refer to, or graphs with links.
    private static func isOfValues(_ directory: String) -> Bool {
        ["values", "navigation"].contains { directory.utf8.starts(with: $0.utf8) }
    }

    /// Those of pictures, fonts, sounds, parts of an app's pages, certificates, libraries and source.
    private static let harmlessEndings: Set = [
        "png", "jpg", "jpeg", "webp", "gif", "svg", "ttf", "otf", "mp3", "mp4", "wav", "ogg", "caf",
        "m4a", "aiff", "strings", "storyboard", "xib", "bundle", "xcassets", "xcprivacy", "html",
        "css", "txt", "json", "cer", "pem", "aar", "jar", "so", "java", "kt", "aidl",
    ]
}
