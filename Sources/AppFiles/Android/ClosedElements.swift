private import Diagnostics

/// The elements of a manifest of source that close a component, or take it away from a manifest with which Gradle merges
/// it (Android, "Manage manifest files"). Which manifest has the last word depends on the order of source sets and on
/// markers, so they are only told.
struct ClosedElements: Hashable, Sendable {
    /// Whether the application is closed, or all of its components are taken away.
    private var hasApplication = false
    private var components = ComponentNames()
    /// Whether the application is switched off or needs a permission, or may be where something else says it.
    private(set) var closesApplication = false
    /// Those that are taken away, without which their aliases open nothing.
    private var removed = ComponentNames()

    var isEmpty: Bool { !hasApplication && components.isEmpty }

    init() {}

    /// - Parameter root: a manifest, its markers still there.
    init(of root: XMLNode) {
        let package = root.plain("package")?.value
        for application in root.children where application.name == "application" {
            if application.isClosing { hasApplication = true }
            if application.isClosedItself { closesApplication = true }
            for node in application.children where node.isActivity {
                guard node.isClosing || node.children.contains(where: \.hasMark) else { continue }
                if let name = node.android("name")?.value {
                    let component = ComponentName(name, in: package)
                    components.insert(component)
                    if node.isRemoved { removed.insert(component) }
                } else {
                    // `removeAll` takes away all activities, and has no name.
                    hasApplication = true
                }
            }
        }
    }

    /// The name of the first component of filters that is among them, or of the application; nil if none is.
    /// - Parameter package: the one that names without their own are in; nil if it is not known.
    func first(of filters: [IntentFilter], in package: String?) -> String? {
        guard !isEmpty else { return nil }
        for filter in filters where filter.isForWebLinks {
            if hasApplication { return "the application" }
            if components.contain(ComponentName(filter.component, in: package)) {
                return "the activity \(quoted(filter.component))"
            }
            if let target = filter.target, removed.contain(ComponentName(target, in: package)) {
                return "the activity \(quoted(target)) of the alias \(quoted(filter.component))"
            }
        }
        return nil
    }
}

extension XMLNode {
    fileprivate var isMarked: Bool {
        attributes.contains { attribute in
            attribute.isOfTools
                && (attribute.name == "remove"
                    || attribute.name == "node"
                        && ["remove", "removeAll", "replace"].contains(attribute.value))
        }
    }

    /// Whether it or an element in it is marked. The readers have bounded the depth.
    fileprivate var hasMark: Bool { isMarked || children.contains(where: \.hasMark) }

    /// Whether it is switched off or needs a permission, or may be where a build or a resource says it.
    fileprivate var isClosedItself: Bool { !isOpen("enabled") || android("permission") != nil }

    /// Whether it is closed, or may be where a build or a resource says it.
    fileprivate var isClosing: Bool {
        isMarked || !isOpen("exported") || isClosedItself
    }

    private func isOpen(_ name: String) -> Bool {
        android(name).map { isTrueFlag($0.value) } ?? true
    }
}
