import Diagnostics
import Files
import Sockets
import Synchronization

/// One line on a terminal about what a command does and how far it is, if it takes longer than two
/// seconds. The line is erased for messages and at the end. Where standard error is no terminal,
/// nothing is written.
final class Progress: Sendable {
    private let state: Mutex<State>
    private let pause: Wakeup?

    /// - Parameters:
    ///   - action: what the command does, such as `exporting`.
    ///   - counted: what is counted, in the plural; nil if nothing is.
    ///   - total: how many there are; nil if that is not known.
    private init(_ action: String, counting counted: String?, of total: Int?) {
        state = Mutex(State(action: action, counted: counted, total: total))
        pause = isStandardErrorTerminal ? try? Wakeup() : nil
    }

    /// Does something that can take long.
    static func showing<Value, Failure: Error>(
        _ action: String, counting counted: String? = nil, of total: Int? = nil,
        _ body: (Progress) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let progress = Progress(action, counting: counted, of: total)
        progress.begin()
        defer { progress.end() }
        return try body(progress)
    }

    /// Counts more of it.
    func advance(by count: Int = 1) { state.withLock { $0.done += count } }

    /// Says what else is done now, of which other things are counted.
    func goOn(_ action: String, counting counted: String? = nil, of total: Int? = nil) {
        state.withLock { $0.goOn(action, counted, total) }
    }

    /// Erases the line that is shown, because a message follows; it comes again.
    static func makeRoom() { current.withLock { $0?.state.withLock { $0.erase() } } }

    /// Erases the line for good, because output follows on the same terminal.
    static func makeRoomForOutput() {
        guard isStandardOutputTerminal else { return }
        current.withLock { $0?.end() }
    }

    private static let current = Mutex<Progress?>(nil)
    private static let patienceMilliseconds = 2_000
    private static let pauseMilliseconds = 300

    private func begin() {
        guard let pause else { return }
        Self.current.withLock { $0 = self }
        // Without another thread, nothing is shown.
        try? startThread(name: "progress") { [self] in
            pause.wait(atMost: Self.patienceMilliseconds)
            while state.withLock({ $0.draw() }) { pause.wait(atMost: Self.pauseMilliseconds) }
        }
    }

    private func end() {
        state.withLock { $0.end() }
        pause?.wake()
    }

    private struct State {
        var action: String
        var counted: String?
        var total: Int?
        var done = 0
        private let start = Clock.monotonicMilliseconds
        /// The columns of the line that is shown.
        private var columns = 0
        private var isEnded = false

        init(action: String, counted: String?, total: Int?) {
            (self.action, self.counted, self.total) = (action, counted, total)
        }

        mutating func goOn(_ action: String, _ counted: String?, _ total: Int?) {
            (self.action, self.counted, self.total, done) = (action, counted, total, 0)
        }

        private var line: String {
            var parts = [onOneLine(action)]
            if let counted {
                parts.append("\(done)" + (total.map { " of \($0)" } ?? "") + " \(counted)")
                if let total, total > 0 { parts.append("\(min(done, total) * 100 / total)%") }
            }
            parts.append("\((Clock.monotonicMilliseconds - start) / 1_000) s")
            return "waymark: " + parts.joined(separator: ", ")
        }

        /// - Returns: whether there will be something to draw again.
        mutating func draw() -> Bool {
            guard !isEnded else { return false }
            // In the last column, some terminals begin another line.
            let text = cut(line, to: max(1, (standardErrorColumns ?? 80) - 1))
            let width = terminalColumns(text)
            let rest = String(repeating: " ", count: max(0, columns - width))
            writeToStandardError("\r\(text)\(rest)")
            columns = max(columns, width)
            return true
        }

        mutating func erase() {
            guard columns > 0 else { return }
            writeToStandardError("\r\(String(repeating: " ", count: columns))\r")
            columns = 0
        }

        mutating func end() {
            isEnded = true
            erase()
        }
    }
}
