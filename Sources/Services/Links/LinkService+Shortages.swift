import Diagnostics
import Files
import Sockets

// What the process lacks: work is refused at once, and the log says so once a minute.

extension LinkService {
    /// Notes that there is no memory for some work.
    /// - Returns: the reason, for its client.
    func noMemory(_ what: String) -> String {
        refuse(
            memory.refusals, .outOfMemory, "there is no memory for \(what): \(memory.lack)",
            Self.moreMemory)
        return "there is no memory for \(what) now"
    }

    /// Whether there is memory to follow the changes of other nodes. If not, the thread asks again a second later.
    var hasMemoryToFollow: Bool {
        if memory.hasRoom { return true }
        if memory.followRefusals.note() != nil {
            tell(
                Diagnostic(
                    .warning, .outOfMemory, at: nil,
                    "there is no memory for what other nodes have changed: \(memory.lack)",
                    advice: "links are answered as they were, until there is; \(Self.moreMemory)"))
        }
        return false
    }

    /// Tells the operator that the links may take more memory than there is. It is no reason to leave them unread: they may also
    /// take less.
    func warnOfMemory() {
        let bytes = FileStamp(of: path)?.bytes ?? 0
        guard memory.claim(forWork: bytes) == nil else { return }
        tell(
            Diagnostic(
                .warning, .outOfMemory, at: nil,
                "the links of \(quoted(path)) may take more memory than there is: \(memory.lack)",
                advice: "they are read all the same; \(Self.moreMemory)"))
    }

    private static let moreMemory =
        "raise the limit (the container's, MemoryMax=, LimitDATA=, ulimit -v), or lower limits.connections"

    /// Notes that there is no thread for some work.
    /// - Returns: the reason, for its client.
    func noThread(_ error: SystemError) -> String {
        let fact = "no thread can be started: \(error)"
        refuse(
            sideWork.refusals, .linkStore, "a request is not answered: \(fact)",
            error.threadAdvice ?? Self.moreMemory)
        return fact
    }

    /// The reason for which some work beside the store's thread was not taken.
    func busy(_ work: SideWork) -> String { work.fault.map(noThread) ?? Self.busy }

    private func refuse(_ refusals: Refusals, _ rule: RuleName, _ fact: String, _ advice: String) {
        guard let count = refusals.note() else { return }
        let others = count > 1 ? "; so were \(count - 1) before, in a minute" : ""
        tell(
            Diagnostic(
                .warning, rule, at: nil, fact,
                advice: "it was answered with 503, and can be sent again\(others); \(advice)"))
    }
}
