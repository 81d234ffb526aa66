import Synchronization

/// The room for explanations of refused lines in an answer, so that it is not longer than the content
/// by far. The others are counted.
final class ExplanationBudget: Sendable {
    private let left: Mutex<(lines: Int, bytes: Int)>

    init(lines: Int) { left = Mutex((lines, Self.bytesMax)) }

    /// Takes room for an explanation of this size; false if there is none.
    func take(bytes: Int) -> Bool {
        left.withLock { left in
            guard left.lines > 0, left.bytes > 0 else { return false }
            left = (left.lines - 1, left.bytes - bytes)
            return true
        }
    }

    static let linesMax = 10_000
    private static let bytesMax = 4 * 1_048_576
}
