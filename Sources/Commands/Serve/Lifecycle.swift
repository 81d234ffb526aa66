import Sockets

/// The stage of an origin between its start and its end. All transitions are in `react`; the
/// supervisor takes the steps that it returns, and changes the stage nowhere else.
///
///     stage      TERM, INT  QUIT     HUP            a build     its time   loops, or log and
///                                                               is over    services, have ended
///     starting   ended      ended    builds later   → serving
///     serving    leaving    ending   builds         → reloading
///     reloading  leaving    ending   builds later   → serving
///     leaving    ending     ending   logs only      is dropped  stopping
///     stopping   ending     ending   logs only      is dropped  ending     finishing
///     finishing  hurrying   hurrying logs only      is dropped  ended      ended
///     ending                         logs only      is dropped  finishing  finishing
///     hurrying   ended      ended    logs only      is dropped  ended      ended
///
/// USR1 reopens logs in every stage except the first, which has none.
struct Lifecycle: Equatable {
    private(set) var stage = Stage.starting

    enum Stage: CaseIterable {
        /// The first snapshot is built, and addresses are bound; nothing is served.
        case starting
        case serving
        /// Serving, while another snapshot is built.
        case reloading
        /// Not ready any more, but requests are still answered, so that load balancers notice.
        case leaving
        /// No connections are accepted; requests in flight are finished.
        case stopping
        /// The remaining requests are aborted and counted.
        case ending
        /// Services end, among them the access log with its last lines.
        case finishing
        /// The same after an order to stop at once.
        case hurrying
        case ended
    }

    enum Occurrence: Hashable {
        case signal(Signal)
        /// The origin answers.
        case served
        /// Another snapshot is being built; it was built, or failed.
        case buildBegan, built
        /// The stage's time is over.
        case timeOver
        case loopsEnded
        /// The services have ended.
        case restEnded
    }

    /// The step that the supervisor must take.
    enum Step: Equatable {
        /// Log that nothing was served.
        case giveUp
        /// Reopen logs and read everything again: now, or after the current read.
        case reload
        case reopenLogs
        /// Reopen logs, and log that there is no reload.
        case refuseReload
        /// Publish what was built, or log why it failed.
        case publish
        case leave(Signal), stop
        /// Nil if a loop hangs.
        case end(Signal?)
        /// Log the aborted requests and closed connections, and end the services.
        case finish(atOnce: Bool)
        /// Give the services only the time of a stop at once, from now on.
        case hurry(Signal)
        /// Log what is lost with the services that have not ended.
        case abandonRest
    }

    /// Enters the next stage, and returns the step for it.
    mutating func react(to occurrence: Occurrence) -> Step? {
        let (next, step) = Self.transition(stage, occurrence)
        stage = next
        return step
    }

    private static func transition(_ stage: Stage, _ occurrence: Occurrence) -> (Stage, Step?) {
        switch (stage, occurrence) {
        case (.ended, _): (stage, nil)
        // No request waits for a response yet.
        case (.starting, .signal(let signal)) where signal.isEnd: (.ended, .giveUp)
        case (.starting, .signal(.user1)): (stage, nil)
        case (.starting, .served): (.serving, nil)
        case (.starting, .signal(.hangUp)), (.serving, .signal(.hangUp)),
            (.reloading, .signal(.hangUp)):
            (stage, .reload)
        case (.serving, .buildBegan): (.reloading, nil)
        case (.reloading, .built): (.serving, .publish)
        case (.serving, .signal(.quit)), (.reloading, .signal(.quit)): (.ending, .end(.quit))
        // The current build is not needed any more, and nothing waits for it.
        case (.serving, .signal(let signal)) where signal.isEnd,
            (.reloading, .signal(let signal)) where signal.isEnd:
            (.leaving, .leave(signal))
        case (.leaving, .signal(let signal)) where signal.isEnd,
            (.stopping, .signal(let signal)) where signal.isEnd:
            (.ending, .end(signal))
        case (.leaving, .timeOver): (.stopping, .stop)
        // The loops measure the time themselves, so one of them hangs.
        case (.stopping, .timeOver): (.ending, .end(nil))
        case (.stopping, .loopsEnded): (.finishing, .finish(atOnce: false))
        case (.ending, .loopsEnded), (.ending, .timeOver): (.finishing, .finish(atOnce: true))
        case (.finishing, .signal(let signal)) where signal.isEnd: (.hurrying, .hurry(signal))
        case (.hurrying, .signal(let signal)) where signal.isEnd: (.ended, .abandonRest)
        case (.finishing, .timeOver), (.hurrying, .timeOver): (.ended, .abandonRest)
        case (.finishing, .restEnded), (.hurrying, .restEnded): (.ended, nil)
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
