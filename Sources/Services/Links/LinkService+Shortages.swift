import Diagnostics
import Sockets

// What the process lacks: work is refused at once, and the log says so once a minute.

extension LinkService {
    /// Notes that there is no memory for some work.
    /// - Returns: the reason, for its client.
    func noMemory(_ what: String) -> String {
        refuse(
            memory.refusals, .outOfMemory, "there is no memory for \(what)",
            "see process_resident_memory_bytes, and this process's limits")
        return "there is no memory for \(what) now"
    }

    /// Notes that there is no thread for some work.
    /// - Returns: the reason, for its client.
    func noThread(_ error: SystemError) -> String {
        let fact = "no thread can be started: \(error)"
        refuse(
            sideWork.refusals, .linkStore, "a request is not answered: \(fact)",
            "raise the limit on tasks (TasksMax=, the pids limit of a container, ulimit -u)")
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
