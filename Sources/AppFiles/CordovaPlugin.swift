/// A plugin of Cordova in a checkout, by its `plugin.xml`.
struct CordovaPlugin {
    /// The plugins that it depends on, with their places.
    private(set) var dependencies = [CordovaPackage]()
    private let changes: CordovaChanges
    /// The changes if its variables make filters for links of the web.
    private let changesWithLinks: CordovaChanges
    /// The variables that schemes of filters are.
    private var schemes = Set<[UInt8]>()
    private var defaults = CordovaVariables()

    /// - Parameters:
    ///   - bytes: those of its `plugin.xml`; nil if it cannot be read.
    ///   - directory: that of the plugin, with a slash behind it.
    init(_ bytes: [UInt8]?, in directory: String) {
        let root = bytes.flatMap { try? XMLReader.read($0) }
        changes = CordovaChanges(ofPlugin: root, in: directory, addsLinks: false)
        changesWithLinks = CordovaChanges(ofPlugin: root, in: directory, addsLinks: true)
        guard let root else { return }
        schemes = Set(CordovaManifest.schemes(of: root).compactMap(Self.variable))
        for node in root.children.flatMap({ $0.name == "platform" ? $0.children : [$0] }) {
            if node.name == "preference", let name = node.plain("name")?.value,
                let value = node.plain("default")?.value
            {
                defaults.add(name, value)
            }
            guard node.name == "dependency", let url = node.plain("url")?.value else { continue }
            let directory = node.plain("subdir").map { "/\($0.value)" } ?? ""
            let name = node.plain("id")?.value ?? url
            dependencies.append(
                CordovaPackage(name: name, spec: url + directory, mayBePlugin: true))
        }
    }

    /// - Parameter variables: those to which a project gives values.
    func changes(_ variables: CordovaVariables) -> CordovaChanges {
        let addsLinks = schemes.contains { name in
            variables.ofWeb.contains(name) || defaults.ofWeb.contains(name)
                || !variables.known.contains(name) && !defaults.known.contains(name)
        }
        return addsLinks ? changesWithLinks : changes
    }

    /// The variable that a scheme is, or the scheme if it has other text, too; nil if it is none of the web, whatever the
    /// variables are.
    private static func variable(_ scheme: String) -> [UInt8]? {
        let parts = scheme.utf8.split(
            separator: UInt8(ascii: "$"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, "https".utf8.starts(with: parts[0]) else { return nil }
        guard parts[0].isEmpty else { return Array(scheme.utf8) }
        let isBraced =
            parts[1].first == UInt8(ascii: "{") && parts[1].last == UInt8(ascii: "}")
        return Array(isBraced ? parts[1].dropFirst().dropLast() : parts[1])
    }
}

/// The variables of plugins that have values.
struct CordovaVariables {
    /// Those that Cordova and Android fill in with the identifier of the app are known, too.
    private(set) var known: Set = [Array("PACKAGE_NAME".utf8), Array("applicationId".utf8)]
    /// Those of which a value is a scheme of the web.
    private(set) var ofWeb = Set<[UInt8]>()

    mutating func add(_ name: String, _ value: String) {
        known.insert(Array(name.utf8))
        if isWebScheme(value) { ofWeb.insert(Array(name.utf8)) }
    }

    /// Adds the values that a `plugin` element has.
    mutating func add(valuesOf plugin: XMLNode) {
        for node in plugin.children where node.name == "variable" || node.name == "param" {
            if let name = node.plain("name")?.value, let value = node.plain("value")?.value {
                add(name, value)
            }
        }
    }
}
