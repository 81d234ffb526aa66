import Testing

@testable import Origin

@Suite("Connections that wait for their turn")
struct WaitingConnectionsTests {
    private static func all(_ waiting: inout WaitingConnections) -> [Int] {
        var slots = [Int]()
        while let slot = waiting.takeFirst() { slots.append(slot) }
        return slots
    }

    @Test func `are taken in the order in which they came, each once`() {
        var waiting = WaitingConnections(capacity: 4)
        let isEmpty = waiting.isEmpty
        for slot in [3, 0, 2, 0, 3] { waiting.add(slot) }
        let first = waiting.takeFirst()
        waiting.add(3)
        let (isEmptyNow, rest) = (waiting.isEmpty, Self.all(&waiting))
        #expect(isEmpty && !isEmptyNow)
        #expect(first == 3 && rest == [0, 2, 3])
        let isEmptyAgain = waiting.isEmpty
        #expect(isEmptyAgain)
    }

    @Test(
        "are forgotten when they are closed, so that the next one in the slot is no other",
        arguments: 0..<4)
    func removed(_ slot: Int) {
        var waiting = WaitingConnections(capacity: 4)
        for slot in 0..<4 { waiting.add(slot) }
        waiting.remove(slot)
        waiting.remove(slot)
        let rest = Self.all(&waiting)
        #expect(rest == (0..<4).filter { $0 != slot })
        waiting.remove(slot)
        waiting.add(slot)
        let again = Self.all(&waiting)
        #expect(again == [slot])
    }
}
