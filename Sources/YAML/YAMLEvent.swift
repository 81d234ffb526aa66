/// A place in a text as libYAML counts it, from 1: a line ends with CR, LF, both, NEL, LS or PS,
/// and a column is a Unicode scalar.
package struct YAMLMark: Equatable, Sendable {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// What begins, stands or ends at one place of a stream (YAML 1.1 §3.1, serialization). Aliases are
/// not followed.
package struct YAMLEvent: Equatable, Sendable {
    package let kind: Kind
    package let mark: YAMLMark

    package init(_ kind: Kind, at mark: YAMLMark) {
        self.kind = kind
        self.mark = mark
    }

    /// What it is. Quotes and block forms are no longer to be seen; a scalar is plain without them.
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

    /// What may stand before a node: `&anchor` and `!tag`, the tag as it is when handles are
    /// resolved.
    package struct Properties: Equatable, Sendable {
        package let hasAnchor: Bool
        package let tag: String?

        package init(hasAnchor: Bool = false, tag: String? = nil) {
            self.hasAnchor = hasAnchor
            self.tag = tag
        }
    }
}

/// Why a text was not read to its end.
package struct YAMLError: Error, Equatable, Sendable {
    package let reason: Reason
    package let mark: YAMLMark

    package init(_ reason: Reason, at mark: YAMLMark) {
        self.reason = reason
        self.mark = mark
    }

    /// What is wrong at the mark.
    package enum Reason: Equatable, Sendable {
        /// It is no YAML, in libYAML's words, with what was being read and where that began.
        case syntax(String, Context?)
        /// More mappings and lists are in one another than the reader was to take.
        case nesting
        case outOfMemory
    }

    /// What was being read, and where it began.
    package struct Context: Equatable, Sendable {
        package let text: String
        package let mark: YAMLMark

        package init(_ text: String, at mark: YAMLMark) {
            self.text = text
            self.mark = mark
        }
    }
}
