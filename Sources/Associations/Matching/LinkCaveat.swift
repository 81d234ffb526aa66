private import Diagnostics

/// A point on which the sources about Apple's systems disagree or say nothing, and which changes a
/// verdict.
package enum LinkCaveat: Hashable, Sendable, CustomStringConvertible {
    /// A pattern contains a backslash.
    case backslash
    /// The query has an item whose name differs from the rule's only in letter case.
    case queryNameCase(String)
    /// A path pattern ends in `?`, and the path ends at the same position.
    case finalQuestionMark
    /// The path or its pattern has a segment `.` or `..`.
    case dotSegment
    /// The URL holds characters that should have been percent-encoded.
    case unencodedCharacter
    /// The rule decodes a part of which some escapes are not UTF-8.
    case undecodableEscape
    /// The rule disregards letter case, and a letter's case folding is not its lower case.
    case letterFolding
    /// A star ends with the text, and the pattern after it matches nothing.
    case nothingAfterStar
    /// A variable stands for a code that is missing from the lists of some systems.
    case codeList(String)
    /// With some values of the variables, the pattern has more stars and variables than systems
    /// follow.
    case nesting
    /// The file defines the variable more than once.
    case repeatedVariable(String)
    /// `defaults` change an element of `paths`; iOS 12 does not apply them.
    case legacyDefaults
    /// Rules of more than one app match.
    case severalApps

    package var description: String {
        switch self {
        case .backslash: "sources disagree on what a backslash in a pattern means"
        case .queryNameCase(let name):
            "sources disagree on whether caseSensitive applies to the name \(quoted(name))"
        case .finalQuestionMark:
            "it is not known whether a ? at the end of a path matches the slash that is added there"
        case .dotSegment: "it is not known whether segments . and .. are resolved first"
        case .unencodedCharacter:
            "some systems percent-encode characters that a URL cannot contain, others refuse the "
                + "URL"
        case .undecodableEscape:
            "it is not known how escapes that are malformed, or not UTF-8, are decoded"
        case .letterFolding:
            "it is not known whether letters such as ς and σ are equal without regard to letter case"
        case .nothingAfterStar:
            "reports disagree with Apple's documentation on whether text after a star can be empty "
                + "at the end"
        case .codeList(let name): "not every version's list of codes for $(\(name)) has this code"
        case .nesting:
            "with some values, the pattern has more stars and variables than systems follow"
        case .repeatedVariable(let name):
            "parsers disagree on which definition of the variable \(quoted(name)) counts"
        case .legacyDefaults: "iOS 12 does not apply defaults to paths"
        case .severalApps:
            "rules of several apps match, and which one opens when all are installed is not "
                + "documented"
        }
    }
}
