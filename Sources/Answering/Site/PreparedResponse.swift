package import HTTPMessages

/// Bytes of a response's head without its last empty line, as a range of the site's bytes,
/// and where in it the date goes. The empty line follows it there, so that a head whose body comes
/// next is written with it in one piece.
package struct PreparedHead: Sendable {
    package let range: Range<Int>
    package let dateOffset: Int
    package let status: Status

    /// The end of the head, its empty line included.
    var end: Int { range.upperBound + 2 }
    /// Its field lines behind the date's.
    var fields: Range<Int> { range.lowerBound + dateOffset + HTTPDate.count + 2..<range.upperBound }
}

/// One form of a resource, everything about it decided: head and body are sent as they are.
package struct Representation: Sendable {
    package let head: PreparedHead
    package let notModified: PreparedHead
    /// The field lines that a partial answer shares with the whole one; the last of them, which
    /// a part of several has itself, is its Content-Type.
    package let sharedFields: Range<Int>
    package let contentType: Range<Int>
    package let body: Range<Int>
    package let validators: Validators
}

/// Field lines with their ends.
package func fieldLines(_ lines: [String]) -> [UInt8] {
    lines.flatMap { Array($0.utf8) + [0x0D, 0x0A] }
}
