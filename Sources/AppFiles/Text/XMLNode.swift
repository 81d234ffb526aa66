/// An element of an XML document (XML 1.0), with what apps' files have: no entities but the five
/// predefined ones.
package struct XMLNode: Sendable {
    /// As it is written, with its prefix.
    package let name: String
    package let place: TextPlace
    package var attributes = [XMLAttribute]()
    package var children = [XMLNode]()
    /// The text directly in it, without that of its children.
    package var text = ""

    package init(name: String, place: TextPlace) { (self.name, self.place) = (name, place) }

    /// The attribute with this name in Android's namespace.
    func android(_ name: String) -> XMLAttribute? {
        attributes.first { $0.isAndroid && $0.name.utf8.elementsEqual(name.utf8) }
    }

    /// The attribute with this name in no namespace.
    func plain(_ name: String) -> XMLAttribute? {
        attributes.first { $0.namespace.isEmpty && $0.name.utf8.elementsEqual(name.utf8) }
    }

    /// Whether it is an activity of Android, or an alias of one.
    var isActivity: Bool { name == "activity" || isAlias }
    var isAlias: Bool { name == "activity-alias" }

    /// The number of this and of all elements in it. The readers have bounded the depth.
    var count: Int { children.reduce(1) { $0 + $1.count } }

    /// Whether an attribute of this or of an element in it is of a kind.
    func hasAttribute(where isOfKind: (XMLAttribute, XMLNode) -> Bool) -> Bool {
        attributes.contains { isOfKind($0, self) }
            || children.contains { $0.hasAttribute(where: isOfKind) }
    }

    /// Leaves out the elements and attributes that a merge of Android's manifests removes. The readers have bounded the depth.
    mutating func leaveOutRemoved() {
        children.removeAll(where: \.isRemoved)
        let marks = attributes.filter {
            $0.isOfTools && $0.name == "remove"
        }
        let removed = Set(marks.flatMap { Array($0.value.utf8).split { ":, ".utf8.contains($0) } })
        attributes.removeAll { $0.isAndroid && removed.contains(Array($0.name.utf8)[...]) }
        for index in children.indices { children[index].leaveOutRemoved() }
    }

    /// Whether a merge of Android's manifests takes it away.
    var isRemoved: Bool {
        attributes.contains { attribute in
            attribute.isOfTools && attribute.name == "node"
                && (attribute.value == "remove" || attribute.value == "removeAll")
        }
    }

    /// Puts values in the place of references, in all elements. The readers have bounded the depth.
    /// - Parameter value: the value of an attribute of an element, and the place that has it; nil if it stays.
    mutating func replaceReferences(_ value: (XMLAttribute, XMLNode) -> FilledValue?) {
        for index in attributes.indices {
            guard let found = value(attributes[index], self) else { continue }
            (attributes[index].value, attributes[index].origin) = (found.text, found.origin)
            attributes[index].dependsOnDevice = found.dependsOnDevice
            attributes[index].isReference = false
        }
        for index in children.indices { children[index].replaceReferences(value) }
    }
}

/// An attribute of an element, its namespace resolved.
package struct XMLAttribute: Sendable {
    /// The address of the namespace; empty for none.
    package var namespace: String
    /// Without its prefix.
    package var name: String
    package var value: String
    /// The place that the value is from, for people; nil if it is the attribute's own.
    var origin: String?
    /// Whether devices have different resources for it, such as those of languages.
    var dependsOnDevice = false
    /// Whether a binary document refers to something in its place.
    package var isReference = false
    /// The number of the resource that it refers to; nil for a value of a theme.
    var resource: Int?
    package let place: TextPlace

    /// Only the same bytes are equal to a text of these letters of ASCII.
    var isAndroid: Bool { namespace == androidNamespace }
    /// Whether it is for Android's tools alone, such as the merger of manifests.
    var isOfTools: Bool { namespace == "http://schemas.android.com/tools" }
}

/// A text from another file, with the place that has it, for people.
struct FilledValue {
    let text: String
    var origin: String?
    /// Whether devices have different ones, such as those of languages.
    var dependsOnDevice = false
}

let androidNamespace = "http://schemas.android.com/apk/res/android"
