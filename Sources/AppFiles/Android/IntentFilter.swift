private import Associations

/// An intent filter of an activity, as far as links need it (Android, "intent-filter").
package struct IntentFilter: Sendable {
    /// A value of an attribute.
    package struct Value: Sendable {
        package let text: String
        /// Whether something else decides it: a placeholder of Gradle, or a resource.
        package let isUnresolved: Bool
        package let place: TextPlace
        /// The place that has the value, such as a file of resources; nil if it is the manifest itself.
        package let origin: String?
        /// Whether devices have different resources for it, such as those of languages.
        package let dependsOnDevice: Bool
        /// Whether it is not known what Android takes: of a text of `data` that devices have different ones of, it takes nothing
        /// (`getNonConfigurationString`).
        package var isOpen: Bool { isUnresolved || dependsOnDevice }

        init(_ attribute: XMLAttribute) {
            (text, dependsOnDevice) = (attribute.value, attribute.dependsOnDevice)
            isUnresolved = attribute.isFilledIn
            (place, origin) = (attribute.place, attribute.origin)
        }

        /// Whether it is a text, or something else may make that of it: `${name}` is any, and what stands around it stays.
        func mayBe(_ other: String) -> Bool {
            guard isUnresolved else { return text == other }
            let (bytes, dollar) = (Array(text.utf8), UInt8(ascii: "$"))
            guard let start = bytes.firstIndex(of: dollar),
                let end = bytes.lastIndex(of: UInt8(ascii: "}"))
            else { return true }
            return other.utf8.starts(with: bytes[..<start])
                && other.utf8.reversed().starts(with: bytes[(end + 1)...].reversed())
        }
    }

    /// A path of a `data` element, with the attribute that has it.
    package struct Path: Sendable {
        package let attribute: String
        package let value: Value
    }

    /// A host of a `data` element, with its port.
    package struct Authority: Sendable {
        package let host: Value
        package let port: Value?
    }

    /// The host and the paths of one `data` element, as if Android did not pool it with others.
    package struct Element: Sendable {
        package let host: Value?
        package let paths: [Path]
    }

    /// A group of conditions, which Android 15 and later read.
    package struct Group: Sendable {
        let allows: Value?
        package let parts: [Path]
        package let place: TextPlace
    }

    /// The attributes of `data` that have a path.
    static let pathAttributes: Set = [
        "path", "pathPrefix", "pathPattern", "pathSuffix", "pathAdvancedPattern",
    ]

    /// The class of its activity, as it is written.
    package let component: String
    /// The class of the activity that an alias is of, as it is written; nil for an activity.
    let target: String?
    package let place: TextPlace
    package let autoVerify: Value?
    /// Whether other apps, such as browsers, may start the activity.
    package let isExported: Bool
    /// The permission that other apps need to start the activity; nil if they need none.
    package let permission: Value?
    /// Whether the permission is that of the application.
    package let isPermissionOfApplication: Bool
    /// The attributes of the activity that can keep other apps out, and that something else decides.
    package let undecided: [Value]
    /// Whether the manifest has the activity switched off. The app can switch it on.
    package let isDisabled: Bool
    /// The value that decides whether it is switched on; nil if that is known.
    package let enabling: Value?
    package let actions: [Value]
    package let categories: [Value]
    /// Whether it has a `data` element. Android pools their attributes.
    package let hasData: Bool
    package private(set) var schemes = [Value]()
    package private(set) var authorities = [Authority]()
    package private(set) var paths = [Path]()
    /// The `data` elements that have a host, a path or both.
    package private(set) var elements = [Element]()
    package private(set) var groups = [Group]()
    package private(set) var mimeTypes = [Value]()
    /// Attributes of `data`, and `autoVerify`, that Android does not read, because they are not in its namespace.
    package private(set) var unread = [Path]()
    /// An attribute that was meant to be `autoVerify` of the filter; nil if there is none.
    package private(set) var misplacedVerify: MisplacedVerify?

    /// An attribute that Android does not read as `android:autoVerify` of a filter.
    package enum MisplacedVerify: Sendable {
        /// Its name differs in letter case.
        case otherCase(String)
        /// It stands on the element around the filter.
        case onActivity
        case onApplication
    }

    /// - Parameters:
    ///   - activity: the activity, or an alias of one.
    ///   - application: the element that it is in.
    init(_ node: XMLNode, of activity: XMLNode, in application: XMLNode) {
        component = activity.android("name")?.value ?? ""
        target = activity.isAlias ? activity.android("targetActivity")?.value : nil
        isExported = activity.android("exported")?.value != "false"
        let own = activity.android("permission")
        // An alias has its own permission alone (AOSP, `ParsedActivityUtils`).
        let isInherited = own == nil && !activity.isAlias
        let needed = isInherited ? application.android("permission") : own
        isPermissionOfApplication = isInherited
        permission = needed.flatMap { $0.value.isEmpty ? nil : Value($0) }
        undecided = [activity.android("exported"), needed].compactMap(\.self).map(Value.init)
            .filter(\.isUnresolved)
        let enabled = activity.android("enabled").map(Value.init)
        isDisabled = enabled?.text == "false"
        enabling = enabled.flatMap { $0.isUnresolved ? $0 : nil }
        place = node.place
        autoVerify = node.android("autoVerify").map(Value.init)
        let names: (String) -> [Value] = { kind in
            node.children.filter { $0.name == kind }.compactMap { $0.android("name") }
                .map(Value.init)
        }
        (actions, categories) = (names("action"), names("category"))
        let data = node.children.filter { $0.name == "data" }
        hasData = !data.isEmpty
        unread = node.attributes.filter { attribute in
            attribute.namespace.isEmpty && attribute.name == "autoVerify"
                && node.android("autoVerify") == nil
        }.map { Path(attribute: $0.name, value: Value($0)) }
        misplacedVerify = Self.misplacedVerify(node, activity, application)
        for child in data {
            schemes += [child.android("scheme")].compactMap(\.self).map(Value.init)
            if let host = child.android("host") {
                authorities.append(
                    Authority(host: Value(host), port: child.android("port").map(Value.init)))
            }
            mimeTypes += [child.android("mimeType")].compactMap(\.self).map(Value.init)
            unread += child.attributes.filter { attribute in
                attribute.namespace.isEmpty
                    && (["scheme", "host", "port"].contains(attribute.name)
                        || Self.pathAttributes.contains(attribute.name))
                    && child.android(attribute.name) == nil
            }.map { Path(attribute: $0.name, value: Value($0)) }
            let own = child.attributes.filter {
                $0.isAndroid && Self.pathAttributes.contains($0.name)
            }.map { Path(attribute: $0.name, value: Value($0)) }
            paths += own
            let host = child.android("host").map(Value.init)
            if host != nil || !own.isEmpty { elements.append(Element(host: host, paths: own)) }
        }
        for group in node.children where group.name == "uri-relative-filter-group" {
            let attributes = group.children.filter { $0.name == "data" }.flatMap(\.attributes)
            let parts = attributes.filter(\.isPattern).map {
                Path(attribute: $0.name, value: Value($0))
            }
            // Android does not take a group without conditions.
            guard !parts.isEmpty else { continue }
            groups.append(
                Group(
                    allows: group.android("allow").map(Value.init), parts: parts,
                    place: group.place))
        }
    }

    private static func misplacedVerify(
        _ node: XMLNode, _ activity: XMLNode, _ application: XMLNode
    ) -> MisplacedVerify? {
        guard node.android("autoVerify") == nil else { return nil }
        let other = node.attributes.first { attribute in
            attribute.isAndroid && attribute.name.lowercased() == "autoverify"
        }
        if let other { return .otherCase(other.name) }
        if activity.android("autoVerify") != nil { return .onActivity }
        return application.android("autoVerify") != nil ? .onApplication : nil
    }

    package var hosts: [Value] { authorities.map(\.host) }
    /// Whether it is for links and has hosts, but no scheme, without which Android reads no host.
    package var lacksScheme: Bool {
        schemes.isEmpty && !authorities.isEmpty && mimeTypes.isEmpty && isView && isBrowsable
    }
    package var isVerified: Bool { autoVerify?.text == "true" }
    package var isView: Bool { actions.contains { $0.text == Self.view } }
    package var isBrowsable: Bool { categories.contains { $0.text == Self.browsable } }
    package var isDefault: Bool { categories.contains { $0.text == Self.defaultCategory } }
    /// The values that something else decides, and that may make it one for links of the web: its schemes and types, and names
    /// that may be those that it lacks.
    package var opening: [Value] {
        var opening = isOfWeb ? [] : schemes.filter(\.isUnresolved)
        if !isView { opening += actions.filter { $0.mayBe(Self.view) } }
        if !isDefault { opening += categories.filter { $0.mayBe(Self.defaultCategory) } }
        if !isBrowsable { opening += categories.filter { $0.mayBe(Self.browsable) } }
        return opening + mimeTypes.filter(\.isOpen)
    }
    /// Whether it opens links of the web, or may where something else decides.
    package var mayBeForWebLinks: Bool {
        (isOfWeb || schemes.contains(where: \.isUnresolved))
            && actions.contains { $0.mayBe(Self.view) }
    }
    /// Whether links reach its activity, or may where something else decides.
    var mayBeForLinks: Bool {
        isExported && mimeTypes.allSatisfy(\.isOpen)
            && actions.contains { $0.mayBe(Self.view) }
            && [Self.defaultCategory, Self.browsable].allSatisfy { name in
                categories.contains { $0.mayBe(name) }
            }
    }

    static let view = "android.intent.action.VIEW"
    static let browsable = "android.intent.category.BROWSABLE"
    static let defaultCategory = "android.intent.category.DEFAULT"

    /// Whether a scheme is of the web.
    package var isOfWeb: Bool { schemes.contains { isWebScheme($0.text) } }
    /// Whether it opens links of the web.
    package var isForWebLinks: Bool { isOfWeb && isView }
    /// Whether `autoVerify` is true, or may be where a build or a device decides.
    package var mayBeVerified: Bool { isVerified || autoVerify?.isUnresolved == true }
}

extension XMLAttribute {
    /// Whether it has a pattern for a part of a link.
    var isPattern: Bool { isAndroid && AndroidPattern.Kind(attribute: name) != nil }
}

/// Whether Android takes it for a scheme of links.
package func isWebScheme(_ text: String) -> Bool { text == "https" || text == "http" }
