/// A position in a text as libYAML counts it, from 1: a line ends with CR, LF, both, NEL, LS or PS,
/// and a column is a Unicode scalar.
package struct YAMLMark: Equatable, Sendable {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// An event of a stream: the beginning, content or end of a node (YAML 1.1 §3.1, serialization).
/// Aliases are not resolved.
package struct YAMLEvent: Equatable, Sendable {
    package let kind: Kind
    package let mark: YAMLMark

    package init(_ kind: Kind, at mark: YAMLMark) {
        self.kind = kind
        self.mark = mark
    }

    /// Its kind. Quotes and block styles are not kept; a scalar is plain if it had none.
    package enum Kind: Equatable, Sendable {
        case documentStart
        case documentEnd
        case scalar(String, isPlain: Bool, Properties)
        case sequenceStart(Properties)
        case sequenceEnd
        case mappingStart(Properties)
        case mappingEnd
        case alias
    }

    /// The properties of a node: `&anchor` and `!tag`, with resolved tag handles.
    package struct Properties: Equatable, Sendable {
        package let hasAnchor: Bool
        package let tag: String?

        package init(hasAnchor: Bool = false, tag: String? = nil) {
            self.hasAnchor = hasAnchor
            self.tag = tag
        }
    }
}

/// The reason why a text could not be read to its end.
package struct YAMLError: Error, Equatable, Sendable {
    package let reason: Reason
    package let mark: YAMLMark

    package init(_ reason: Reason, at mark: YAMLMark) {
        self.reason = reason
        self.mark = mark
    }

    /// The fault at the mark.
    package enum Reason: Equatable, Sendable {
        /// It is not YAML; libYAML's message, with what was being read and where that began.
        case syntax(String, Context?)
        /// Mappings and lists are nested too deep.
        case nesting
        case outOfMemory
    }

    /// The syntax that was being read, in libYAML's words, and the position at which it began.
    package struct Context: Equatable, Sendable {
        package let text: String
        package let mark: YAMLMark

        package init(_ text: String, at mark: YAMLMark) {
            self.text = text
            self.mark = mark
        }
    }
}
