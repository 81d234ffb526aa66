private import JSONSyntax

extension CordovaConfiguration {
    /// The facts about a widget that other files than its `config.xml` have.
    struct Project {
        /// The platforms that `package.json` names; empty if it names none.
        private(set) var platforms = Set<String>()
        /// Whether `package.json` names a plugin for links.
        private(set) var hasLinkPlugin = false
        /// The team that `build.json` has for releases.
        private(set) var team: String?
        /// The packages that `package.json` names.
        private(set) var packages = [CordovaPackage]()
        /// Those that Cordova adds to a project as its plugins.
        private(set) var plugins = [CordovaPackage]()
        /// The variables of plugins to which `package.json` or `plugins/fetch.json` gives values.
        private(set) var variables = CordovaVariables()
        /// The changes that stand in other files than `config.xml`.
        var changes = CordovaChanges()
        /// The directory of the project, with a slash behind it.
        private(set) var directory = ""

        init() {}

        /// - Parameters:
        ///   - directory: that of the project, with a slash behind it.
        ///   - bytes: those of a file; nil if there is none.
        init(in directory: String, _ bytes: (String) -> [UInt8]?) {
            func json(_ name: String) -> JSONValue? {
                bytes(directory + name).flatMap { JSONDocument($0, file: name).root }
            }
            self.directory = directory
            let package = json("package.json")
            platforms = Set(package?["cordova"]?["platforms"]?.elements?.compactMap(\.text) ?? [])
            let plugins = package?["cordova"]?["plugins"]?.members ?? []
            hasLinkPlugin = plugins.contains { isOfLinks($0.key) }
            let keys = Set(plugins.map { Array($0.key.utf8) })
            packages =
                dependencyKeys.flatMap { package?[$0]?.members ?? [] }.compactMap { member in
                    guard let spec = member.value.text else { return nil }
                    let isPlugin =
                        keys.contains(Array(member.key.utf8))
                        || CordovaPackage.isOfPlugin(member.key)
                    return CordovaPackage(name: member.key, spec: spec, mayBePlugin: isPlugin)
                }
            let specs = Dictionary(
                packages.map { (Array($0.name.utf8), $0) }, uniquingKeysWith: { first, _ in first })
            self.plugins = plugins.map { plugin in
                specs[Array(plugin.key.utf8)]
                    ?? CordovaPackage(name: plugin.key, spec: "", mayBePlugin: true)
            }
            let installed = json("plugins/fetch.json")?.members ?? []
            for values in plugins.map(\.value) + installed.compactMap({ $0.value["variables"] }) {
                for value in values.members ?? [] {
                    if let text = value.value.text { variables.add(value.key, text) }
                }
            }
            let release = json("build.json")?["ios"]?["release"]
            team = release?["developmentTeam"]?.text
            let flags = release?["buildFlag"]
            if (flags?.elements ?? flags.map { [$0] } ?? []).compactMap(\.text).contains(
                where: decides)
            {
                let fact = "a buildFlag for releases sets the identifier, team or entitlements"
                changes.add(
                    CordovaChanges(
                        ofEntitlements: UnreadSource("\(directory)build.json", fact, isRead: true)))
            }
        }
    }

    /// Whether a flag of `xcodebuild` can change which app has which entitlements.
    private static func decides(_ flag: String) -> Bool {
        holds("PRODUCT_BUNDLE_IDENTIFIER", in: flag) || holds("CODE_SIGN_ENTITLEMENTS", in: flag)
            || holds("DEVELOPMENT_TEAM", in: flag) || holds("-xcconfig", in: flag)
    }

    /// Whether a plugin is one that adds links of the web to apps, by its name.
    static func isOfLinks(_ plugin: String) -> Bool {
        let name = plugin.lowercased()
        return holds("deeplink", in: name) || holds("universal-links", in: name)
            || holds("app-links", in: name) || holds("branch", in: name)
            || holds("dynamiclinks", in: name)
    }
}
