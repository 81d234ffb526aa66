import Sockets
import TestSupport
import Testing

@testable import Commands

@Suite("From the start to the end")
struct LifecycleTests {
    typealias Stage = Lifecycle.Stage
    typealias Row = (
        Stage, [Lifecycle.Occurrence], Stage, Lifecycle.Step?
    )

    private static let reach: [Stage: [Lifecycle.Occurrence]] = [
        .starting: [], .serving: [.served], .reloading: [.served, .buildBegan],
        .leaving: [.served, .signal(.terminate)],
        .stopping: [.served, .signal(.terminate), .timeOver],
        .ending: [.served, .signal(.quit)],
        .finishing: [.served, .signal(.terminate), .timeOver, .loopsEnded],
        .hurrying: [.served, .signal(.quit), .loopsEnded, .signal(.quit)],
        .ended: [.signal(.quit)],
    ]

    /// Every transition; whatever else occurs changes nothing.
    static let rows: [Row] = [
        (.starting, [.signal(.terminate), .signal(.interrupt), .signal(.quit)], .ended, .giveUp),
        (.starting, [.signal(.hangUp)], .starting, .reload),
        (.starting, [.served], .serving, nil),
        (.serving, [.signal(.terminate)], .leaving, .leave(.terminate)),
        (.serving, [.signal(.interrupt)], .leaving, .leave(.interrupt)),
        (.serving, [.signal(.quit)], .ending, .end(.quit)),
        (.serving, [.signal(.hangUp)], .serving, .reload),
        (.serving, [.signal(.user1)], .serving, .reopenLogs),
        (.serving, [.buildBegan], .reloading, nil),
        (.reloading, [.signal(.terminate)], .leaving, .leave(.terminate)),
        (.reloading, [.signal(.interrupt)], .leaving, .leave(.interrupt)),
        (.reloading, [.signal(.quit)], .ending, .end(.quit)),
        (.reloading, [.signal(.hangUp)], .reloading, .reload),
        (.reloading, [.signal(.user1)], .reloading, .reopenLogs),
        (.reloading, [.built], .serving, .publish),
        (.leaving, [.signal(.terminate)], .ending, .end(.terminate)),
        (.leaving, [.signal(.interrupt)], .ending, .end(.interrupt)),
        (.leaving, [.signal(.quit)], .ending, .end(.quit)),
        (.leaving, [.signal(.hangUp)], .leaving, .refuseReload),
        (.leaving, [.signal(.user1)], .leaving, .reopenLogs),
        (.leaving, [.timeOver], .stopping, .stop),
        (.stopping, [.signal(.terminate)], .ending, .end(.terminate)),
        (.stopping, [.signal(.interrupt)], .ending, .end(.interrupt)),
        (.stopping, [.signal(.quit)], .ending, .end(.quit)),
        (.stopping, [.signal(.hangUp)], .stopping, .refuseReload),
        (.stopping, [.signal(.user1)], .stopping, .reopenLogs),
        (.stopping, [.timeOver], .ending, .end(nil)),
        (.stopping, [.loopsEnded], .finishing, .finish(atOnce: false)),
        (.ending, [.signal(.hangUp)], .ending, .refuseReload),
        (.ending, [.signal(.user1)], .ending, .reopenLogs),
        (.ending, [.loopsEnded, .timeOver], .finishing, .finish(atOnce: true)),
        (.finishing, [.signal(.hangUp)], .finishing, .refuseReload),
        (.finishing, [.signal(.user1)], .finishing, .reopenLogs),
        // Services that have just begun to end have the time of the second order.
        (.finishing, [.signal(.terminate)], .hurrying, .hurry(.terminate)),
        (.finishing, [.signal(.interrupt)], .hurrying, .hurry(.interrupt)),
        (.finishing, [.signal(.quit)], .hurrying, .hurry(.quit)),
        (.finishing, [.timeOver], .ended, .abandonRest),
        (.finishing, [.restEnded], .ended, nil),
        (.hurrying, [.signal(.hangUp)], .hurrying, .refuseReload),
        (.hurrying, [.signal(.user1)], .hurrying, .reopenLogs),
        (
            .hurrying, [.signal(.terminate), .signal(.interrupt), .signal(.quit), .timeOver],
            .ended, .abandonRest
        ),
        (.hurrying, [.restEnded], .ended, nil),
    ]

    private func lifecycle(in stage: Stage) throws -> Lifecycle {
        var lifecycle = Lifecycle()
        for occurrence in try #require(Self.reach[stage]) {
            _ = lifecycle.react(to: occurrence)
        }
        #expect(lifecycle.stage == stage)
        return lifecycle
    }

    @Test("each occurrence leads to its stage and its step", arguments: rows)
    func transition(
        _ stage: Stage, _ occurrences: [Lifecycle.Occurrence], _ next: Stage,
        _ step: Lifecycle.Step?
    ) throws {
        for occurrence in occurrences {
            var lifecycle = try lifecycle(in: stage)
            #expect(lifecycle.react(to: occurrence) == step)
            #expect(lifecycle.stage == next)
        }
    }

    @Test("anything else changes nothing", arguments: Stage.allCases)
    func others(_ stage: Stage) throws {
        let all: [Lifecycle.Occurrence] =
            Signal.allCases.map { .signal($0) }
            + [.served, .buildBegan, .built, .timeOver, .loopsEnded, .restEnded]
        let known = Self.rows.filter { $0.0 == stage }.flatMap(\.1)
        for occurrence in all where !known.contains(occurrence) {
            var lifecycle = try lifecycle(in: stage)
            #expect(lifecycle.react(to: occurrence) == nil)
            #expect(lifecycle.stage == stage)
        }
    }

    @Test func `a second order gives services no more time than they had`() {
        let first = RestTime(began: 1_000, atOnce: false, endsBy: nil)
        #expect(first.end(after: 5_000) == 6_000)
        let early = RestTime(began: 2_000, atOnce: true, endsBy: first.end(after: 5_000))
        #expect(early.end(after: 1_000) == 3_000)
        let late = RestTime(began: 5_900, atOnce: true, endsBy: first.end(after: 5_000))
        #expect(late.end(after: 1_000) == 6_000)
    }

    @Test("no stage waits for more than two orders to end", arguments: Stage.allCases)
    func orders(_ stage: Stage) throws {
        var lifecycle = try lifecycle(in: stage)
        for signal in [Signal.terminate, .quit] { _ = lifecycle.react(to: .signal(signal)) }
        #expect([.ending, .ended].contains(lifecycle.stage))
    }
}
