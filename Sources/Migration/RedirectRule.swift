package import Diagnostics
private import URISyntax

/// One redirect or answer of another server's configuration, in the terms of a configuration's link.
struct RedirectRule {
    let source: SourceLine
    /// The hosts that it is for; empty for all that the file does not name elsewhere.
    var hosts = [String]()
    /// Patterns for the path. All have the same stars.
    var match: [String]
    /// Patterns for items of the query.
    var query = [(name: String, pattern: String)]()
    /// Paths that the other server does not take, although the patterns match them.
    var exclude = [ExcludedPaths]()
    var isCaseSensitive = true
    var answer: Answer
    /// The status of a redirect there.
    var status = 302
    /// Rough equals of what the other server does.
    var notes = [String]()
    /// Differences from what the other server does, for which nothing is an equal.
    var differences = [String]()
    /// Whether its server never gets to a later rule for the same paths. A table has no server.
    var hidesLater = true
    /// Whether the destination is on the host that the request names, of several.
    var keepsHost = false

    enum Answer: Equatable {
        /// A URL with placeholders.
        case url(String)
        /// A path and query with placeholders, on the site's own host.
        case own(String)
        /// A public file, by its URL path.
        case page(String)
        case notFound
        case gone
    }
}

/// Paths that a rule leaves out.
struct ExcludedPaths: Hashable {
    let pattern: String
    /// Nil if they are compared as the rule's own are.
    var isCaseSensitive: Bool?
}

/// A line of a file that was read, for comments.
struct SourceLine: Hashable {
    let file: String
    let line: Int
    /// The line, or the part of it that counts.
    let text: String

    static let none = SourceLine(file: "", line: 0, text: "")
}

/// Something that has no equal in a configuration, or needs none.
struct Untranslated: Hashable {
    let source: SourceLine
    let reason: String
}

/// A place at which a file has no form that its server accepts.
package struct RedirectFault: Error, Hashable, CustomStringConvertible {
    package let position: SourcePosition
    let fact: String
    let advice: String

    /// The fault, and below it what to do.
    package var lines: [String] {
        [onOneLine("\(position): error: \(fact)"), "    " + onOneLine(advice)]
    }

    package var description: String { lines.joined(separator: "\n") }
}

/// The answer to all paths of hosts that no rule is for: a public file or a URL, and its status.
struct UnmatchedPage {
    var hosts: [String]
    let answer: RedirectRule.Answer
    let status: Int
    let source: SourceLine
    /// Whether the destination is on the host that the request names, of several.
    var keepsHost = false
}

/// The reason that is given for a destination that a template cannot express.
let unusableDestination = "the destination uses something that a URL cannot have here"
/// The reason that is given for a destination with a group of which no pattern has the text.
let groupWithoutStar =
    "the destination uses a group of the expression that is not the text of one star, such as one of "
    + "a fixed length"
/// The reason that is given for a redirect from http to https.
let upgradeReason = "plain HTTP is redirected to https anyway"

/// A text in a URL of a configuration: braces begin placeholders there.
func literalURL(_ text: some Sequence<UInt8>) -> String {
    var result = [UInt8]()
    for byte in text {
        let isPlain = byte > 0x20 && byte < 0x7F && !"{}\"<>\\^`|".utf8.contains(byte)
        if isPlain { result.append(byte) } else { result.append(percentEncoded: byte) }
    }
    return String(decoding: result, as: UTF8.self)
}

/// The URL with the whole query of the request, as most servers pass it on, unless it has its own.
func passingQuery(_ url: String) -> String {
    let hasOwn = hasQuery(url)
    return hasOwn ? url : addingQuery(to: url)
}

/// The URL with the whole query of the request behind its own.
func addingQuery(to url: String) -> String {
    let mark = hasQuery(url) ? "&" : "?"
    let parts = url.utf8.split(separator: UInt8(ascii: "#"), maxSplits: 1)
    let whole = parts.map { String(decoding: $0, as: UTF8.self) }
    return (whole.first ?? "") + "\(mark){query}" + (whole.count > 1 ? "#\(whole[1])" : "")
}

/// Whether a URL has a query. A question mark in a fragment begins none.
private func hasQuery(_ url: String) -> Bool {
    url.utf8.prefix { $0 != UInt8(ascii: "#") }.contains(UInt8(ascii: "?"))
}

/// Whether a page for all paths is the same for each of them.
func isPlainPage(_ page: String) -> Bool { !page.utf8.contains(where: ":*$(){}?".utf8.contains) }

/// The redirect or the page for a destination as servers write it; nil for another one.
/// - Parameter status: whether it is a redirect or an answer with a page.
func answer(to destination: String, status: Int) -> RedirectRule.Answer? {
    if isURL(destination) { return (300...399).contains(status) ? .url(destination) : nil }
    guard destination.utf8.first == UInt8(ascii: "/"), !destination.utf8.starts(with: "//".utf8)
    else { return nil }
    return (300...399).contains(status) ? .own(destination) : .page(destination)
}

/// The destination without its scheme and host, if these are the request's own.
/// - Parameters:
///   - schemes: the forms that begin such a destination, each with `://`.
///   - hosts: the variables for the host.
///   - paths: the variables for the path.
func keepingHost(
    _ target: String, schemes: [String], hosts: [String], paths: [String]
) -> (target: String, keepsHost: Bool) {
    for scheme in schemes {
        for host in hosts where target.utf8.starts(with: (scheme + host).utf8) {
            let rest = String(target.dropFirst(scheme.utf8.count + host.utf8.count))
            if rest.isEmpty || rest.utf8.first == UInt8(ascii: "?") { return ("/" + rest, true) }
            if (["/"] + paths).contains(where: { rest.utf8.starts(with: $0.utf8) }) {
                return (rest, true)
            }
        }
    }
    return (target, false)
}

/// Whether a text begins as an absolute URL.
func isURL(_ text: String) -> Bool {
    let start = String(decoding: text.utf8.prefix(8), as: UTF8.self).lowercased().utf8
    return start.starts(with: "http://".utf8) || start.starts(with: "https://".utf8)
}
