/// An element of a manifest of source that closes a component, or takes it away from a manifest with which Gradle merges
/// it (Android, "Manage manifest files").
struct ClosedElement: Hashable, Sendable {
    /// The last part of the component's name; nil for the application.
    let component: String?

    /// Those of a manifest. Which of them has the last word depends on the order of source sets and on markers, so they are
    /// only told.
    static func all(in root: XMLNode) -> [ClosedElement] {
        var found = [ClosedElement]()
        for application in root.children where application.name == "application" {
            if application.isClosing { found.append(ClosedElement(component: nil)) }
            for node in application.children
            where node.name == "activity" || node.name == "activity-alias" {
                guard node.isClosing || node.children.contains(where: \.isMarked) else { continue }
                found.append(ClosedElement(component: lastPart(node.android("name")?.value ?? "")))
            }
        }
        return found
    }

    /// Whether it is of the component with a filter. One manifest can write the name with its package, another without.
    func isOf(_ filter: IntentFilter) -> Bool {
        component.map { $0.utf8.elementsEqual(Self.lastPart(filter.component).utf8) } ?? true
    }

    private static func lastPart(_ name: String) -> String {
        let start = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name.utf8.index(after: $0) }
        return String(Substring(name.utf8[(start ?? name.utf8.startIndex)...]))
    }
}

extension XMLNode {
    fileprivate var isMarked: Bool {
        attributes.contains { attribute in
            attribute.namespace == "http://schemas.android.com/tools" && attribute.name == "node"
                && ["remove", "removeAll", "replace"].contains(attribute.value)
        }
    }

    fileprivate var isClosing: Bool {
        isMarked || android("exported")?.value == "false" || android("enabled")?.value == "false"
            || android("permission") != nil
    }
}
