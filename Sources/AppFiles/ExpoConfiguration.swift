private import Diagnostics
private import JSONSyntax

/// Expo's `app.json`, of which Expo makes the entitlements and the manifest (Expo, "app.json").
struct ExpoConfiguration {
    /// The value of `expo`; nil in a file of React Native, which has neither it nor a `slug`.
    private let expo: JSONValue?

    init(_ bytes: [UInt8]) throws(FormatFault) {
        let document = JSONDocument(bytes, file: "app.json")
        if document.root == nil, let fault = document.diagnostics.first {
            throw FormatFault(
                "is not read: \(fault.message)",
                advice: fault.rule == .fileSize
                    ? "remove entries" : fault.advice ?? FormatFault.usualAdvice)
        }
        // What `expo config` prints is the value of `expo` alone.
        let root = document.root.flatMap { $0["slug"] == nil ? nil : $0 }
        expo = document.root?["expo"] ?? root
        // Expo reads comments and trailing commas, too.
        if expo != nil, !document.isShapeCertain,
            let fault = document.diagnostics.first(where: { $0.severity == .error })
        {
            throw FormatFault(
                "is not read: \(fault.message)",
                at: fault.position.map { TextPlace(line: $0.line, column: $0.column) },
                advice: fault.rule == .jsonNesting
                    ? FormatFault.usualAdvice
                    : fault.advice
                        ?? FormatFault.usualAdvice)
        }
    }

    /// The declarations for both systems.
    func declarations() throws(FormatFault) -> [AppDeclaration] {
        guard let expo else { return [] }
        var declarations = [AppDeclaration]()
        // A configuration for the web alone can have the identifiers of apps, too.
        let platforms = expo["platforms"]?.elements?.compactMap(\.text)
        func isBuilt(_ platform: String) -> Bool {
            platforms?.contains(where: platform.isScalarwise) ?? true
        }
        if let ios = expo["ios"], isBuilt("ios") {
            declarations.append(.apple(Self.apple(ios, of: expo)))
        }
        if let android = expo["android"], isBuilt("android") {
            declarations.append(.android(try Self.declaration(ofAndroid: android)))
        }
        return declarations
    }

    /// The names of its plugins: those of packages, and paths of files beside it, which begin with a full stop.
    var plugins: [(name: String, place: TextPlace)] {
        (expo?["plugins"]?.elements ?? []).map { $0.elements?.first ?? $0 }.compactMap { plugin in
            plugin.text.map { ($0, Self.place(plugin)) }
        }
    }

    /// A fault of its filters is kept, so that it does not hide the other system's half.
    private static func declaration(
        ofAndroid android: JSONValue
    ) throws(FormatFault) -> AndroidDeclaration {
        var root = XMLNode(name: "manifest", place: place(android))
        var fault: FormatFault?
        do throws(FormatFault) {
            root = try manifest(android)
        } catch {
            fault = error
        }
        var declaration = try AndroidDeclaration(root, kind: .source)
        declaration.applicationID = android["package"]?.text
        declaration.isOfExpo = true
        declaration.fault = fault
        return declaration
    }

    /// Whether JavaScript takes a value for true, as Expo does with `autoVerify`.
    private static func isTrue(_ value: JSONValue) -> Bool {
        switch value.content {
        case .null: false
        case .boolean(let flag): flag
        case .number(let digits): Double(digits) != 0
        case .string(let text): !text.isEmpty
        case .array, .object: true
        }
    }

    private static func apple(_ ios: JSONValue, of expo: JSONValue) -> AppleDeclaration {
        let key = "com.apple.developer.associated-domains"
        var members = [[UInt8]: PropertyList]()
        // Expo removes the domains of `entitlements`, and writes those of `associatedDomains` (expo/config-plugins,
        // `setAssociatedDomains`). What `expo config --type introspect` prints has the result there, and alone has the
        // results of plugins within `_internal`, which other types of it have, too.
        let others = ios["entitlements"]?[key]
        let result = expo["_internal"]?["modResults"] == nil ? nil : others
        if let domains = result ?? ios["associatedDomains"] {
            let items = domains.elements?.map { element in
                PropertyList(element.text.map { .string($0) } ?? .other, at: place(element))
            }
            members[Array(key.utf8)] = PropertyList(
                items.map { .array($0) } ?? .other, at: place(domains))
        }
        var declaration = AppleDeclaration(
            PropertyList(.dictionary(members), at: place(ios)), kind: .entitlements)
        declaration.use = XcodeUse(
            target: "Expo", configurations: [],
            bundleIdentifier: ios["bundleIdentifier"]?.text, team: ios["appleTeamId"]?.text)
        declaration.use?.isOfApp = true
        declaration.hasRemovedDomains = members.isEmpty && others != nil
        if let written = ios["infoPlist"]?["CFBundleIdentifier"]?.text,
            ![ios["bundleIdentifier"]?.text ?? "", "$(PRODUCT_BUNDLE_IDENTIFIER)"].contains(
                where: written.isScalarwise)
        {
            let fact = "its CFBundleIdentifier is another identifier than ios.bundleIdentifier"
            declaration.unread.append(UnreadSource("ios.infoPlist", fact, isRead: true))
        }
        return declaration
    }

    /// The manifest that Expo makes of the filters.
    private static func manifest(_ android: JSONValue) throws(FormatFault) -> XMLNode {
        var activity = XMLNode(name: "activity", place: place(android))
        for filter in android["intentFilters"]?.elements ?? [] {
            var node = XMLNode(name: "intent-filter", place: place(filter))
            if let flag = filter["autoVerify"] {
                let text = isTrue(flag) ? "true" : "false"
                node.attributes.append(attribute("autoVerify", text, flag))
            }
            for action in values(filter["action"]) {
                node.children.append(named("action", "android.intent.action.", action))
            }
            for category in values(filter["category"]) {
                node.children.append(named("category", "android.intent.category.", category))
            }
            for data in values(filter["data"]) {
                var child = XMLNode(name: "data", place: place(data))
                for member in data.lastMembers {
                    if let values = member.value.elements { throw listFault(member.key, values) }
                    guard let text = member.value.text else { continue }
                    child.attributes.append(attribute(member.key, text, member.value))
                }
                node.children.append(child)
            }
            activity.children.append(node)
        }
        var application = XMLNode(name: "application", place: place(android))
        application.children.append(activity)
        var manifest = XMLNode(name: "manifest", place: place(android))
        manifest.children.append(application)
        return manifest
    }

    /// Expo writes a list as JavaScript does, with commas, so that it is one value that no link has.
    private static func listFault(_ key: String, _ values: [JSONValue]) -> FormatFault {
        let written = values.compactMap(\.text).prefix(4).joined(separator: ",")
        return FormatFault(
            "has a list for \(quoted(key)) of data, which Expo writes as one value, \(quoted(written))",
            at: values.first.map(place),
            advice: "write an object in data for each value")
    }

    /// One value or a list of them.
    private static func values(_ value: JSONValue?) -> [JSONValue] {
        value.map { $0.elements ?? [$0] } ?? []
    }

    private static func named(_ kind: String, _ prefix: String, _ value: JSONValue) -> XMLNode {
        var node = XMLNode(name: kind, place: place(value))
        node.attributes.append(attribute("name", prefix + (value.text ?? ""), value))
        return node
    }

    private static func attribute(_ name: String, _ text: String, _ value: JSONValue)
        -> XMLAttribute
    {
        XMLAttribute(namespace: androidNamespace, name: name, value: text, place: place(value))
    }

    private static func place(_ value: JSONValue) -> TextPlace {
        TextPlace(line: value.start.line, column: value.start.column)
    }
}
