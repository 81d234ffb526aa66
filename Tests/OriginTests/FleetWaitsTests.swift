import LinkStore
import Services
import Synchronization
import Testing

/// Clients that wait until all nodes have their change.
struct FleetWaitsTests {
    private func fleet(_ generations: [String: Int], gone: [String: Int] = [:]) -> StoreFleet {
        func nodes(_ generations: [String: Int], isUp: Bool) -> [StoreNode] {
            generations.map { name, generation in
                StoreNode(
                    name: name, NodeReport(version: "1", configuration: "a"),
                    generation: generation, clockOffset: 0, started: 0, seen: 0, isUp: isUp)
            }
        }
        return StoreFleet(
            nodes: nodes(generations, isUp: true) + nodes(gone, isUp: false), own: "own",
            generation: 9, isSynchronous: false)
    }

    /// The answers of clients, by their names: the nodes with the change, and all.
    private final class Answers: Sendable {
        let all = Mutex([String: String]())

        func callAsFunction(_ name: String) -> @Sendable (FleetWaits.Nodes) -> Void {
            { [self] nodes in
                all.withLock { $0[name] = nodes.map { "\($0.having)/\($0.all)" } ?? "unknown" }
            }
        }

        var told: [String: String] { all.withLock { $0 } }
    }

    @Test func `are answered when the last living node has it`() {
        var (waits, answers) = (FleetWaits(), Answers())
        #expect(waits.isEmpty && waits.rest(at: 0) == nil)
        waits.add(7, until: 5_000, at: 100, answers("early"))
        waits.add(9, until: 5_000, at: 100, answers("late"))
        var news = [Bool]()
        func look(_ fleet: StoreFleet?, at now: Int) {
            let answers = waits.turn(at: now) { isNews in
                news.append(isNews)
                return fleet
            }
            for answer in answers { answer() }
        }
        // Its own row is old, and a node that was killed is not waited for.
        look(fleet(["own": 0, "other": 6], gone: ["dead": 1]), at: 100)
        #expect(answers.told.isEmpty && !waits.isEmpty)
        look(fleet(["own": 0, "other": 7]), at: 105)
        #expect(answers.told == ["early": "2/2"])
        look(fleet(["own": 9, "other": 9, "third": 10]), at: 500)
        #expect(answers.told == ["early": "2/2", "late": "3/3"] && waits.isEmpty)
        // The others were told once.
        #expect(news == [true, false, false])
    }

    @Test func `ask the others fifty times a second at most, however many they are`() {
        var (waits, questions) = (FleetWaits(), 0)
        for now in 0..<1_000 {
            let fleet = fleet(["other": now])
            // Some do not want to wait at all.
            waits.add(now, until: now.isMultiple(of: 2) ? now : 5_000, at: now) { _ in }
            _ = waits.turn(at: now) { isNews in
                questions += isNews ? 1 : 0
                return fleet
            }
        }
        #expect(questions == 50)
        // And nobody is forgotten.
        #expect(waits.rest(at: 999) == 1)
    }

    @Test func `are answered at the end of their time with what is known`() {
        var (waits, answers) = (FleetWaits(), Answers())
        waits.add(7, until: 1_000, at: 0, answers("short"))
        waits.add(7, until: 2_000, at: 0, answers("long"))
        waits.add(7, until: 0, at: 0, answers("none"))
        var looks = 0
        for now in 0..<1_000 {
            let fleet = fleet(["other": 6])
            let answers = waits.turn(at: now) { _ in
                looks += 1
                return fleet
            }
            for answer in answers { answer() }
        }
        #expect(answers.told == ["none": "1/2"])
        // After 5, 10, 20 … milliseconds, and then four times a second.
        #expect(looks == 9)
        for answer in waits.turn(at: 1_000, { _ in nil }) { answer() }
        #expect(answers.told == ["none": "1/2", "short": "unknown"])
        #expect(waits.rest(at: 1_000) == 250 && waits.rest(at: 1_900) == 0)
        for answer in waits.turn(at: 2_000, { _ in fleet([:]) }) { answer() }
        #expect(answers.told["long"] == "1/1" && waits.isEmpty)
    }
}
