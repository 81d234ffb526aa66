private import Diagnostics

/// Cordova's `config.xml`, of which `cordova prepare` and plugins make the projects of an app (Cordova, "config.xml").
enum CordovaConfiguration {
    /// Whether the beginning of a file is that of a widget.
    static func isLikely(_ beginning: [UInt8]) -> Bool {
        holds("<widget", in: String(decoding: beginning, as: UTF8.self))
    }

    /// The declarations for both systems; none for a widget without an identifier, which is of no project.
    static func declarations(
        _ widget: XMLNode, _ project: Project = Project()
    ) throws(FormatFault) -> [AppDeclaration] {
        guard let id = widget.plain("id")?.value, !id.isEmpty else { return [] }
        let named = project.platforms.union(engines(of: widget).map(\.name))
        func isBuilt(_ platform: String) -> Bool { named.isEmpty || named.contains(platform) }
        let (domains, filters) = (Self.domains(of: widget), Self.filters(of: widget))
        let hasPlugin =
            project.hasLinkPlugin
            || widget.children.contains { node in
                node.name == "plugin"
                    && (node.plain("name") ?? node.plain("spec")).map { isOfLinks($0.value) }
                        == true
            }
        if domains.isEmpty, filters.isEmpty, hasPlugin { return [.program(.cordova)] }
        var declarations = [AppDeclaration]()
        var changes = CordovaChanges(of: widget, in: project.directory)
        changes.add(project.changes)
        // Whoever has added a platform last has written which there are.
        if isBuilt("ios") || nodes(of: widget, "ios").contains(where: isOfDomains) {
            let bundle = widget.plain("ios-CFBundleIdentifier")?.value ?? id
            var declaration = apple(domains, bundle, project.team, widget)
            declaration.unread += changes.ofEntitlements
            declarations.append(.apple(declaration))
        }
        if isBuilt("android") || !filters.activities.isEmpty {
            let package = widget.plain("android-packageName")?.value ?? id
            var declaration = try android(filters, package, widget, hasPlugin: hasPlugin)
            if !filters.isEmpty {
                declaration.unread += CordovaManifest.open(in: widget) + changes.ofManifest
            }
            declarations.append(.android(declaration))
        }
        return declarations
    }

    static func plugins(of widget: XMLNode) -> [CordovaPackage] {
        widget.children.filter { $0.name == "plugin" }.map { node in
            let spec = node.plain("spec")?.value ?? ""
            let name = node.plain("name")?.value ?? spec
            return CordovaPackage(name: name, spec: spec, mayBePlugin: true)
        }
    }

    /// The platforms that the widget names itself, as projects did before `package.json` had them.
    static func engines(of widget: XMLNode) -> [CordovaPackage] {
        widget.children.filter { $0.name == "engine" }.compactMap { node in
            node.plain("name").map { name in
                let spec = node.plain("spec")?.value ?? ""
                return CordovaPackage(name: name.value, spec: spec, mayBePlugin: false)
            }
        }
    }

    /// The elements of a platform, with those of all platforms.
    static func nodes(of widget: XMLNode, _ platform: String) -> [XMLNode] {
        widget.children.flatMap { node -> [XMLNode] in
            guard node.name == "platform" else { return [node] }
            return node.plain("name")?.value == platform ? node.children : []
        }
    }

    /// The hosts for the plugin of universal links (cordova-universal-links-plugin, "configXmlParser.js").
    private static func hosts(of widget: XMLNode) -> [XMLNode] {
        widget.children.first { $0.name == "universal-links" }?.children.filter {
            $0.name == "host"
        }
            ?? []
    }

    // MARK: iOS

    private static func domains(of widget: XMLNode) -> [PropertyList] {
        let ofPlugin = hosts(of: widget).compactMap { host in
            host.plain("name").map { PropertyList(.string("applinks:\($0.value)"), at: $0.place) }
        }
        let name = name(of: widget)
        let written = nodes(of: widget, "ios").filter { isForRelease($0, of: name) }.flatMap(texts)
        return ofPlugin + written
    }

    /// Whether a plugin adds associated domains, or changes them.
    static func changesDomains(_ plugin: XMLNode) -> Bool {
        nodes(of: plugin, "ios").contains(where: isOfDomains)
    }

    /// Whether an element is about the associated domains of releases, as far as its file is known.
    private static func isOfDomains(_ node: XMLNode) -> Bool {
        guard let file = fileOfDomains(node)?.lowercased() else { return false }
        return !holds("debug", in: file) && !holds("info.plist", in: file)
    }

    /// The file to which an element adds associated domains; nil for other elements. `edit-config` names it `file`.
    private static func fileOfDomains(_ node: XMLNode) -> String? {
        file(node, ofKey: "com.apple.developer.associated-domains")
    }

    /// The property list in which an element changes a key; nil for other elements.
    static func file(_ node: XMLNode, ofKey name: String) -> String? {
        let isEdit = node.name == "edit-config"
        guard isEdit || node.name == "config-file",
            let key = node.plain(isEdit ? "target" : "parent")?.value,
            key.utf8.elementsEqual(name.utf8)
        else { return nil }
        return node.plain(isEdit ? "file" : "target")?.value ?? ""
    }

    /// Whether Cordova adds the domains of an element to the entitlements of releases. It skips a file that is not there, and
    /// takes the first one of a pattern. The directory of the files has the name of the app, or `App`.
    /// - Parameter name: that of the app.
    private static func isForRelease(_ node: XMLNode, of name: String) -> Bool {
        guard let file = fileOfDomains(node) else { return false }
        guard !isOfOtherMode(node) else { return false }
        let parts = file.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard let last = parts.last, parts.count <= 8,
            takes("Entitlements-Release.plist", last), !takes("Entitlements-Debug.plist", last)
        else { return false }
        let star = UInt8(ascii: "*")
        let isInDirectory = parts.dropLast().allSatisfy { part in
            part.elementsEqual(name.utf8) || part.elementsEqual("App".utf8)
                || !part.isEmpty && part.allSatisfy { $0 == star }
        }
        return isInDirectory && (parts.count > 1 || last.contains(star))
    }

    /// The name of the app.
    private static func name(of widget: XMLNode) -> String {
        widget.children.first { $0.name == "name" }?.text ?? "App"
    }

    /// Whether an element does something else than to add, such as `remove`.
    private static func isOfOtherMode(_ node: XMLNode) -> Bool {
        guard node.name == "edit-config", let mode = node.plain("mode")?.value else { return false }
        return !["merge", "overwrite", "add"].contains { $0.utf8.elementsEqual(mode.utf8) }
    }

    /// Whether a pattern with stars takes a name.
    private static func takes(_ name: String, _ pattern: Substring.UTF8View) -> Bool {
        let pieces = pattern.split(
            separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
        guard let first = pieces.first, let last = pieces.last, pieces.count > 1 else {
            return pattern.elementsEqual(name.utf8)
        }
        var rest = Array(name.utf8)[...]
        guard rest.starts(with: first) else { return false }
        rest = rest.dropFirst(first.count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let start = rest.indices.first(where: { rest[$0...].starts(with: piece) }) else {
                return false
            }
            rest = rest[start...].dropFirst(piece.count)
        }
        return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
    }

    /// The elements whose file is not known to be that of releases.
    private static func unknown(of widget: XMLNode) -> [UnreadSource] {
        let name = name(of: widget)
        let first = nodes(of: widget, "ios").first { node in
            isOfDomains(node) && !isForRelease(node, of: name)
        }
        guard let first, let file = fileOfDomains(first) else { return [] }
        return [
            UnreadSource(
                file.utf8.count <= 255 && !file.isEmpty ? file : first.name,
                isOfOtherMode(first)
                    ? "edit-config changes its domains with another mode than merge, overwrite and add"
                    : "domains of config.xml are for this file, and a release is signed with Entitlements-Release.plist, "
                        + "which *-Release.plist takes",
                isRead: true)
        ]
    }

    /// The texts of a list.
    private static func texts(_ node: XMLNode) -> [PropertyList] {
        node.children.filter { $0.name == "array" }.flatMap(\.children).map { item in
            PropertyList(item.name == "string" ? .string(item.text) : .other, at: item.place)
        }
    }

    private static func apple(
        _ domains: [PropertyList], _ bundle: String, _ team: String?, _ widget: XMLNode
    ) -> AppleDeclaration {
        var members = [[UInt8]: PropertyList]()
        if !domains.isEmpty {
            members[Array("com.apple.developer.associated-domains".utf8)] = PropertyList(
                .array(domains), at: domains[0].place)
        }
        var declaration = AppleDeclaration(
            PropertyList(.dictionary(members), at: widget.place), kind: .entitlements)
        declaration.use = XcodeUse(
            target: "Cordova", configurations: [], bundleIdentifier: bundle, team: team)
        declaration.use?.isOfApp = true
        declaration.use?.hasPlugins = true
        declaration.unread += unknown(of: widget)
        return declaration
    }

    // MARK: Android

    /// The filters of a configuration, and whether a plugin writes some.
    private struct Filters {
        var activities = [XMLNode]()
        var ofPlugin = [XMLNode]()
        var isEmpty: Bool { activities.isEmpty && ofPlugin.isEmpty }
    }

    private static func filters(of widget: XMLNode) -> Filters {
        var filters = Filters()
        for node in nodes(of: widget, "android")
        where node.name == "config-file" || node.name == "edit-config" {
            let file = node.plain(node.name == "edit-config" ? "file" : "target")?.value ?? ""
            guard file.utf8.suffix(19).elementsEqual("AndroidManifest.xml".utf8) else { continue }
            let direct = node.children.filter { $0.name == "intent-filter" }
            if !direct.isEmpty { filters.activities.append(activity(direct, node.place)) }
            filters.activities += node.children.filter { child in
                child.isActivity && child.children.contains { $0.name == "intent-filter" }
            }
        }
        let ofPlugin = hosts(of: widget).compactMap(filter)
        if let first = ofPlugin.first { filters.ofPlugin = [activity(ofPlugin, first.place)] }
        return filters
    }

    private static func activity(_ filters: [XMLNode], _ place: TextPlace) -> XMLNode {
        var node = XMLNode(name: "activity", place: place)
        node.attributes = [attribute("exported", "true", place)]
        node.children = filters
        return node
    }

    /// The filter of a host. The plugin makes one for each path, of which a star is any; together they take the same links,
    /// and the host's text stands there once.
    private static func filter(_ host: XMLNode) -> XMLNode? {
        guard let name = host.plain("name") else { return nil }
        let scheme = host.plain("scheme")
        let paths = host.children.filter { $0.name == "path" }.compactMap { $0.plain("url") }
        let takesAll = paths.isEmpty || paths.contains(where: { $0.value == "*" })
        func data(_ attributes: [XMLAttribute]) -> XMLNode {
            var node = XMLNode(name: "data", place: host.place)
            node.attributes = attributes
            return node
        }
        let link = data([
            attribute("scheme", scheme?.value ?? "http", scheme?.place ?? host.place),
            attribute("host", name.value, name.place),
        ])
        var filter = XMLNode(name: "intent-filter", place: host.place)
        filter.attributes = [attribute("autoVerify", "true", host.place)]
        filter.children =
            [
                named("action", "android.intent.action.VIEW", host.place),
                named("category", "android.intent.category.DEFAULT", host.place),
                named("category", "android.intent.category.BROWSABLE", host.place), link,
            ] + (takesAll ? [] : paths.map { data([pathAttribute($0)]) })
        return filter
    }

    private static func pathAttribute(_ path: XMLAttribute) -> XMLAttribute {
        let star = UInt8(ascii: "*")
        var text = [UInt8]()
        for byte in path.value.utf8 { text += byte == star ? Array(".*".utf8) : [byte] }
        let isPattern = path.value.utf8.contains(star)
        if text.first != UInt8(ascii: "/") { text.insert(UInt8(ascii: "/"), at: 0) }
        return attribute(
            isPattern ? "pathPattern" : "path", String(decoding: text, as: UTF8.self), path.place)
    }

    private static func android(
        _ filters: Filters, _ package: String, _ widget: XMLNode, hasPlugin: Bool
    ) throws(FormatFault) -> AndroidDeclaration {
        var application = XMLNode(name: "application", place: widget.place)
        application.children = filters.activities + filters.ofPlugin
        var root = XMLNode(name: "manifest", place: widget.place)
        root.children = [application]
        var declaration = try AndroidDeclaration(root, kind: .source)
        // Packages of Java have no hyphens, and Cordova writes others.
        declaration.applicationID = package.utf8.split(
            separator: UInt8(ascii: "-"), omittingEmptySubsequences: false
        ).map { String(Substring($0)) }.joined(separator: "_")
        declaration.hostFilters = Set(filters.ofPlugin.flatMap(\.children).map(\.place))
        // Cordova makes the activities.
        declaration.lostAliases = []
        declaration.isBare = filters.isEmpty
        if hasPlugin || !filters.ofPlugin.isEmpty {
            declaration.unread.append(
                UnreadSource(
                    "platforms/android",
                    "cordova prepare makes it, and the plugin decides which filters verify hosts",
                    isRead: true))
        }
        return declaration
    }

    private static func named(_ kind: String, _ name: String, _ place: TextPlace) -> XMLNode {
        var node = XMLNode(name: kind, place: place)
        node.attributes = [attribute("name", name, place)]
        return node
    }

    private static func attribute(
        _ name: String, _ value: String, _ place: TextPlace
    ) -> XMLAttribute {
        XMLAttribute(namespace: androidNamespace, name: name, value: value, place: place)
    }
}
