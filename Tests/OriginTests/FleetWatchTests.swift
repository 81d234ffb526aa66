import Diagnostics
import LinkStore
import Services
import Testing

/// The times at which a node tells of itself, and what it says of the others.
struct FleetWatchTests {
    private func fleet(
        _ configurations: [String], gone: String? = nil, isNotified: Bool? = nil,
        clockOffset: Int = 0
    ) -> StoreFleet {
        let all = configurations.map { ($0, true) } + [gone].compactMap(\.self).map { ($0, false) }
        let nodes = all.enumerated().map { index, one in
            StoreNode(
                name: "n\(index)", NodeReport(version: "1", configuration: one.0), generation: 1,
                clockOffset: clockOffset, started: 0, seen: 0, isUp: one.1)
        }
        return StoreFleet(
            nodes: nodes, own: "n0", generation: 1, isSynchronous: false, isNotified: isNotified)
    }

    /// The answers of one watch to these fleets, one after the other: whether it has said something.
    private func told(_ fleets: [StoreFleet]) -> [Bool] {
        var watch = FleetWatch()
        return fleets.map { !watch.news($0).isEmpty }
    }

    private func text(_ event: ServiceEvent) -> String {
        switch event {
        case .finding(let finding): finding.message
        case .notificationsArrive: "again"
        default: ""
        }
    }

    @Test func `each five seconds, and at once when something is new`() {
        var watch = FleetWatch()
        let (one, other) = (
            NodeReport(version: "1", configuration: "a"),
            NodeReport(version: "1", configuration: "b")
        )
        let due = [(one, 0), (one, 4_999), (one, 5_000), (other, 5_001), (other, 10_000)]
            .map { watch.isDue($0.0, at: $0.1) }
        #expect(due == [true, false, true, true, false])
    }

    @Test func `a second after another generation was told, and at once if somebody waits`() {
        var watch = FleetWatch()
        let report = NodeReport(version: "1", configuration: "a")
        let due =
            [
                (1, false, 0), (1, true, 10), (2, false, 999), (2, false, 1_000), (3, true, 1_001),
                (3, true, 1_002), (4, false, 1_003), (4, false, 2_001), (4, false, 7_000),
                (4, false, 7_001),
            ]
            .map { watch.isDue(report, generation: $0.0, isAwaited: $0.1, at: $0.2) }
        #expect(
            due == [true, false, false, true, true, false, false, true, false, true])
    }

    @Test func `again in a second if the others could not be told`() {
        var watch = FleetWatch()
        let report = NodeReport(version: "1", configuration: "a")
        watch.failed()
        let first = watch.isDue(report, generation: 7, at: 0)
        watch.failed()
        let due = [999, 1_000, 1_001, 2_000].map {
            watch.isDue(report, generation: 7, at: $0)
        }
        #expect(first && due == [false, true, false, false])
    }

    @Test func `configurations that differ for some time are said once`() {
        let (different, other, same) = (fleet(["a", "b", "a"]), fleet(["a", "c"]), fleet(["a"]))
        #expect(
            told([different, different, different, different]) == [false, false, true, false])
        // Others differ, and then none.
        #expect(
            told([different, different, different, other, same, different, different, different])
                == [false, false, true, true, false, false, false, true])
        var watch = FleetWatch()
        let messages = (0..<3).map { _ in watch.news(different).first.map(text) ?? "" }
        #expect(messages[2].hasSuffix(#"have 2 configurations: "n0" a, "n1" b"#))
        let many = fleet(Array(repeating: "a", count: 9) + ["b"])
        watch = FleetWatch()
        let last = (0..<3).map { _ in watch.news(many).first.map(text) ?? "" }[2]
        #expect(last.hasSuffix(#"have 2 configurations: "n0" a, "n9" b"#))
    }

    @Test func `notifications that do not arrive are said once, and that they do again`() {
        var watch = FleetWatch()
        let told = [nil, true, false, false, nil, true, true, false].map { isNotified in
            watch.news(fleet(["a"], isNotified: isNotified)).map(text)
        }
        let fault =
            "notifications of the database do not arrive, so this node asks once a second what others have changed"
        #expect(told == [[], [], [fault], [], [], ["again"], [], [fault]])
        // Both messages at once.
        watch = FleetWatch()
        let both = fleet(["a", "b"], isNotified: false)
        #expect((0..<3).map { _ in watch.news(both).count } == [1, 0, 1])
    }

    @Test func `a clock that differs for some time is said once`() {
        var watch = FleetWatch()
        let times = [
            2_001, 2_001, 2_000, -3_600_000, .min, -3_600_000, .min, 0, 2_500, 2_500, 2_500,
        ]
        let told = times.map { watch.news(fleet(["a"], clockOffset: $0)).map(text) }
        let fact = "the clocks of this node and of the nodes' database differ: this one is"
        #expect(
            told == [
                [], [], [], [], [], ["\(fact) 3600 seconds behind"], [], [], [], [],
                ["\(fact) 2 seconds ahead"],
            ])
    }

    @Test func `neither a node that is gone nor one that does not know yet differs`() {
        let fleet = fleet(["a", "a", ""], gone: "b")
        #expect(!told((0..<9).map { _ in fleet }).contains(true))
    }
}
