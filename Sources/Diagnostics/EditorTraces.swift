// What editors, word processors and version control leave in a file that a person did not write.

/// Advice on the marks of a merge conflict, wherever they stand.
package let conflictAdvice =
    "keep one side of the conflict, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>"

/// Whether a line is a mark of a merge conflict, as Git and other programs write it: seven equal
/// characters, and perhaps a space and a name.
package func isConflictMark(_ line: ArraySlice<UInt8>) -> Bool {
    guard let first = line.first, "<=>|".utf8.contains(first),
        line.prefix(8).count(where: { $0 == first }) == 7
    else { return false }
    let rest = line.dropFirst(7).first
    return line.prefix(7).allSatisfy { $0 == first }
        && (rest == nil || rest == 0x20 || rest == 0x0D)
}

/// The text without the typographic quotes around it; nil if it does not begin with one.
package func withoutTypographicQuotes(_ text: String) -> String? {
    guard let first = text.unicodeScalars.first, isTypographicQuote(first) else { return nil }
    var scalars = Array(text.unicodeScalars.dropFirst())
    if let last = scalars.last, isTypographicQuote(last) { scalars.removeLast() }
    return scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
}

/// Quotes that word processors and messengers write instead of straight ones.
package func isTypographicQuote(_ scalar: Unicode.Scalar) -> Bool {
    ["“", "”", "„", "‘", "’", "‚", "«", "»", "‹", "›"].contains(scalar)
}
