/// The elements of Cordova's `config.xml` that change `AndroidManifest.xml` (Cordova, "Plugin specification"): `config-file`
/// adds elements where its `parent` is, and `edit-config` changes the attributes of its `target`.
enum CordovaManifest {
    /// The elements of which it is not known whether links open the app with them.
    static func open(in widget: XMLNode) -> [UnreadSource] {
        let activity = widget.plain("android-activityName")?.value ?? "MainActivity"
        return CordovaConfiguration.nodes(of: widget, "android").compactMap { node in
            let isEdit = node.name == "edit-config"
            guard isEdit || node.name == "config-file",
                let file = node.plain(isEdit ? "file" : "target")?.value,
                file.utf8.suffix(19).elementsEqual("AndroidManifest.xml".utf8)
            else { return nil }
            let place = XPath(node.plain(isEdit ? "target" : "parent")?.value ?? "")
            let fact =
                isEdit ? fact(ofEdit: node, at: place) : fact(ofAdded: node, at: place, activity)
            return fact.map {
                UnreadSource("config.xml:\(node.place.line)", $0, isRead: true)
            }
        }
    }

    /// Whether a plugin changes what decides about links, or adds filters for links of the web.
    static func changesLinks(_ plugin: XMLNode) -> Bool {
        schemes(of: plugin).contains(where: isWebScheme) || !open(in: plugin).isEmpty
    }

    /// The schemes that a plugin has for Android, with the variables that they are.
    static func schemes(of plugin: XMLNode) -> [String] {
        var (found, left) = ([String](), CordovaConfiguration.nodes(of: plugin, "android"))
        while let node = left.popLast() {
            // What an app asks about others is no filter.
            guard node.name != "queries", node.name != "intent" else { continue }
            found += node.attributes.filter { $0.isAndroid && $0.name == "scheme" }.map(\.value)
            left += node.children
        }
        return found
    }

    /// An `edit-config` that merges takes only attributes. One that overwrites removes others.
    private static func fact(ofEdit node: XMLNode, at place: XPath) -> String? {
        let mode = node.plain("mode")?.value ?? "merge"
        let isOfActivity = place.step.starts(with: "activity".utf8) || place.isWithinActivity
        let decides = node.children.contains { child in
            child.hasAttribute { attribute, _ in
                deciding.contains(attribute.name) || attribute.isPattern
            }
                || child.name == "intent-filter"
                || child.children.contains { $0.name == "intent-filter" }
        }
        guard decides || isOfActivity && mode != "merge" else { return nil }
        return "edit-config changes what decides whether links open the app"
    }

    /// - Parameter activity: the name of the one that Cordova makes.
    private static func fact(ofAdded node: XMLNode, at place: XPath, _ activity: String) -> String?
    {
        if node.children.contains(where: { $0.name == "intent-filter" }) {
            let isActivity = ["activity", "activity-alias"].contains {
                place.step.elementsEqual($0.utf8)
            }
            guard isActivity else {
                return "the parent of an intent-filter of config-file is no activity"
            }
            if let name = place.name, !name.elementsEqual(activity.utf8) {
                return "config-file adds an intent-filter to the activity "
                    + "\(String(decoding: Array(name), as: UTF8.self)), and Cordova makes \(activity)"
            }
        }
        guard node.children.contains(where: \.isActivity),
            !place.step.elementsEqual("application".utf8)
        else { return nil }
        return "the parent of an activity of config-file is no application"
    }

    private static let deciding: Set = [
        "exported", "enabled", "permission", "autoVerify", "scheme", "host", "port", "mimeType",
    ]
}

/// A path to an element, such as `/manifest/application/activity[@android:name='MainActivity']`, as far as its last step.
private struct XPath {
    /// The name of the element.
    private(set) var step = [UInt8]()
    /// The name that the element has to have; nil if it can have any.
    private(set) var name: [UInt8]?
    /// Whether the element is in an activity.
    private(set) var isWithinActivity = false

    init(_ text: String) {
        var (depth, condition) = (0, [UInt8]())
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "/") where depth == 0:
                if step.starts(with: "activity".utf8) { isWithinActivity = true }
                (step, condition) = ([], [])
            default:
                if depth == 0 { step.append(byte) } else { condition.append(byte) }
            }
        }
        let mark = Array("@android:name".utf8)
        guard let start = condition.indices.first(where: { condition[$0...].starts(with: mark) })
        else { return }
        let parts = condition[start...].split(
            maxSplits: 2, omittingEmptySubsequences: false
        ) { $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "\"") }
        // Another condition than equality takes more than one name.
        name = parts.count > 1 ? Array(parts[1]) : []
    }
}
