import Sockets

/// Where an origin is between its start and its end. Every transition stands in `react`; the
/// supervisor takes the steps that it names, and changes the stage nowhere else.
///
///     stage      TERM, INT  QUIT     HUP            a build     its time   loops or log
///                                                               is over    have ended
///     starting   ended      ended    builds later   → serving
///     serving    leaving    ending   builds         → reloading
///     reloading  leaving    ending   builds later   → serving
///     leaving    ending     ending   logs alone     is dropped  stopping
///     stopping   ending     ending   logs alone     is dropped  ending     finishing
///     ending                         logs alone     is dropped  finishing  finishing
///     finishing  ended      ended    logs alone     is dropped  ended      ended
///
/// USR1 opens logs anew in every stage but the first, which has none.
struct Lifecycle: Equatable {
    private(set) var stage = Stage.starting

    enum Stage: CaseIterable {
        /// The first snapshot is built, and addresses are bound; nothing is served.
        case starting
        case serving
        /// Serving, while another snapshot is built.
        case reloading
        /// Not ready any more, and still answering: until those who send requests have noticed.
        case leaving
        /// Nothing new is accepted; what is in flight has its time.
        case stopping
        /// What is left is cut off, and counted.
        case ending
        /// The last lines of the access log are written.
        case finishing
        case ended
    }

    enum Occurrence: Hashable {
        case signal(Signal)
        /// The origin answers.
        case served
        /// Another snapshot is being built; it is built, or could not be.
        case buildBegan, built
        /// The stage has lasted as long as it may.
        case timeOver
        case loopsEnded, logEnded
    }

    /// What the supervisor has to do.
    enum Step: Equatable {
        /// Says that nothing was served.
        case giveUp
        /// Opens logs anew and reads everything again: now, or once what is being read has been.
        case reload
        case reopenLogs
        /// Opens logs anew, and says that nothing is reloaded any more.
        case refuseReload
        /// Publishes what was built, or says why it could not be.
        case takeOver
        case leave(Signal), stop
        /// Nil where a loop does not turn.
        case end(Signal?)
        /// Says what became of requests and connections, and ends the access log.
        case finish(isHurried: Bool)
        /// Says what of the access log is lost.
        case abandonLog
    }

    /// Enters the next stage, and names what has to be done for it.
    mutating func react(to occurrence: Occurrence) -> Step? {
        let (next, step) = Self.transition(stage, occurrence)
        stage = next
        return step
    }

    private static func transition(_ stage: Stage, _ occurrence: Occurrence) -> (Stage, Step?) {
        switch (stage, occurrence) {
        case (.ended, _): (stage, nil)
        // Nobody waits for an answer yet.
        case (.starting, .signal(let signal)) where signal.isEnd: (.ended, .giveUp)
        case (.starting, .signal(.user1)): (stage, nil)
        case (.starting, .served): (.serving, nil)
        case (.starting, .signal(.hangUp)), (.serving, .signal(.hangUp)),
            (.reloading, .signal(.hangUp)):
            (stage, .reload)
        case (.serving, .buildBegan): (.reloading, nil)
        case (.reloading, .built): (.serving, .takeOver)
        case (.serving, .signal(.quit)), (.reloading, .signal(.quit)): (.ending, .end(.quit))
        // What is being built is of no use any more, and nobody waits for it.
        case (.serving, .signal(let signal)) where signal.isEnd,
            (.reloading, .signal(let signal)) where signal.isEnd:
            (.leaving, .leave(signal))
        case (.leaving, .signal(let signal)) where signal.isEnd,
            (.stopping, .signal(let signal)) where signal.isEnd:
            (.ending, .end(signal))
        case (.leaving, .timeOver): (.stopping, .stop)
        // The loops keep the time themselves: one of them does not turn.
        case (.stopping, .timeOver): (.ending, .end(nil))
        case (.stopping, .loopsEnded): (.finishing, .finish(isHurried: false))
        case (.ending, .loopsEnded), (.ending, .timeOver): (.finishing, .finish(isHurried: true))
        case (.finishing, .signal(let signal)) where signal.isEnd: (.ended, .abandonLog)
        case (.finishing, .timeOver): (.ended, .abandonLog)
        case (.finishing, .logEnded): (.ended, nil)
        case (_, .signal(.user1)): (stage, .reopenLogs)
        case (_, .signal(.hangUp)): (stage, .refuseReload)
        default: (stage, nil)
        }
    }
}

extension Signal {
    /// Whether it ends the process.
    fileprivate var isEnd: Bool {
        switch self {
        case .terminate, .interrupt, .quit: true
        case .hangUp, .user1: false
        }
    }
}
