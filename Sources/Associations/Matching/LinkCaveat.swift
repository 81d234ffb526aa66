private import Diagnostics

/// A point on which the sources about Apple's systems disagree or are silent, and on which a
/// verdict rests.
package enum LinkCaveat: Hashable, Sendable, CustomStringConvertible {
    /// A pattern holds a backslash.
    case backslash
    /// The query has an item whose name differs from the rule's in the case of letters only.
    case queryNameCase(String)
    /// A path pattern ends in `?`, and the path ends where it stands.
    case finalQuestionMark
    /// The path, or the pattern for it, has a segment `.` or `..`.
    case dotSegment
    /// The URL holds characters that should have been percent-encoded.
    case unencodedCharacter
    /// The rule decodes a part of which some escapes are not UTF-8.
    case undecodableEscape
    /// A star ends with the text, and what follows it in the pattern stands for nothing.
    case nothingAfterStar
    /// A variable stands for a code that only some systems' lists have.
    case codeList(String)
    /// Depending on the variables' values, the pattern nests deeper than systems follow.
    case nesting
    /// The file defines the variable more than once.
    case repeatedVariable(String)
    /// `defaults` change an element of `paths`, which iOS 12 reads without them.
    case legacyDefaults
    /// Rules of more than one app match.
    case severalApps

    package var description: String {
        switch self {
        case .backslash: "sources disagree on what a backslash in a pattern means"
        case .queryNameCase(let name):
            "sources disagree on whether caseSensitive applies to the name \(quoted(name))"
        case .finalQuestionMark:
            "it is not known whether a ? at the end of a path matches the slash that is added "
                + "there"
        case .dotSegment: "it is not known whether segments . and .. are resolved first"
        case .unencodedCharacter:
            "some systems percent-encode characters that a URL cannot contain, others refuse the "
                + "URL"
        case .undecodableEscape: "it is not known how escapes that are not UTF-8 are decoded"
        case .nothingAfterStar:
            "reports disagree with Apple's documentation on whether text after a star can be empty "
                + "at the end"
        case .codeList(let name): "not every version's list of codes for $(\(name)) has this code"
        case .nesting:
            "with some values, the pattern has more stars and variables than systems "
                + "follow"
        case .repeatedVariable(let name):
            "parsers disagree on which definition of the variable \(quoted(name)) counts"
        case .legacyDefaults: "iOS 12 does not apply defaults to paths"
        case .severalApps:
            "rules of several apps match, and which one opens when all are installed is not "
                + "documented"
        }
    }
}
