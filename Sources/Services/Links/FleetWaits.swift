package import LinkStore

/// Clients that wait until all nodes have a change, and the times at which the nodes are looked at for them. Nobody is
/// kept waiting by them: the store's thread looks between its turns.
package struct FleetWaits: Sendable {
    private var waits = [Wait]()
    /// Whether the others are to tell at once what they have.
    private var isNews = false
    /// The time of the next look, and the pause after it, in milliseconds.
    private var nextLook = 0
    private var pause = firstPauseMilliseconds
    /// The others are not asked earlier than at this time: each question lets all of them write.
    private var nextQuestion = 0

    /// The nodes that have a change, and all that are there; nil where they are not known.
    package typealias Nodes = (having: Int, all: Int)?

    private struct Wait: Sendable {
        let generation: Int
        /// In milliseconds.
        let end: Int
        let answer: @Sendable (Nodes) -> Void
    }

    package init() {}

    package var isEmpty: Bool { waits.isEmpty }

    /// Lets a client wait until the nodes have a generation.
    /// - Parameter end: when it is answered in any case.
    package mutating func add(
        _ generation: Int, until end: Int, at now: Int,
        _ answer: @escaping @Sendable (Nodes) -> Void
    ) {
        waits.append(Wait(generation: generation, end: end, answer: answer))
        (isNews, nextLook, pause) = (true, max(now, nextQuestion), Self.firstPauseMilliseconds)
    }

    /// The longest wait until something is due; nil if nobody waits.
    package func rest(at now: Int) -> Int? {
        waits.map(\.end).min().map { max(0, min($0, nextLook) - now) }
    }

    /// Looks at the nodes if that is due.
    /// - Parameter look: tells the others to say what they have if it is given true, and returns the nodes; nil if the
    ///   database does not answer.
    /// - Returns: what is to be called, to answer those that need not wait any longer.
    package mutating func turn(
        at now: Int, _ look: (_ isNews: Bool) -> StoreFleet?
    ) -> [@Sendable () -> Void] {
        guard let rest = rest(at: now), rest == 0 else { return [] }
        let isQuestion = isNews && now >= nextQuestion
        let fleet = look(isQuestion)
        if isQuestion { (isNews, nextQuestion) = (false, now + Self.questionMilliseconds) }
        nextLook = now + pause
        pause = min(2 * pause, Self.longestPauseMilliseconds)
        var (answers, waiting) = ([@Sendable () -> Void](), [Wait]())
        for wait in waits {
            let nodes = fleet.map { $0.nodes(having: wait.generation) }
            if now >= wait.end || nodes.map({ $0.having == $0.all }) == true {
                answers.append { [answer = wait.answer] in answer(nodes) }
            } else {
                waiting.append(wait)
            }
        }
        waits = waiting
        return answers
    }

    private static let firstPauseMilliseconds = 5
    private static let longestPauseMilliseconds = 250
    private static let questionMilliseconds = 20
}

extension StoreFleet {
    /// The nodes that have a generation, and all that are there. The own node has it, also if its row does not say so yet.
    fileprivate func nodes(having generation: Int) -> (having: Int, all: Int) {
        let others = present.filter { $0.name != own }
        return (others.filter { $0.generation >= generation }.count + 1, others.count + 1)
    }
}
