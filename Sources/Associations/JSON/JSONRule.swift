/// The stable names of what can be wrong with a text that should be JSON.
package enum JSONRule: String, CaseIterable, Sendable {
    case fileSize = "file-size"
    case empty = "json-empty"
    case markup = "json-markup"
    case notUTF8 = "not-utf8"
    case byteOrderMark = "json-byte-order-mark"
    case syntax = "json-syntax"
    case numberRange = "json-number-range"
    case trailingComma = "json-trailing-comma"
    case comment = "json-comment"
    case twoColons = "json-two-colons"
    case notOutsideQuotes = "json-not-outside-quotes"
    case typographicQuotes = "json-typographic"
    case nesting = "json-nesting"
    case duplicateKey = "json-duplicate-key"
}
