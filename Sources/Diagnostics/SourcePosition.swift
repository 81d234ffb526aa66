/// A position in a text: the file as the user named it, and line and column counted from 1, columns
/// in Unicode scalars.
public struct SourcePosition: Hashable, Sendable, CustomStringConvertible {
    public let file: String
    // Half the room: a configuration of 100,000 links has a million positions.
    private let shortLine: UInt32
    private let shortColumn: UInt32

    public var line: Int { Int(shortLine) }
    public var column: Int { Int(shortColumn) }

    /// - Parameters:
    ///   - line: at least 0, as the column; both less than 2³².
    public init(file: String, line: Int, column: Int) {
        self.file = file
        shortLine = UInt32(clamping: line)
        shortColumn = UInt32(clamping: column)
    }

    public var description: String { "\(file):\(line):\(column)" }
}

extension SourcePosition: Comparable {
    public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}
