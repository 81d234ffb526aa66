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
}

/// An attribute of an element, its namespace resolved.
package struct XMLAttribute: Sendable {
    /// The address of the namespace; empty for none.
    package let namespace: String
    /// Without its prefix.
    package let name: String
    package let value: String
    /// Whether a binary document refers to a resource in its place.
    package var isReference = false
    package let place: TextPlace

    var isAndroid: Bool { namespace.utf8.elementsEqual(androidNamespace.utf8) }
}

let androidNamespace = "http://schemas.android.com/apk/res/android"
