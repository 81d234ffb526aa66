import Certificates
import SiteConfiguration
import Sockets

/// The records that the operators' programs set in DNS for orders, and clear afterwards. It belongs to
/// one thread; each program runs on a thread of its own.
///
/// Programs for records of one name run one after the other: a wildcard and its domain have the same
/// name, and many interfaces replace all values of a name at once.
struct RecordPrograms {
    /// Is woken when a program has ended.
    let wakeup: Wakeup
    /// The time that a program has.
    var milliseconds = 300_000
    private let cancellation: Wakeup
    /// Kills the programs that clear records, too.
    let killing: Wakeup
    /// The first of each name runs, and the others wait.
    private var runs = [Run]()
    /// The outcomes of programs that have set a record, until an order takes them.
    private var outcomes = [ChallengeRecord: ChallengeProgram.Outcome]()
    /// Records for which a program was started, or may have been, and that are not cleared yet.
    private var open = Set<ChallengeRecord>()

    /// Those of them that a program has set to its end.
    private var set = Set<ChallengeRecord>()

    private struct Run {
        let host: AutomaticHost
        let action: ChallengeProgram.Action
        let record: ChallengeRecord
        var outcome: Background<ChallengeProgram.Outcome>?
    }

    /// A program that has ended.
    struct Ended {
        let host: AutomaticHost
        let record: ChallengeRecord
        let outcome: ChallengeProgram.Outcome
        /// Whether the record has to be cleared still, now or by a later process.
        let isOpen: Bool
        /// Whether a program has set it to its end, and none has cleared it since.
        let wasSet: Bool
        let action: ChallengeProgram.Action
    }

    init(waking wakeup: Wakeup) throws(SystemError) {
        self.wakeup = wakeup
        cancellation = try Wakeup()
        killing = try Wakeup()
    }

    var isIdle: Bool { runs.isEmpty }

    /// Lets a program set a record.
    mutating func set(_ record: ChallengeRecord, for host: AutomaticHost) {
        outcomes[record] = nil
        runs.append(Run(host: host, action: .set, record: record))
    }

    /// The outcome of `set`, once; nil while the program runs or waits.
    mutating func takeOutcome(of record: ChallengeRecord) -> ChallengeProgram.Outcome? {
        outcomes.removeValue(forKey: record)
    }

    /// Lets a program clear a record, after the one that sets it has ended.
    /// - Parameter isLeft: whether an earlier process may have set it.
    mutating func clear(_ record: ChallengeRecord, for host: AutomaticHost, isLeft: Bool = false) {
        outcomes[record] = nil
        runs.removeAll { $0.action == .set && $0.record == record && $0.outcome == nil }
        if isLeft { open.insert(record) }
        guard open.contains(record) else { return }
        runs.append(Run(host: host, action: .clear, record: record))
    }

    /// Starts the programs that can run, and tells of those that have ended.
    mutating func advance() -> [Ended] {
        var ended = [Ended]()
        runs.removeAll { run in
            guard let outcome = run.outcome?.found else { return false }
            if run.action == .set { outcomes[run.record] = outcome }
            switch (run.action, outcome) {
            case (.set, .done): set.insert(run.record)
            case (.clear, .done), (.set, .failed(_, isStarted: false)):
                open.remove(run.record)
                set.remove(run.record)
            case (.set, .failed), (.clear, .failed): break
            }
            ended.append(
                Ended(
                    host: run.host, record: run.record, outcome: outcome,
                    isOpen: open.contains(run.record), wasSet: set.contains(run.record),
                    action: run.action))
            return true
        }
        var names = Set<String>()
        for index in runs.indices
        where names.insert(runs[index].record.name).inserted && runs[index].outcome == nil {
            runs[index].outcome = start(runs[index])
            open.insert(runs[index].record)
        }
        return ended
    }

    private func start(_ run: Run) -> Background<ChallengeProgram.Outcome>? {
        guard let file = run.host.automatic.program else { return nil }
        var program = ChallengeProgram(file: file, host: run.host.name)
        program.milliseconds = milliseconds
        program.cancellation = run.action == .set ? cancellation : killing
        return Background(name: "waymark-dns", waking: wakeup) { [program] in
            program.run(run.action, run.record)
        }
    }

    /// Ends the programs that set records, and waits for those that clear them; when the time is over, those are ended, too.
    /// - Parameter report: hears of each that ends.
    mutating func stop(atMost milliseconds: Int, _ report: (Ended) -> Void) {
        cancellation.wake()
        wait(atMost: milliseconds, report)
        guard !isIdle else { return }
        killing.wake()
        wait(atMost: Self.killMilliseconds, report)
    }

    private mutating func wait(atMost milliseconds: Int, _ report: (Ended) -> Void) {
        let end = Clock.monotonicMilliseconds + milliseconds
        while true {
            advance().forEach(report)
            let left = end - Clock.monotonicMilliseconds
            guard !isIdle, left > 0 else { return }
            wakeup.wait(atMost: left)
        }
    }

    /// The time for which killed programs are waited for.
    private static let killMilliseconds = 500
}
