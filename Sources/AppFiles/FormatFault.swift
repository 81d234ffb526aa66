/// The reason why bytes are not what their format requires, in words that finish "the file …", and its
/// place in the text; binary formats have no lines.
package struct FormatFault: Error, Hashable, Sendable {
    package let fact: String
    package let advice: String
    /// Nil for a binary format.
    package let place: TextPlace?
    /// Whether the file is in order, and of a kind that is not read.
    package let isOfOtherKind: Bool

    package init(
        _ fact: String, at place: TextPlace? = nil, advice: String = FormatFault.usualAdvice,
        isOfOtherKind: Bool = false
    ) {
        (self.fact, self.advice, self.place) = (fact, advice, place)
        self.isOfOtherKind = isOfOtherKind
    }

    static let tooManyAttributes = FormatFault(
        "has an element with more than \(AppFileLimits.attributesMax) attributes")

    package static let usualAdvice =
        "build or export it again; if Xcode, aapt2 or a device reads it, report this"
}

/// A line and a column of a text, both counted from 1, columns in Unicode scalars.
package struct TextPlace: Hashable, Sendable {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }
}
