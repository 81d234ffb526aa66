/// The plugins of Cordova that are in the checkout itself, as far as they may change the links of a system (Cordova, "Plugin
/// specification").
struct CordovaPlugins {
    private(set) var ofManifest = [UnreadSource]()
    private(set) var ofEntitlements = [UnreadSource]()

    init() {}

    /// A plugin alone.
    /// - Parameters:
    ///   - directory: that of the plugin, with a slash behind it.
    ///   - programs: those of the checkout.
    init(in directory: String, _ programs: CordovaPrograms) {
        let name = "\(directory)plugin.xml"
        guard let root = programs.bytes(name).flatMap({ try? XMLReader.read($0) }) else {
            let lost = UnreadSource(name, "it is a plugin of Cordova that cannot be read")
            (ofManifest, ofEntitlements) = ([lost], [lost])
            return
        }
        let own = UnreadSource(name, "it is a plugin of Cordova about links", isRead: true)
        if CordovaManifest.changesLinks(root) { ofManifest = [own] }
        if CordovaConfiguration.changesDomains(root) { ofEntitlements = [own] }
        var hooks = CordovaHooks()
        for hook in CordovaHooks.names(in: root) {
            hooks.take(normalized(directory + hook) ?? hook, programs)
        }
        ofManifest += hooks.ofManifest
        ofEntitlements += hooks.ofEntitlements
    }

    /// Adds the sources of another plugin, up to the number that messages name.
    mutating func add(_ other: CordovaPlugins) {
        ofManifest += other.ofManifest.prefix(Self.most - ofManifest.count)
        ofEntitlements += other.ofEntitlements.prefix(Self.most - ofEntitlements.count)
    }

    private static let most = AppFileLimits.unreadMax + 1

    /// The directories that a widget names as those of its plugins.
    static func names(in widget: XMLNode) -> [String] {
        widget.children.filter { $0.name == "plugin" }.compactMap { $0.plain("spec")?.value }
    }
}
