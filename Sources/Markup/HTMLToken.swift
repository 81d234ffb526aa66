/// A piece of an HTML document as browsers divide it (WHATWG HTML, "Tokenization").
package struct HTMLToken: Hashable, Sendable {
    /// The kind of a piece.
    package enum Kind: Hashable, Sendable {
        case startTag(HTMLTag)
        /// The name, in lower case.
        case endTag(String)
        /// Text in which character references are resolved, except in `script` and `style`.
        case text(String)
        case comment(String)
        /// The name, in lower case; empty where there is none.
        case doctype(String)
    }

    package var kind: Kind
    /// The range of the piece in the document, in bytes.
    package var range: Range<Int>
}

/// A start tag.
package struct HTMLTag: Hashable, Sendable {
    /// In lower case.
    package var name: String
    /// In the order of the document. If a name is repeated, only the first attribute is kept.
    package var attributes: [HTMLAttribute]
    /// Whether it ends in `/>`, which HTML's own elements ignore.
    package var isSelfClosing = false

    package init(name: String, attributes: [HTMLAttribute]) {
        self.name = name
        self.attributes = attributes
    }

    /// The attribute's value, empty if it has none; nil if there is no such attribute.
    package subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

    /// The attribute's words, separated by white space, in lower case: `rel`, `class`, `sizes`.
    package func words(_ name: String) -> [String] {
        (self[name] ?? "").utf8.split(whereSeparator: \.isHTMLSpace)
            .map { String(decoding: $0, as: UTF8.self).lowercased() }
    }
}

/// An attribute of a start tag, with its name in lower case, and its value without character
/// references.
package struct HTMLAttribute: Hashable, Sendable {
    package var name: String
    package var value: String
    /// The range of the value in the document, in bytes, without its quotes; nil if the tag has
    /// none.
    package var valueRange: Range<Int>?

    package init(name: String, value: String, valueRange: Range<Int>? = nil) {
        self.name = name
        self.value = value
        self.valueRange = valueRange
    }
}
