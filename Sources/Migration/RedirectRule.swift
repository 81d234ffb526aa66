private import URISyntax

/// One redirect or answer of another server's configuration, in the terms of a configuration's link.
struct RedirectRule {
    let source: SourceLine
    /// Patterns for the path. All have the same stars.
    var match: [String]
    /// Patterns for items of the query.
    var query = [(name: String, pattern: String)]()
    /// Paths that the other server does not take, although the patterns match them.
    var exclude = [String]()
    var isCaseSensitive = true
    var answer: Answer
    /// The status of a redirect there.
    var status = 302
    /// What is not exactly the same.
    var notes = [String]()

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

/// A line of a file that was read, for comments.
struct SourceLine: Hashable {
    let file: String
    let line: Int
    /// The line, or the part of it that counts.
    let text: String
}

/// Something that has no equal in a configuration.
struct Untranslated: Hashable {
    let source: SourceLine
    let reason: String
}

/// What one file of another server says.
struct RedirectFile {
    var rules = [RedirectRule]()
    var untranslated = [Untranslated]()
    /// The hosts that it names.
    var hosts = [String]()
    /// The answer to every other path: a public file, and its status.
    var unmatched: (page: String, status: Int)?
    var unmatchedSource: SourceLine?

    mutating func skip(_ source: SourceLine, _ reason: String) {
        untranslated.append(Untranslated(source: source, reason: reason))
    }
}

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
    let hasOwn = url.utf8.contains(UInt8(ascii: "?"))
    guard !hasOwn else { return url }
    let parts = url.utf8.split(separator: UInt8(ascii: "#"), maxSplits: 1)
    let whole = parts.map { String(decoding: $0, as: UTF8.self) }
    return (whole.first ?? "") + "?{query}" + (whole.count > 1 ? "#\(whole[1])" : "")
}

/// The redirect or the page for a destination as servers write it; nil for another one.
/// - Parameter status: whether it is a redirect or an answer with a page.
func answer(to destination: String, status: Int) -> RedirectRule.Answer? {
    let lower = destination.lowercased()
    if lower.utf8.starts(with: "http://".utf8) || lower.utf8.starts(with: "https://".utf8) {
        return (300...399).contains(status) ? .url(destination) : nil
    }
    guard destination.utf8.first == UInt8(ascii: "/"), !destination.utf8.starts(with: "//".utf8)
    else { return nil }
    return (300...399).contains(status) ? .own(destination) : .page(destination)
}

/// Excludes the paths in which a star of `pattern` that stands for one segment has a slash.
/// - Parameter stars: the numbers of these stars, from 0.
func longerPaths(_ pattern: String, segments stars: [Int]) -> [String] {
    let pieces = pattern.utf8.split(
        separator: UInt8(ascii: "*"), omittingEmptySubsequences: false
    ).map { String(decoding: $0, as: UTF8.self) }
    return stars.filter { $0 + 1 < pieces.count }.map { star in
        let before = pieces[...star].joined(separator: "*")
        let after = pieces[(star + 1)...].joined(separator: "*")
        // A slash at the end belongs to no segment.
        return before + (after.isEmpty ? "*/?*" : "*/*" + after)
    }
}
